// SPDX-License-Identifier: Apache-2.0
#include "measure/bench_input.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "chunk/fingerprint.h"
#include "measure/generated_input.h"

namespace shredder::bench {
namespace {

constexpr std::uint8_t kFloodByte = 0x4D;
/// The input repeats itself after so many bytes; nothing that is measured can see that.
constexpr std::size_t kPeriodBytes = 32ULL << 20;

}  // namespace

BenchInput::BenchInput() : memory_(new (kAlignment) std::uint8_t[kBefore + kInputBytes]) {
    std::memset(memory_.get(), 0, kBefore);
}

const std::uint8_t* BenchInput::of(const std::string& kind) {
    static BenchInput input;
    if (input.kind_ != kind) input.fill(kind);
    return input.memory_.get() + kBefore;
}

void BenchInput::fill(const std::string& kind) {
    std::vector<std::uint8_t> period = kind == "flood" ? std::vector<std::uint8_t>(kPeriodBytes, kFloodByte)
                                                       : tools::generateInput(kind, kPeriodBytes);
    for (std::size_t at = 0; at < kInputBytes; at += kPeriodBytes) {
        std::memcpy(memory_.get() + kBefore + at, period.data(), kPeriodBytes);
    }
    kind_ = kind;
}

shredder_params paramsOf(std::uint64_t averageBytes) {
    shredder_params params{};
    params.polynomial = Polynomial::kDefaultBits;
    params.marker = 0x5A17'D3C9'6B45ULL;
    params.mask_bits = static_cast<std::uint32_t>(std::bit_width(averageBytes)) - 1;
    params.min_bytes = averageBytes / 4;
    params.max_bytes = averageBytes * 8;
    params.digest_algorithm = 1;
    params.compute_digests = 1;
    return params;
}

shredder_params withAnotherPolynomial(shredder_params params) {
    params.polynomial = 0x1'8A5C'93E7'1D41ULL;
    while (!Polynomial::isIrreducible(params.polynomial)) {
        params.polynomial += 2;
    }
    return params;
}

shredder_params floodParams(shredder_params params) {
    std::uint8_t window[kWindowBytes];
    std::fill(std::begin(window), std::end(window), kFloodByte);
    params.marker = windowFingerprint(RollTables(Polynomial(params.polynomial)), std::end(window));
    return params;
}

}  // namespace shredder::bench
