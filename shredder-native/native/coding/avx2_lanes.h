// SPDX-License-Identifier: Apache-2.0
#pragma once

// Include only in files compiled with -mavx2.
#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace shredder::coding {

/// The Lanes of combine_lanes.h with 32 bytes. Products gives the products, and makes each file's instance a
/// type of its own.
template <typename Products>
struct Avx2Lanes : Products {
    using Bytes = __m256i;
    static constexpr std::size_t kBytes = 32;
    static constexpr std::size_t kRegisters = 16;

    static Bytes zero() { return _mm256_setzero_si256(); }
    static Bytes sum(Bytes a, Bytes b) { return _mm256_xor_si256(a, b); }
    static Bytes load(const std::uint8_t* from) {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    }
    static void store(std::uint8_t* to, Bytes bytes) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), bytes);
    }
    static Bytes loadPart(const std::uint8_t* from, std::size_t count) {
        alignas(kBytes) std::uint8_t whole[kBytes] = {};
        std::memcpy(whole, from, count);
        return load(whole);
    }
    static void storePart(std::uint8_t* to, Bytes bytes, std::size_t count) {
        alignas(kBytes) std::uint8_t whole[kBytes];
        store(whole, bytes);
        std::memcpy(to, whole, count);
    }
};

}  // namespace shredder::coding
