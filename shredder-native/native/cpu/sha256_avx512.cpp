// SPDX-License-Identifier: Apache-2.0
//
// SHA-256 of many messages side by side: word i of sixteen messages' blocks lies in one AVX-512 register, so
// the rounds are FIPS 180-4's, section 6.2.2, word for word, sixteen times at once. A lane whose message has
// ended takes the next one; the longest come first, so that the lanes end together. When too few are left to
// fill the lanes, they are finished one by one, from the state that they have reached, by the form for one.
#include <immintrin.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "chunk/sha256_constants.h"
#include "cpu/sha256.h"

namespace shredder {
namespace {

constexpr std::size_t kLanes = 16;
constexpr std::size_t kWords = 8;
/// With fewer messages than this, one after the other with SHA instructions is faster.
constexpr std::size_t kWorthwhileLanes = 8;

constexpr std::uint32_t kRoundConstants[64] = {SHREDDER_SHA256_ROUND_CONSTANTS};

struct LaneStates {
    alignas(64) std::uint32_t word[kWords][kLanes];
};

__m512i exclusiveOr3(__m512i a, __m512i b, __m512i c) {
    return _mm512_ternarylogic_epi32(a, b, c, 0x96);
}

template <int A, int B, int C>
__m512i bigSigma(__m512i x) {
    return exclusiveOr3(_mm512_ror_epi32(x, A), _mm512_ror_epi32(x, B), _mm512_ror_epi32(x, C));
}

template <int A, int B, int Shift>
__m512i smallSigma(__m512i x) {
    return exclusiveOr3(_mm512_ror_epi32(x, A), _mm512_ror_epi32(x, B), _mm512_srli_epi32(x, Shift));
}

__m512i add(__m512i a, __m512i b) {
    return _mm512_add_epi32(a, b);
}

/// Turns sixteen registers, one message's block each, into sixteen that hold one word of every message.
void transpose(__m512i (&w)[kLanes]) {
    __m512i t[kLanes];
    for (std::size_t i = 0; i < kLanes; i += 2) {
        t[i] = _mm512_unpacklo_epi32(w[i], w[i + 1]);
        t[i + 1] = _mm512_unpackhi_epi32(w[i], w[i + 1]);
    }
    for (std::size_t i = 0; i < kLanes; i += 4) {
        w[i] = _mm512_unpacklo_epi64(t[i], t[i + 2]);
        w[i + 1] = _mm512_unpackhi_epi64(t[i], t[i + 2]);
        w[i + 2] = _mm512_unpacklo_epi64(t[i + 1], t[i + 3]);
        w[i + 3] = _mm512_unpackhi_epi64(t[i + 1], t[i + 3]);
    }
    // Now w[4q + j] holds words j, j + 4, j + 8, j + 12 of messages 4q .. 4q + 3, one word a 128-bit lane.
    for (std::size_t j = 0; j < 4; j++) {
        __m512i lowHalf = _mm512_shuffle_i32x4(w[j], w[4 + j], 0x88);
        __m512i highHalf = _mm512_shuffle_i32x4(w[8 + j], w[12 + j], 0x88);
        __m512i lowHalfOdd = _mm512_shuffle_i32x4(w[j], w[4 + j], 0xDD);
        __m512i highHalfOdd = _mm512_shuffle_i32x4(w[8 + j], w[12 + j], 0xDD);
        t[j] = _mm512_shuffle_i32x4(lowHalf, highHalf, 0x88);
        t[8 + j] = _mm512_shuffle_i32x4(lowHalf, highHalf, 0xDD);
        t[4 + j] = _mm512_shuffle_i32x4(lowHalfOdd, highHalfOdd, 0x88);
        t[12 + j] = _mm512_shuffle_i32x4(lowHalfOdd, highHalfOdd, 0xDD);
    }
    std::copy(t, t + kLanes, w);
}

void loadBlocks(const std::uint8_t* const (&at)[kLanes], __m512i (&w)[kLanes]) {
    const __m512i bigEndian = _mm512_set4_epi32(0x0C0D0E0F, 0x08090A0B, 0x04050607, 0x00010203);
    for (std::size_t lane = 0; lane < kLanes; lane++) {
        w[lane] = _mm512_loadu_si512(at[lane]);
    }
    transpose(w);
    for (__m512i& word : w) {
        word = _mm512_shuffle_epi8(word, bigEndian);
    }
}

/// The rounds of one block a lane.
void foldBlock(__m512i (&state)[kWords], __m512i (&w)[kLanes]) {
    __m512i a = state[0], b = state[1], c = state[2], d = state[3];
    __m512i e = state[4], f = state[5], g = state[6], h = state[7];
#pragma GCC unroll 64
    for (int round = 0; round < 64; round++) {
        __m512i& word = w[round % 16];
        if (round >= 16) {
            __m512i early = add(word, smallSigma<7, 18, 3>(w[(round + 1) % 16]));
            word = add(early, add(w[(round + 9) % 16], smallSigma<17, 19, 10>(w[(round + 14) % 16])));
        }
        __m512i constant = _mm512_set1_epi32(static_cast<int>(kRoundConstants[round]));
        __m512i choice = _mm512_ternarylogic_epi32(e, f, g, 0xCA);
        __m512i majority = _mm512_ternarylogic_epi32(a, b, c, 0xE8);
        __m512i t1 = add(add(h, bigSigma<6, 11, 25>(e)), add(choice, add(word, constant)));
        __m512i t2 = add(bigSigma<2, 13, 22>(a), majority);
        h = g;
        g = f;
        f = e;
        e = add(d, t1);
        d = c;
        c = b;
        b = a;
        a = add(t1, t2);
    }
    const __m512i folded[kWords] = {a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < kWords; i++) {
        state[i] = add(state[i], folded[i]);
    }
}

/// Folds `blocks` blocks of every lane's message; at moves behind them.
void compress(LaneStates& states, const std::uint8_t* (&at)[kLanes], std::size_t blocks) {
    __m512i state[kWords];
    for (std::size_t i = 0; i < kWords; i++) {
        state[i] = _mm512_load_si512(states.word[i]);
    }
    for (std::size_t block = 0; block < blocks; block++) {
        __m512i w[kLanes];
        loadBlocks(at, w);
        foldBlock(state, w);
        for (const std::uint8_t*& pointer : at) {
            pointer += kSha256BlockBytes;
        }
    }
    for (std::size_t i = 0; i < kWords; i++) {
        _mm512_store_si512(states.word[i], state[i]);
    }
}

/// What a lane works on: first the message's whole blocks, then its padded end.
struct Lane {
    const DigestMessage* message = nullptr;  ///< null: idle
    std::size_t blocks = 0;                  ///< left, of the whole ones or of the end
    bool inEnd = false;
    Sha256End end;
};

class Lanes {
  public:
    Lanes(const DigestMessage* messages, const std::vector<std::size_t>& order)
        : messages_(messages), order_(order) {
        for (std::size_t lane = 0; lane < kLanes; lane++) {
            takeNext(lane);
        }
    }

