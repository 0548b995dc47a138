// SPDX-License-Identifier: Apache-2.0
//
// SHA-256 with the x86 SHA extensions. The instructions keep the state as two registers, ABEF and CDGH,
// highest word first; sha256rnds2 does two rounds, sha256msg1 and sha256msg2 expand the message four words at
// a time.
//
// Every sha256rnds2 needs the result of the one before: that takes four cycles on most CPUs, but another can
// begin after two. So several messages go through the rounds together, each step of all before the next step
// of one. Two would be enough to fill the unit if none ever came late; four do fill it.
#include <immintrin.h>

#include "chunk/sha256_constants.h"
#include "cpu/sha256.h"
#include "cpu/sha256_packing.h"

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

/// The four message words that follow the sixteen in w0 .. w3.
inline __m128i nextWords(__m128i w0, __m128i w1, __m128i w2, __m128i w3) {
    __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8(w3, w2, 4));
    return _mm_sha256msg2_epu32(sum, w3);
}

/// Folds one block of each of Count messages, those at data[0 .. Count - 1], into their states.
template <std::size_t Count>
[[gnu::always_inline]] inline void compressBlock(State (&s)[Count], const std::uint8_t* const* data) {
    const __m128i byteSwap = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
    __m128i w[Count][4];
#pragma GCC unroll 16
    for (std::size_t group = 0; group < 16; group++) {  // of four rounds
        const __m128i k = _mm_load_si128(reinterpret_cast<const __m128i*>(kRound) + group);
        __m128i wk[Count];
#pragma GCC unroll 4
        for (std::size_t m = 0; m < Count; m++) {
            __m128i& words = w[m][group % 4];
            if (group < 4) {
                words = _mm_loadu_si128(reinterpret_cast<const __m128i*>(data[m]) + group);
                words = _mm_shuffle_epi8(words, byteSwap);
            } else {
                words = nextWords(words, w[m][(group + 1) % 4], w[m][(group + 2) % 4], w[m][(group + 3) % 4]);
            }
            wk[m] = _mm_add_epi32(words, k);
        }
#pragma GCC unroll 4
        for (std::size_t m = 0; m < Count; m++) {
            s[m].cdgh = _mm_sha256rnds2_epu32(s[m].cdgh, s[m].abef, wk[m]);
        }
#pragma GCC unroll 4
        for (std::size_t m = 0; m < Count; m++) {
            s[m].abef = _mm_sha256rnds2_epu32(s[m].abef, s[m].cdgh, _mm_shuffle_epi32(wk[m], 0x0E));
        }
    }
}

/// Folds `blocks` blocks of each message; data[m] moves behind them.
template <std::size_t Count>
[[gnu::always_inline]] inline void compress(State (&s)[Count], const std::uint8_t** data,
                                            std::size_t blocks) {
    for (; blocks > 0; blocks--) {
        State before[Count];
        for (std::size_t m = 0; m < Count; m++) {
            before[m] = s[m];
            __builtin_prefetch(data[m] + kSha256PrefetchBytes);
        }
        compressBlock(s, data);
        for (std::size_t m = 0; m < Count; m++) {
            s[m].abef = _mm_add_epi32(s[m].abef, before[m].abef);
            s[m].cdgh = _mm_add_epi32(s[m].cdgh, before[m].cdgh);
            data[m] += kSha256BlockBytes;
        }
    }
}

/// Sha256LaneForm::compress of Count lanes.
template <std::size_t Count>
void compressLanes(Sha256LaneStates& states, const std::uint8_t** at, std::size_t blocks) {
    std::uint32_t words[kSha256StateWords];
    State s[Count];
    for (std::size_t lane = 0; lane < Count; lane++) {
        states.load(lane, words);
        s[lane] = loadState(words);
    }
    compress(s, at, blocks);
    for (std::size_t lane = 0; lane < Count; lane++) {
        storeState(s[lane], words);
        states.store(lane, words);
    }
}

constexpr Sha256LaneForm kOne{
    .lanes = 1, .worthwhileLanes = 1, .compress = compressLanes<1>, .rest = nullptr};
constexpr Sha256LaneForm kTwo{.lanes = 2, .worthwhileLanes = 2, .compress = compressLanes<2>, .rest = &kOne};

}  // namespace

void sha256CompressShaInstructions(std::uint32_t state[8], const std::uint8_t* data, std::size_t blocks) {
    State s[1] = {loadState(state)};
    compress(s, &data, blocks);
    storeState(s[0], state);
}

constinit const Sha256LaneForm kSha256ShaInstructions{
    .lanes = 4, .worthwhileLanes = 4, .compress = compressLanes<4>, .rest = &kTwo};

void sha256ManyShaInstructions(const DigestMessage* messages, std::size_t count) {
    sha256ManyPacked(kSha256ShaInstructions, messages, count);
}

}  // namespace shredder
