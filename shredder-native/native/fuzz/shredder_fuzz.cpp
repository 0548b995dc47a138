// SPDX-License-Identifier: Apache-2.0
//
// Runs random cases until the time is over: any bytes, parameters and splits, all kernels and backends.
//
//   shredder_fuzz SECONDS [SEED]     0 seconds: the one case of that seed
//
// Exit code: 0 all agree, 1 a case disagreed (its seed is printed), 2 bad arguments.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <random>
#include <vector>

#include "fuzz/fuzz_checks.h"

namespace {

/// A case's bytes: mostly short scripts, whose steps make long streams.
std::vector<std::uint8_t> caseBytes(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<std::uint8_t> bytes(8 + random() % (random() % 4 == 0 ? 4'000 : 60));
    for (std::uint8_t& byte : bytes) {
        byte = static_cast<std::uint8_t>(random());
    }
    return bytes;
}

bool agrees(std::uint64_t seed) {
    std::vector<std::uint8_t> bytes = caseBytes(seed);
    try {
        shredder::fuzz::check(bytes.data(), bytes.size());
        return true;
    } catch (const std::exception& finding) {
        std::fprintf(stderr, "shredder_fuzz: %s; again: shredder_fuzz 0 %llu\n", finding.what(),
                     static_cast<unsigned long long>(seed));
        return false;
    }
}

}  // namespace

int main(int argc, char** argv) {
    char* end = nullptr;
    double seconds = argc > 1 ? std::strtod(argv[1], &end) : -1;
    if (argc < 2 || argc > 3 || end == argv[1] || *end != '\0' || seconds < 0) {
        std::fprintf(stderr, "usage: shredder_fuzz SECONDS [SEED]\n");
        return 2;
    }
    std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : std::random_device()();
    std::printf("shredder_fuzz: from seed %llu\n", static_cast<unsigned long long>(seed));
    auto start = std::chrono::steady_clock::now();
    unsigned long long cases = 0;
    do {
        if (!agrees(seed + cases)) return 1;
        cases++;
    } while (std::chrono::steady_clock::now() - start < std::chrono::duration<double>(seconds));
    std::printf("shredder_fuzz: %llu cases, all agree\n", cases);
    return 0;
}
