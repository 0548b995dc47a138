// SPDX-License-Identifier: Apache-2.0
#pragma once

// Include only in files compiled with -mavx2.
#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace shredder {

/// The Vector of sliced_scan.h with 32 lanes. Products gives Product, Split and split, and makes each file's
/// instance a type of its own.
template <typename Products>
struct Avx2Vector : Products {
    using Bytes = __m256i;
    using Mask = std::uint32_t;
    static constexpr std::size_t kLanes = 32;

    static constexpr bool kFewRegisters = true;

    static Bytes zero() { return _mm256_setzero_si256(); }
    static Bytes same(std::uint8_t byte) { return _mm256_set1_epi8(static_cast<char>(byte)); }
    static void store(void* to, Bytes a) { _mm256_storeu_si256(static_cast<__m256i*>(to), a); }
    static Bytes both(Bytes a, Bytes b) { return _mm256_xor_si256(a, b); }
    static Bytes all(Bytes a, Bytes b, Bytes c) { return both(both(a, b), c); }
    static Bytes twice(Bytes a) { return _mm256_add_epi8(a, a); }
    template <int ElementBytes>
    static Bytes unpackLow(Bytes a, Bytes b) {
        if constexpr (ElementBytes == 1) return _mm256_unpacklo_epi8(a, b);
        if constexpr (ElementBytes == 2) return _mm256_unpacklo_epi16(a, b);
        if constexpr (ElementBytes == 4) return _mm256_unpacklo_epi32(a, b);
        if constexpr (ElementBytes == 8) return _mm256_unpacklo_epi64(a, b);
    }
    template <int ElementBytes>
    static Bytes unpackHigh(Bytes a, Bytes b) {
        if constexpr (ElementBytes == 1) return _mm256_unpackhi_epi8(a, b);
        if constexpr (ElementBytes == 2) return _mm256_unpackhi_epi16(a, b);
        if constexpr (ElementBytes == 4) return _mm256_unpackhi_epi32(a, b);
        if constexpr (ElementBytes == 8) return _mm256_unpackhi_epi64(a, b);
    }
    static Bytes common(Bytes a, Bytes b) { return _mm256_and_si256(a, b); }
    static Bytes either(Bytes a, Bytes b) { return _mm256_or_si256(a, b); }
    static Bytes differenceUnder(Bytes a, Bytes b, Bytes mask) { return _mm256_and_si256(both(a, b), mask); }
    static Bytes differenceOr(Bytes a, Bytes b, Bytes c) { return _mm256_or_si256(both(a, b), c); }

    static Mask zeroBytes(Bytes a) { return topBits(_mm256_cmpeq_epi8(a, zero())); }
    static Mask topBits(Bytes a) { return static_cast<Mask>(_mm256_movemask_epi8(a)); }

    static Bytes loadRow(const std::uint8_t* data, std::size_t stretch) {
        const auto* low = reinterpret_cast<const __m128i*>(data);
        const auto* high = reinterpret_cast<const __m128i*>(data + 16 * stretch);
        return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(low)), _mm_loadu_si128(high),
                                       1);
    }

    static unsigned nonZero(const Mask* eight) {
        __m256i zeros = _mm256_cmpeq_epi32(loadMasks(eight), zero());
        return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(zeros))) ^ 0xFF;
    }

    static Bytes gatherBytes(const Mask* eight) {
        // Of each four masks, bring equal bytes together; then those of both fours.
        const __m256i transposeFour =
            _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
        __m256i fours = _mm256_shuffle_epi8(loadMasks(eight), transposeFour);
        return _mm256_permutevar8x32_epi32(fours, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
    }

  private:
    static __m256i loadMasks(const Mask* eight) {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(eight));
    }
};

}  // namespace shredder
