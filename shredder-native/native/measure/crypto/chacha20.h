// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "chunk/host_device.h"

namespace shredder::crypto {

SHREDDER_HOST_DEVICE inline void chachaQuarter(std::uint32_t& a, std::uint32_t& b, std::uint32_t& c,
                                               std::uint32_t& d) {
    a += b;
    d = rotateRight(d ^ a, 16);
    c += d;
    b = rotateRight(b ^ c, 20);
    a += b;
    d = rotateRight(d ^ a, 24);
    c += d;
    b = rotateRight(b ^ c, 25);
}

/// One block of key stream (RFC 8439, section 2.3): 16 little-endian words.
SHREDDER_HOST_DEVICE inline void chachaBlock(const std::uint32_t (&key)[8], std::uint32_t counter,
                                             const std::uint32_t (&nonce)[3], std::uint32_t (&out)[16]) {
    const std::uint32_t start[16] = {0x61707865, 0x3320646E, 0x79622D32, 0x6B206574, key[0], key[1],
                                     key[2],     key[3],     key[4],     key[5],     key[6], key[7],
                                     counter,    nonce[0],   nonce[1],   nonce[2]};
    SHREDDER_UNROLL
    for (int i = 0; i < 16; i++) {
        out[i] = start[i];
    }
    for (int round = 0; round < 10; round++) {
        SHREDDER_UNROLL
        for (int i = 0; i < 4; i++) {
            chachaQuarter(out[i], out[4 + i], out[8 + i], out[12 + i]);
        }
        SHREDDER_UNROLL
        for (int i = 0; i < 4; i++) {
            chachaQuarter(out[i], out[4 + (i + 1) % 4], out[8 + (i + 2) % 4], out[12 + (i + 3) % 4]);
        }
    }
    SHREDDER_UNROLL
    for (int i = 0; i < 16; i++) {
        out[i] += start[i];
    }
}

}  // namespace shredder::crypto
