// SPDX-License-Identifier: Apache-2.0
#pragma once

// Include only in files compiled with -mavx2.
#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace shredder {

/// Words of sha256_lanes.h and blake3_lanes.h: a 32-bit word of each of eight messages.
struct Avx2Words {
    using Words = __m256i;
    static constexpr std::size_t kLanes = 8;

    static Words same(std::uint32_t word) { return _mm256_set1_epi32(static_cast<int>(word)); }
    static Words load(const std::uint32_t* from) {
        return _mm256_load_si256(reinterpret_cast<const __m256i*>(from));
    }
    static void store(std::uint32_t* to, Words a) { _mm256_store_si256(reinterpret_cast<__m256i*>(to), a); }
    static Words add(Words a, Words b) { return _mm256_add_epi32(a, b); }
    static Words both(Words a, Words b) { return _mm256_xor_si256(a, b); }
    template <int Count>
    static Words rotateRight(Words a) {
        if constexpr (Count == 16 || Count == 8) return _mm256_shuffle_epi8(a, rotation<Count / 8>());
        return _mm256_or_si256(_mm256_srli_epi32(a, Count), _mm256_slli_epi32(a, 32 - Count));
    }
    template <int Count>
    static Words shiftRight(Words a) {
        return _mm256_srli_epi32(a, Count);
    }

    static Words all(Words a, Words b, Words c) { return both(both(a, b), c); }
    /// Each bit of a chooses that of b (1) or of c (0).
    static Words choose(Words a, Words b, Words c) { return both(_mm256_and_si256(both(b, c), a), c); }
    static Words majority(Words a, Words b, Words c) {
        return _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(_mm256_or_si256(a, b), c));
    }

    static Words swapBytes(Words a) {
        return _mm256_shuffle_epi8(a, _mm256_broadcastsi128_si256(_mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11,
                                                                                10, 9, 8, 15, 14, 13, 12)));
    }

    /// word[i] gets word i, as stored, of the 64 bytes at each of at[0 .. 7].
    static void loadBlocks(const std::uint8_t* const* at, Words (&word)[16]) {
        loadHalf(at, 0, word);
        loadHalf(at, 32, word + 8);
    }

  private:
    /// Byte i of a word comes from its byte i + Bytes.
    template <int Bytes>
    static Words rotation() {
        return _mm256_broadcastsi128_si256(
            _mm_setr_epi8(Bytes, (1 + Bytes) % 4, (2 + Bytes) % 4, (3 + Bytes) % 4, 4 + Bytes,
                          4 + (1 + Bytes) % 4, 4 + (2 + Bytes) % 4, 4 + (3 + Bytes) % 4, 8 + Bytes,
                          8 + (1 + Bytes) % 4, 8 + (2 + Bytes) % 4, 8 + (3 + Bytes) % 4, 12 + Bytes,
                          12 + (1 + Bytes) % 4, 12 + (2 + Bytes) % 4, 12 + (3 + Bytes) % 4));
    }

    /// The eight words from byte `offset` on.
    static void loadHalf(const std::uint8_t* const* at, std::size_t offset, Words* word) {
        Words row[8];
        Words pair[8];
        for (std::size_t lane = 0; lane < kLanes; lane++) {
            row[lane] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at[lane] + offset));
        }
        for (std::size_t i = 0; i < 8; i += 2) {
            pair[i] = _mm256_unpacklo_epi32(row[i], row[i + 1]);
            pair[i + 1] = _mm256_unpackhi_epi32(row[i], row[i + 1]);
        }
        for (std::size_t i = 0; i < 8; i += 4) {
            row[i] = _mm256_unpacklo_epi64(pair[i], pair[i + 2]);
            row[i + 1] = _mm256_unpackhi_epi64(pair[i], pair[i + 2]);
            row[i + 2] = _mm256_unpacklo_epi64(pair[i + 1], pair[i + 3]);
            row[i + 3] = _mm256_unpackhi_epi64(pair[i + 1], pair[i + 3]);
        }
        // Now row[4q + j] holds words j and j + 4 of lanes 4q .. 4q + 3.
        for (std::size_t j = 0; j < 4; j++) {
            word[j] = _mm256_permute2x128_si256(row[j], row[4 + j], 0x20);
            word[4 + j] = _mm256_permute2x128_si256(row[j], row[4 + j], 0x31);
        }
    }
};

}  // namespace shredder
