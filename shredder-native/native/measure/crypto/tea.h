// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "chunk/host_device.h"

namespace shredder::crypto {

inline constexpr std::size_t kTeaBlockBytes = 8;

struct TeaKey {
    std::uint32_t word[4];
};

/// One block of the Tiny Encryption Algorithm (Wheeler, Needham, 1994), 32 cycles; Word: an integer, or a
/// vector of them. Kirby's thesis encrypts with it, each block by itself and without authentication: a
/// historical row, and nothing to protect data with.
template <typename Word>
SHREDDER_HOST_DEVICE inline void teaEncrypt(const TeaKey& key, Word& first, Word& second) {
    std::uint32_t sum = 0;
    for (int cycle = 0; cycle < 32; cycle++) {
        sum += 0x9E3779B9U;
        first += ((second << 4) + key.word[0]) ^ (second + sum) ^ ((second >> 5) + key.word[1]);
        second += ((first << 4) + key.word[2]) ^ (first + sum) ^ ((first >> 5) + key.word[3]);
    }
}

/// Whole blocks of two little-endian words; bytes is a multiple of 8. In and out may be the same.
void teaScalar(const TeaKey& key, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes);

/// Eight blocks at once, with AVX2.
void teaAvx2(const TeaKey& key, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes);

}  // namespace shredder::crypto
