// SPDX-License-Identifier: Apache-2.0
//
// Compares the backends on large generated inputs: the scalar reference's cuts and digests against those of
// every backend of this machine, for several buffer sizes. Prints a line each; exits with 1 if any two
// differ.
//
//   shredder_check [MIB_PER_INPUT [INPUT...]]     default 1024 random text image zero
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "measure/generated_input.h"
#include "measure/stream_run.h"

namespace {

using namespace shredder::tools;

constexpr std::uint64_t kBufferBytes[] = {1ULL << 20, 5ULL << 20, 32ULL << 20, 128ULL << 20};
constexpr std::uint32_t kMaskBits = 13;
constexpr std::uint32_t kSegmentMaskBits = 20;

bool equal(const std::vector<shredder_record>& a, const std::vector<shredder_record>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(shredder_record)) == 0;
}

/// Number of runs that differed from the reference.
int checkInput(const std::string& kind, std::size_t bytes) {
    std::vector<std::uint8_t> input = generateInput(kind, bytes);
    shredder_params params = paramsOf(kMaskBits, kSegmentMaskBits, true);
    EnginePtr scalar = openEngine(SHREDDER_BACKEND_SCALAR, 8ULL << 20);
    std::vector<shredder_record> reference =
        runStream(scalar.get(), params, input.data(), input.size(), true).records;
    int differing = 0;
    for (const AvailableBackend& backend : availableBackends()) {
        for (std::uint64_t bufferBytes : kBufferBytes) {
            if (bufferBytes > bytes) continue;
            EnginePtr engine = openEngine(backend.backend, bufferBytes);
            RunResult result = runStream(engine.get(), params, input.data(), input.size(), true);
            bool same = equal(result.records, reference);
            differing += same ? 0 : 1;
            std::printf("%-6s %5zu MiB  %-6s  buffer %3llu MiB  %7zu chunks  %6.2f GB/s  %s\n", kind.c_str(),
                        bytes >> 20, backend.name.c_str(), static_cast<unsigned long long>(bufferBytes >> 20),
                        result.records.size(), static_cast<double>(bytes) / result.seconds / 1e9,
                        same ? "identical" : "DIFFERENT");
            std::fflush(stdout);
        }
    }
    return differing;
}

int run(const std::vector<std::string>& arguments) {
    std::size_t bytes = (arguments.empty() ? 1024 : std::stoul(arguments[0])) << 20;
    std::vector<std::string> kinds(arguments.empty() ? arguments.begin() : arguments.begin() + 1,
                                   arguments.end());
    if (kinds.empty()) kinds = {"random", "text", "image", "zero"};
    int differing = 0;
    for (const std::string& kind : kinds) {
        differing += checkInput(kind, bytes);
    }
    std::printf(differing == 0 ? "all backends identical\n" : "%d runs DIFFER from the scalar reference\n",
                differing);
    return differing == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run({argv + 1, argv + argc});
    } catch (const std::exception& error) {
        std::fprintf(stderr, "shredder_check: %s\n", error.what());
        return 2;
    }
}
