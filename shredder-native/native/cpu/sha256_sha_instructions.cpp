// SPDX-License-Identifier: Apache-2.0
//
// SHA-256 with the x86 SHA extensions. The instructions keep the state as two registers, ABEF and CDGH,
// highest word first; sha256rnds2 does two rounds, sha256msg1 and sha256msg2 expand the message four words at
// a time.
#include <immintrin.h>

#include "chunk/sha256_constants.h"
#include "cpu/sha256.h"

namespace shredder {
namespace {

alignas(16) constexpr std::uint32_t kRound[64] = {SHREDDER_SHA256_ROUND_CONSTANTS};

struct State {
    __m128i abef;
    __m128i cdgh;
};

State loadState(const std::uint32_t state[8]) {
    __m128i dcba = _mm_loadu_si128(reinterpret_cast<const __m128i*>(state));
    __m128i hgfe = _mm_loadu_si128(reinterpret_cast<const __m128i*>(state + 4));
    __m128i cdab = _mm_shuffle_epi32(dcba, 0xB1);
    __m128i efgh = _mm_shuffle_epi32(hgfe, 0x1B);
    return {_mm_alignr_epi8(cdab, efgh, 8), _mm_blend_epi16(efgh, cdab, 0xF0)};
}

void storeState(const State& s, std::uint32_t state[8]) {
    __m128i feba = _mm_shuffle_epi32(s.abef, 0x1B);
    __m128i dchg = _mm_shuffle_epi32(s.cdgh, 0xB1);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(state), _mm_blend_epi16(feba, dchg, 0xF0));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

/// Rounds 4 * group .. 4 * group + 3 with the four message words w.
inline void fourRounds(State& s, __m128i w, std::size_t group) {
    __m128i wk = _mm_add_epi32(w, _mm_load_si128(reinterpret_cast<const __m128i*>(kRound + 4 * group)));
    s.cdgh = _mm_sha256rnds2_epu32(s.cdgh, s.abef, wk);
    s.abef = _mm_sha256rnds2_epu32(s.abef, s.cdgh, _mm_shuffle_epi32(wk, 0x0E));
}

/// The four message words that follow the sixteen in w0 .. w3.
inline __m128i nextWords(__m128i w0, __m128i w1, __m128i w2, __m128i w3) {
    __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8(w3, w2, 4));
    return _mm_sha256msg2_epu32(sum, w3);
}

void compressBlock(State& s, const std::uint8_t* block) {
    const __m128i byteSwap = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
    __m128i w[4];
    for (std::size_t i = 0; i < 4; i++) {
        w[i] = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(block) + i), byteSwap);
        fourRounds(s, w[i], i);
    }
#pragma GCC unroll 12
    for (std::size_t group = 4; group < 16; group++) {
        __m128i words = nextWords(w[0], w[1], w[2], w[3]);
        fourRounds(s, words, group);
        w[0] = w[1];
        w[1] = w[2];
        w[2] = w[3];
        w[3] = words;
    }
}

}  // namespace

void sha256CompressShaInstructions(std::uint32_t state[8], const std::uint8_t* data, std::size_t blocks) {
    State s = loadState(state);
    for (; blocks > 0; blocks--, data += kSha256BlockBytes) {
        State before = s;
        compressBlock(s, data);
        s.abef = _mm_add_epi32(s.abef, before.abef);
        s.cdgh = _mm_add_epi32(s.cdgh, before.cdgh);
    }
    storeState(s, state);
}

}  // namespace shredder
