// SPDX-License-Identifier: Apache-2.0
#pragma once

// SHA-256 of many messages side by side: word i of the state and of the blocks of all of a form's messages
// lies in one vector, so the rounds are FIPS 180-4's, section 6.2.2, word for word, many times at once. Which
// message is in which lane: sha256_packing.cpp.
//
// A file per instruction set instantiates Sha256Lanes with its Vector: avx2_words.h, avx512_words.h.
#include <cstddef>
#include <cstdint>

#include "chunk/sha256_constants.h"
#include "cpu/sha256.h"
#include "cpu/sha256_packing.h"

namespace shredder {

template <typename Vector>
class Sha256Lanes {
    using Words = typename Vector::Words;

  public:
    static void compress(Sha256LaneStates& states, const std::uint8_t** at, std::size_t blocks) {
        Words state[kSha256StateWords];
        for (std::size_t i = 0; i < kSha256StateWords; i++) {
            state[i] = Vector::load(states.word[i]);
        }
        for (std::size_t block = 0; block < blocks; block++) {
            for (std::size_t lane = 0; lane < Vector::kLanes; lane++) {
                __builtin_prefetch(at[lane] + kSha256PrefetchBytes);
            }
            Words w[16];
            Vector::loadBlocks(at, w);
            for (Words& word : w) {
                word = Vector::swapBytes(word);
            }
            foldBlock(state, w);
            for (std::size_t lane = 0; lane < Vector::kLanes; lane++) {
                at[lane] += kSha256BlockBytes;
            }
        }
        for (std::size_t i = 0; i < kSha256StateWords; i++) {
            Vector::store(states.word[i], state[i]);
        }
    }

  private:
    template <int A, int B, int C>
    static Words bigSigma(Words x) {
        return Vector::all(Vector::template rotateRight<A>(x), Vector::template rotateRight<B>(x),
                           Vector::template rotateRight<C>(x));
    }

    template <int A, int B, int Shift>
    static Words smallSigma(Words x) {
        return Vector::all(Vector::template rotateRight<A>(x), Vector::template rotateRight<B>(x),
                           Vector::template shiftRight<Shift>(x));
    }

    static Words add(Words a, Words b) { return Vector::add(a, b); }

    /// The rounds of one block a lane.
    static void foldBlock(Words (&state)[kSha256StateWords], Words (&w)[16]) {
        static constexpr std::uint32_t kRoundConstants[64] = {SHREDDER_SHA256_ROUND_CONSTANTS};
        Words a = state[0], b = state[1], c = state[2], d = state[3];
        Words e = state[4], f = state[5], g = state[6], h = state[7];
#pragma GCC unroll 64
        for (int round = 0; round < 64; round++) {
            Words& word = w[round % 16];
            if (round >= 16) {
                Words early = add(word, smallSigma<7, 18, 3>(w[(round + 1) % 16]));
                word = add(early, add(w[(round + 9) % 16], smallSigma<17, 19, 10>(w[(round + 14) % 16])));
            }
            Words choice = Vector::choose(e, f, g);
            Words t1 = add(add(h, bigSigma<6, 11, 25>(e)),
                           add(choice, add(word, Vector::same(kRoundConstants[round]))));
            Words t2 = add(bigSigma<2, 13, 22>(a), Vector::majority(a, b, c));
            h = g;
            g = f;
            f = e;
            e = add(d, t1);
            d = c;
            c = b;
            b = a;
            a = add(t1, t2);
        }
        const Words folded[kSha256StateWords] = {a, b, c, d, e, f, g, h};
        for (std::size_t i = 0; i < kSha256StateWords; i++) {
            state[i] = add(state[i], folded[i]);
        }
    }
};

}  // namespace shredder
