// SPDX-License-Identifier: Apache-2.0
#pragma once

// Include only in files compiled with -mavx512f -mavx512bw.
#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace shredder {

/// Words of sha256_lanes.h and blake3_lanes.h: a 32-bit word of each of sixteen messages.
struct Avx512Words {
    using Words = __m512i;
    static constexpr std::size_t kLanes = 16;

    static Words same(std::uint32_t word) { return _mm512_set1_epi32(static_cast<int>(word)); }
    static Words load(const std::uint32_t* from) { return _mm512_load_si512(from); }
    static void store(std::uint32_t* to, Words a) { _mm512_store_si512(to, a); }
    static Words add(Words a, Words b) { return _mm512_add_epi32(a, b); }
    static Words both(Words a, Words b) { return _mm512_xor_si512(a, b); }
    template <int Count>
    static Words rotateRight(Words a) {
        return _mm512_ror_epi32(a, Count);
    }
    template <int Count>
    static Words shiftRight(Words a) {
        return _mm512_srli_epi32(a, Count);
    }

    // The last argument of the three-way operations is their truth table.
    static Words all(Words a, Words b, Words c) { return _mm512_ternarylogic_epi32(a, b, c, 0x96); }
    /// Each bit of a chooses that of b (1) or of c (0).
    static Words choose(Words a, Words b, Words c) { return _mm512_ternarylogic_epi32(a, b, c, 0xCA); }
    static Words majority(Words a, Words b, Words c) { return _mm512_ternarylogic_epi32(a, b, c, 0xE8); }

    static Words swapBytes(Words a) {
        const __m512i order = _mm512_set4_epi32(0x0C0D0E0F, 0x08090A0B, 0x04050607, 0x00010203);
        return _mm512_shuffle_epi8(a, order);
    }

    /// word[i] gets word i, as stored, of the 64 bytes at each of at[0 .. 15].
    static void loadBlocks(const std::uint8_t* const* at, Words (&word)[16]) {
        Words t[16];
        for (std::size_t lane = 0; lane < kLanes; lane++) {
            word[lane] = _mm512_loadu_si512(at[lane]);
        }
        for (std::size_t i = 0; i < 16; i += 2) {
            t[i] = _mm512_unpacklo_epi32(word[i], word[i + 1]);
            t[i + 1] = _mm512_unpackhi_epi32(word[i], word[i + 1]);
        }
        for (std::size_t i = 0; i < 16; i += 4) {
            word[i] = _mm512_unpacklo_epi64(t[i], t[i + 2]);
            word[i + 1] = _mm512_unpackhi_epi64(t[i], t[i + 2]);
            word[i + 2] = _mm512_unpacklo_epi64(t[i + 1], t[i + 3]);
            word[i + 3] = _mm512_unpackhi_epi64(t[i + 1], t[i + 3]);
        }
        // Now word[4q + j] holds words j, j + 4, j + 8, j + 12 of lanes 4q .. 4q + 3, one word a 128-bit
        // part.
        for (std::size_t j = 0; j < 4; j++) {
            Words lowHalf = _mm512_shuffle_i32x4(word[j], word[4 + j], 0x88);
            Words highHalf = _mm512_shuffle_i32x4(word[8 + j], word[12 + j], 0x88);
            Words lowHalfOdd = _mm512_shuffle_i32x4(word[j], word[4 + j], 0xDD);
            Words highHalfOdd = _mm512_shuffle_i32x4(word[8 + j], word[12 + j], 0xDD);
            t[j] = _mm512_shuffle_i32x4(lowHalf, highHalf, 0x88);
            t[8 + j] = _mm512_shuffle_i32x4(lowHalf, highHalf, 0xDD);
            t[4 + j] = _mm512_shuffle_i32x4(lowHalfOdd, highHalfOdd, 0x88);
            t[12 + j] = _mm512_shuffle_i32x4(lowHalfOdd, highHalfOdd, 0xDD);
        }
        for (std::size_t i = 0; i < 16; i++) {
            word[i] = t[i];
        }
    }
};

}  // namespace shredder
