// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "chunk/host_device.h"
#include "chunk/sha256_constants.h"

namespace shredder {

/// One round's word of the message schedule, FIPS 180-4 section 6.2.2 step 1: w holds the last sixteen words,
/// word i at i % 16, and the new one replaces the oldest.
SHREDDER_HOST_DEVICE inline void sha256Expand(std::uint32_t (&w)[16], int round) {
    std::uint32_t w15 = w[(round + 1) % 16];
    std::uint32_t w2 = w[(round + 14) % 16];
    std::uint32_t s0 = rotateRight(w15, 7) ^ rotateRight(w15, 18) ^ (w15 >> 3);
    std::uint32_t s1 = rotateRight(w2, 17) ^ rotateRight(w2, 19) ^ (w2 >> 10);
    w[round % 16] += s0 + w[(round + 9) % 16] + s1;
}

/// Folds one block into the state (FIPS 180-4, section 6.2.2). w holds the block's sixteen words, read as
/// big-endian numbers, and is overwritten. roundConstants: SHREDDER_SHA256_ROUND_CONSTANTS, wherever this
/// processor reads them fastest.
SHREDDER_HOST_DEVICE inline void sha256CompressBlock(std::uint32_t (&state)[8], std::uint32_t (&w)[16],
                                                     const std::uint32_t* roundConstants) {
    std::uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    std::uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    SHREDDER_UNROLL
    for (int round = 0; round < 64; round++) {
        if (round >= 16) sha256Expand(w, round);
        std::uint32_t sum1 = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25);
        std::uint32_t t1 = h + sum1 + ((e & f) ^ (~e & g)) + roundConstants[round] + w[round % 16];
        std::uint32_t sum0 = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22);
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

}  // namespace shredder
