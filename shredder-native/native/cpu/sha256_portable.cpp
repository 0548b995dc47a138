// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "chunk/sha256_compress.h"
#include "cpu/sha256.h"
#include "cpu/sha256_packing.h"

namespace shredder {
namespace {

constexpr std::uint32_t kRoundConstants[64] = {SHREDDER_SHA256_ROUND_CONSTANTS};

std::uint32_t loadBigEndian32(const std::uint8_t* source) {
    std::uint32_t value = 0;
    std::memcpy(&value, source, sizeof value);
    return __builtin_bswap32(value);
}

void compressLane(Sha256LaneStates& states, const std::uint8_t** at, std::size_t blocks) {
    std::uint32_t state[kSha256StateWords];
    states.load(0, state);
    sha256CompressPortable(state, *at, blocks);
    states.store(0, state);
    *at += blocks * kSha256BlockBytes;
}

}  // namespace

constinit const Sha256LaneForm kSha256Portable{
    .lanes = 1, .worthwhileLanes = 1, .compress = compressLane, .rest = nullptr};

void sha256CompressPortable(std::uint32_t state[8], const std::uint8_t* data, std::size_t blocks) {
    std::uint32_t folded[8];
    std::copy_n(state, 8, folded);
    for (; blocks > 0; blocks--, data += kSha256BlockBytes) {
        std::uint32_t words[16];
        for (std::size_t i = 0; i < 16; i++) {
            words[i] = loadBigEndian32(data + 4 * i);
        }
        sha256CompressBlock(folded, words, kRoundConstants);
    }
    std::copy_n(folded, 8, state);
}

}  // namespace shredder
