// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <bit>
#include <cstring>

#include "chunk/sha256_constants.h"
#include "cpu/sha256.h"

namespace shredder {
namespace {

constexpr std::uint32_t kRound[64] = {SHREDDER_SHA256_ROUND_CONSTANTS};

std::uint32_t loadBigEndian32(const std::uint8_t* source) {
    std::uint32_t value = 0;
    std::memcpy(&value, source, sizeof value);
    return __builtin_bswap32(value);
}

void expandSchedule(const std::uint8_t* block, std::uint32_t w[64]) {
    for (std::size_t i = 0; i < 16; i++) {
        w[i] = loadBigEndian32(block + 4 * i);
    }
    for (int i = 16; i < 64; i++) {
        std::uint32_t s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
        std::uint32_t s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
}

void compressBlock(std::uint32_t state[8], const std::uint8_t* block) {
    std::uint32_t w[64];
    expandSchedule(block, w);
    auto [a, b, c, d, e, f, g, h] =
        std::to_array({state[0], state[1], state[2], state[3], state[4], state[5], state[6], state[7]});
    for (int i = 0; i < 64; i++) {
        std::uint32_t sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
        std::uint32_t t1 = h + sum1 + ((e & f) ^ (~e & g)) + kRound[i] + w[i];
        std::uint32_t sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
        std::uint32_t t2 = sum0 + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
}

}  // namespace

void sha256CompressPortable(std::uint32_t state[8], const std::uint8_t* data, std::size_t blocks) {
    for (; blocks > 0; blocks--, data += kSha256BlockBytes) {
        compressBlock(state, data);
    }
}

}  // namespace shredder
