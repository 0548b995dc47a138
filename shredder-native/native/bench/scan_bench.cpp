// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "chunk/chunking_params.h"
#include "cpu/scan.h"
#include "cpu/sha256.h"

namespace shredder {
namespace {

constexpr std::size_t kBytes = 8 << 20;

std::vector<std::uint8_t> randomBytes() {
    std::mt19937_64 random(1);
    std::vector<std::uint8_t> bytes(kBytes + kWindowBytes);
    for (std::uint8_t& byte : bytes) {
        byte = static_cast<std::uint8_t>(random());
    }
    return bytes;
}

void scan(benchmark::State& state, ScanFunction function, std::uint64_t polynomial) {
    shredder_params params{};
    params.polynomial = polynomial;
    params.marker = 0x5A17'D3C9'6B45ULL;
    params.mask_bits = 13;
    ScanSpec spec = scanSpec(params);
    std::vector<std::uint8_t> bytes = randomBytes();
    std::vector<std::uint64_t> bitmap(kBytes / 64);
    for (auto _ : state) {
        function(spec, bytes.data() + kWindowBytes, kBytes, bitmap.data());
        benchmark::ClobberMemory();
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * kBytes));
}

void digest(benchmark::State& state, Sha256Compress compress) {
    std::vector<std::uint8_t> bytes = randomBytes();
    std::uint8_t digest[kDigestBytes];
    for (auto _ : state) {
        sha256(compress, bytes.data(), kBytes, digest);
        benchmark::DoNotOptimize(digest);
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * kBytes));
}

void digestMany(benchmark::State& state, Sha256Many many) {
    auto messageBytes = static_cast<std::size_t>(state.range(0));
    std::vector<std::uint8_t> bytes = randomBytes();
    std::vector<std::uint8_t> digests(kBytes / messageBytes * kDigestBytes);
    std::vector<DigestMessage> messages(kBytes / messageBytes);
    for (std::size_t i = 0; i < messages.size(); i++) {
        messages[i] = {&bytes[i * messageBytes], messageBytes, &digests[i * kDigestBytes]};
    }
    for (auto _ : state) {
        many(messages.data(), messages.size());
        benchmark::ClobberMemory();
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * kBytes));
}

BENCHMARK_CAPTURE(scan, scalar, scanScalar, Polynomial::kDefaultBits);
BENCHMARK_CAPTURE(scan, avx2, scanAvx2, Polynomial::kDefaultBits);
BENCHMARK_CAPTURE(scan, avx512, scanAvx512, Polynomial::kDefaultBits);
BENCHMARK_CAPTURE(digest, portable, sha256CompressPortable);
BENCHMARK_CAPTURE(digest, best, bestSha256Compress());
BENCHMARK_CAPTURE(digestMany, inTurn, sha256ManyInTurn)->Arg(8 << 10)->Arg(64 << 10);
BENCHMARK_CAPTURE(digestMany, avx512, sha256ManyAvx512)->Arg(8 << 10)->Arg(64 << 10);

}  // namespace
}  // namespace shredder

BENCHMARK_MAIN();
