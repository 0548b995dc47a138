// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

// Reading and writing 16 bytes as four little-endian words, wherever they lie. For kernels.
namespace shredder::crypto {

/// The word at any address; reads aligned words that hold at least one of its bytes.
__device__ inline std::uint32_t loadWord(const std::uint8_t* from) {
    auto address = reinterpret_cast<std::uintptr_t>(from);
    const auto* words = reinterpret_cast<const std::uint32_t*>(address & ~std::uintptr_t{3});
    unsigned shift = static_cast<unsigned>(address & 3) * 8;
    return shift == 0 ? words[0] : __funnelshift_r(words[0], words[1], shift);
}

/// The first `bytes` of 16, zeros after them.
__device__ inline void loadBlock(const std::uint8_t* from, std::uint32_t bytes, std::uint32_t (&words)[4]) {
    if (bytes >= 16 && (reinterpret_cast<std::uintptr_t>(from) & 15) == 0) {
        uint4 block = *reinterpret_cast<const uint4*>(from);
        words[0] = block.x;
        words[1] = block.y;
        words[2] = block.z;
        words[3] = block.w;
        return;
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        words[i] = 0;
        if (bytes >= 4 * (i + 1U)) {
            words[i] = loadWord(from + 4 * i);
        } else {
            for (std::uint32_t byte = 4 * i; byte < bytes; byte++) {
                words[i] |= static_cast<std::uint32_t>(from[byte]) << (8 * (byte - 4 * i));
            }
        }
    }
}

__device__ inline void storeBlock(std::uint8_t* to, std::uint32_t bytes, const std::uint32_t (&words)[4]) {
    auto address = reinterpret_cast<std::uintptr_t>(to);
    if (bytes >= 16 && (address & 15) == 0) {
        *reinterpret_cast<uint4*>(to) = make_uint4(words[0], words[1], words[2], words[3]);
        return;
    }
    if (bytes >= 16 && (address & 3) == 0) {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            reinterpret_cast<std::uint32_t*>(to)[i] = words[i];
        }
        return;
    }
#pragma unroll
    for (std::uint32_t byte = 0; byte < 16; byte++) {
        if (byte < bytes) to[byte] = static_cast<std::uint8_t>(words[byte / 4] >> (8 * (byte % 4)));
    }
}

/// From little-endian to big-endian, or back.
__device__ inline std::uint32_t swapped(std::uint32_t word) {
    return __byte_perm(word, 0, 0x0123);
}

}  // namespace shredder::crypto
