// SPDX-License-Identifier: Apache-2.0
#pragma once

// Include only in files compiled with -mavx512f -mavx512bw.
#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace shredder {

/// The Vector of sliced_scan.h with 64 lanes. Products gives Product, Split and split, and makes each file's
/// instance a type of its own.
template <typename Products>
struct Avx512Vector : Products {
    using Bytes = __m512i;
    using Mask = std::uint64_t;
    static constexpr std::size_t kLanes = 64;

    static constexpr bool kFewRegisters = false;

    static Bytes zero() { return _mm512_setzero_si512(); }
    static Bytes same(std::uint8_t byte) { return _mm512_set1_epi8(static_cast<char>(byte)); }
    static void store(void* to, Bytes a) { _mm512_storeu_si512(to, a); }
    static Bytes both(Bytes a, Bytes b) { return _mm512_xor_si512(a, b); }
    static Bytes twice(Bytes a) { return _mm512_add_epi8(a, a); }
    template <int ElementBytes>
    static Bytes unpackLow(Bytes a, Bytes b) {
        if constexpr (ElementBytes == 1) return _mm512_unpacklo_epi8(a, b);
        if constexpr (ElementBytes == 2) return _mm512_unpacklo_epi16(a, b);
        if constexpr (ElementBytes == 4) return _mm512_unpacklo_epi32(a, b);
        if constexpr (ElementBytes == 8) return _mm512_unpacklo_epi64(a, b);
    }
    template <int ElementBytes>
    static Bytes unpackHigh(Bytes a, Bytes b) {
        if constexpr (ElementBytes == 1) return _mm512_unpackhi_epi8(a, b);
        if constexpr (ElementBytes == 2) return _mm512_unpackhi_epi16(a, b);
        if constexpr (ElementBytes == 4) return _mm512_unpackhi_epi32(a, b);
        if constexpr (ElementBytes == 8) return _mm512_unpackhi_epi64(a, b);
    }

    // The last argument of the three-way operations is their truth table.
    static Bytes all(Bytes a, Bytes b, Bytes c) { return _mm512_ternarylogic_epi64(a, b, c, 0x96); }
    static Bytes common(Bytes a, Bytes b) { return _mm512_and_si512(a, b); }
    static Bytes either(Bytes a, Bytes b) { return _mm512_or_si512(a, b); }
    static Bytes differenceUnder(Bytes a, Bytes b, Bytes mask) {
        return _mm512_ternarylogic_epi64(a, b, mask, 0x28);
    }
    static Bytes differenceOr(Bytes a, Bytes b, Bytes c) { return _mm512_ternarylogic_epi64(a, b, c, 0xBE); }

    static Mask zeroBytes(Bytes a) { return _mm512_testn_epi8_mask(a, a); }
    static Mask topBits(Bytes a) { return _mm512_movepi8_mask(a); }

    static Bytes loadRow(const std::uint8_t* data, std::size_t stretch) {
        Bytes row = _mm512_castsi128_si512(load16(data));
        row = _mm512_mask_broadcast_i32x4(row, 0x00F0, load16(data + 16 * stretch));
        row = _mm512_mask_broadcast_i32x4(row, 0x0F00, load16(data + 32 * stretch));
        return _mm512_mask_broadcast_i32x4(row, 0xF000, load16(data + 48 * stretch));
    }

    static unsigned nonZero(const Mask* eight) {
        __m512i masks = _mm512_loadu_si512(eight);
        return _mm512_test_epi64_mask(masks, masks);
    }

    static Bytes gatherBytes(const Mask* eight) {
        // Of each pair of masks, pair up the bytes; then bring the four pairs of each byte together.
        const __m512i pairUp =
            _mm512_broadcast_i32x4(_mm_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15));
        __m512i pairs = _mm512_shuffle_epi8(_mm512_loadu_si512(eight), pairUp);
        const __m512i together = _mm512_set_epi16(31, 23, 15, 7, 30, 22, 14, 6, 29, 21, 13, 5, 28, 20, 12, 4,
                                                  27, 19, 11, 3, 26, 18, 10, 2, 25, 17, 9, 1, 24, 16, 8, 0);
        return _mm512_permutexvar_epi16(together, pairs);
    }

  private:
    static __m128i load16(const std::uint8_t* at) {
        return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    }
};

}  // namespace shredder