    void run() {
        while (active_ >= kWorthwhileLanes) {
            std::size_t blocks = fewestBlocks();
            pointIdleLanesSomewhere();
            compress(states_, at_, blocks);
            for (std::size_t lane = 0; lane < kLanes; lane++) {
                if (lanes_[lane].message != nullptr) advance(lane, blocks);
            }
        }
        finishOneByOne();
    }

  private:
    void takeNext(std::size_t index) {
        Lane& lane = lanes_[index];
        lane.message = nullptr;
        if (taken_ == order_.size()) return;
        lane.message = &messages_[order_[taken_++]];
        active_++;
        lane.blocks = lane.message->size / kSha256BlockBytes;
        lane.inEnd = false;
        at_[index] = lane.message->data;
        static constexpr std::uint32_t kInitialState[kWords] = {SHREDDER_SHA256_INITIAL_STATE};
        for (std::size_t i = 0; i < kWords; i++) {
            states_.word[i][index] = kInitialState[i];
        }
        if (lane.blocks == 0) beginEnd(index);
    }

    void beginEnd(std::size_t index) {
        Lane& lane = lanes_[index];
        lane.end = sha256End(*lane.message);
        lane.blocks = lane.end.blocks;
        lane.inEnd = true;
        at_[index] = lane.end.bytes;
    }

    void advance(std::size_t index, std::size_t blocks) {
        Lane& lane = lanes_[index];
        lane.blocks -= blocks;
        if (lane.blocks != 0) return;
        if (!lane.inEnd) {
            beginEnd(index);
            return;
        }
        storeDigest(index);
        active_--;
        takeNext(index);
    }

    std::size_t fewestBlocks() const {
        std::size_t fewest = SIZE_MAX;
        for (const Lane& lane : lanes_) {
            if (lane.message != nullptr) fewest = std::min(fewest, lane.blocks);
        }
        return fewest;
    }

    /// They compute along on bytes that may be read, and nobody looks at the result.
    void pointIdleLanesSomewhere() {
        std::size_t busy = 0;
        while (lanes_[busy].message == nullptr)
            busy++;
        for (std::size_t lane = 0; lane < kLanes; lane++) {
            if (lanes_[lane].message == nullptr) at_[lane] = at_[busy];
        }
    }

    void finishOneByOne() {
        Sha256Compress one = bestSha256Compress();
        for (std::size_t index = 0; index < kLanes; index++) {
            Lane& lane = lanes_[index];
            if (lane.message == nullptr) continue;
            std::uint32_t state[kWords];
            for (std::size_t i = 0; i < kWords; i++) {
                state[i] = states_.word[i][index];
            }
            one(state, at_[index], lane.blocks);
            if (!lane.inEnd) {
                beginEnd(index);
                one(state, at_[index], lane.blocks);
            }
            for (std::size_t i = 0; i < kWords; i++) {
                states_.word[i][index] = state[i];
            }
            storeDigest(index);
        }
    }

    void storeDigest(std::size_t index) {
        std::uint32_t state[kWords];
        for (std::size_t i = 0; i < kWords; i++) {
            state[i] = states_.word[i][index];
        }
        storeSha256(state, lanes_[index].message->digest);
    }

    const DigestMessage* messages_;
    const std::vector<std::size_t>& order_;
    std::size_t taken_ = 0;
    std::size_t active_ = 0;
    LaneStates states_{};
    const std::uint8_t* at_[kLanes] = {};
    Lane lanes_[kLanes];
};

}  // namespace

void sha256ManyAvx512(const DigestMessage* messages, std::size_t count) {
    std::vector<std::size_t> longestFirst(count);
    std::iota(longestFirst.begin(), longestFirst.end(), std::size_t{0});
    std::sort(longestFirst.begin(), longestFirst.end(),
              [&](std::size_t a, std::size_t b) { return messages[a].size > messages[b].size; });
    Lanes(messages, longestFirst).run();
}

}  // namespace shredder
