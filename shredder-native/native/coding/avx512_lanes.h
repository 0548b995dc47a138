// SPDX-License-Identifier: Apache-2.0
#pragma once

// Include only in files compiled with -mavx512f -mavx512bw.
#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace shredder::coding {

/// The Lanes of combine_lanes.h with 64 bytes. Products gives the products, and makes each file's instance a
/// type of its own.
template <typename Products>
struct Avx512Lanes : Products {
    using Bytes = __m512i;
    static constexpr std::size_t kBytes = 64;
    static constexpr std::size_t kRegisters = 32;

    static Bytes zero() { return _mm512_setzero_si512(); }
    static Bytes sum(Bytes a, Bytes b) { return _mm512_xor_si512(a, b); }
    static Bytes load(const std::uint8_t* from) { return _mm512_loadu_si512(from); }
    static void store(std::uint8_t* to, Bytes bytes) { _mm512_storeu_si512(to, bytes); }
    static Bytes loadPart(const std::uint8_t* from, std::size_t count) {
        return _mm512_maskz_loadu_epi8(first(count), from);
    }
    static void storePart(std::uint8_t* to, Bytes bytes, std::size_t count) {
        _mm512_mask_storeu_epi8(to, first(count), bytes);
    }

  private:
    static __mmask64 first(std::size_t count) { return (__mmask64{1} << count) - 1; }
};

}  // namespace shredder::coding
