// SPDX-License-Identifier: Apache-2.0
#pragma once

// BLAKE3's compression (chunk/blake3_compress.h) of many nodes side by side: each word of the state, of the
// chaining value and of the block is a vector with that word of every lane's node, so the rounds are the
// portable form's, word for word. Most nodes are alike: whole leaves, and parents. Of others, lanes whose
// node has fewer blocks than the longest keep their chaining value from their last block on; lanes without a
// node compute along on zeros.
//
// A file per instruction set instantiates Blake3Lanes with its Vector: avx2_words.h, avx512_words.h.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "chunk/blake3_compress.h"
#include "cpu/blake3_nodes.h"

namespace shredder {

template <typename Vector>
class Blake3Lanes {
    using Words = typename Vector::Words;

  public:
    static void compute(const Blake3Node* nodes, std::size_t count) {
        for (; count > kPortableNodes; nodes += kLanes) {
            std::size_t lanes = count < kLanes ? count : kLanes;
            if (lanes == kLanes && areAlike(nodes)) {
                computeAlike(nodes, count >= 2 * kLanes ? nodes + kLanes : nodes);
            } else {
                Blake3Lanes(nodes, lanes).run(nodes, lanes);
            }
            count -= lanes;
        }
        blake3NodesPortable(nodes, count);
    }

  private:
    static constexpr std::size_t kLanes = Vector::kLanes;
    /// So few are faster one after the other.
    static constexpr std::size_t kPortableNodes = 1;
    static constexpr std::uint32_t kPrefetchBlocks = 4;

    /// Whether nothing but data and counters differs among kLanes nodes, which have whole blocks.
    static bool areAlike(const Blake3Node* nodes) {
        for (std::size_t lane = 1; lane < kLanes; lane++) {
            if (nodes[lane].bytes != nodes[0].bytes || nodes[lane].firstFlags != nodes[0].firstFlags ||
                nodes[lane].lastFlags != nodes[0].lastFlags)
                return false;
        }
        return nodes[0].bytes != 0 && nodes[0].bytes % kBlake3BlockBytes == 0;
    }

    /// next: the kLanes nodes whose turn comes then.
    static void computeAlike(const Blake3Node* nodes, const Blake3Node* next) {
        const std::uint8_t* at[kLanes];
        alignas(64) std::uint32_t low[kLanes];
        alignas(64) std::uint32_t high[kLanes];
        for (std::size_t lane = 0; lane < kLanes; lane++) {
            at[lane] = nodes[lane].data;
            low[lane] = static_cast<std::uint32_t>(nodes[lane].counter);
            high[lane] = static_cast<std::uint32_t>(nodes[lane].counter >> 32);
        }
        Words cv[8];
        startValue(cv);
        for (std::uint32_t block = 0, blocks = nodes[0].blocks(); block < blocks; block++) {
            std::uint32_t flags =
                (block == 0 ? nodes[0].firstFlags : 0) | (block + 1 == blocks ? nodes[0].lastFlags : 0);
            prefetch(at, next, block, blocks);
            Words v[16];
            compress(cv, at, low, high, Vector::same(kBlake3BlockBytes), Vector::same(flags), v);
            for (std::size_t i = 0; i < 8; i++) {
                cv[i] = Vector::both(v[i], v[i + 8]);
            }
            for (const std::uint8_t*& data : at) {
                data += kBlake3BlockBytes;
            }
        }
        storeValues(cv, nodes, kLanes);
    }

    /// The lines of a block of all leaves lie too far apart for the CPU to see what comes.
    [[gnu::always_inline]] static void prefetch(const std::uint8_t* const* at, const Blake3Node* next,
                                                std::uint32_t block, std::uint32_t blocks) {
        bool inNext = block + kPrefetchBlocks >= blocks;
        std::size_t offset = std::size_t{kPrefetchBlocks} - (inNext ? blocks - block : 0);
        for (std::size_t lane = 0; lane < kLanes; lane++) {
            __builtin_prefetch((inNext ? next[lane].data : at[lane]) + offset * kBlake3BlockBytes);
        }
    }

    Blake3Lanes(const Blake3Node* nodes, std::size_t lanes) {
        for (std::size_t lane = 0; lane < kLanes; lane++) {
            at_[lane] = lastBlock_[lane];
            if (lane < lanes) place(nodes[lane], lane);
        }
    }

    void place(const Blake3Node& node, std::size_t lane) {
        left_[lane] = node.blocks();
        mostBlocks_ = left_[lane] > mostBlocks_ ? left_[lane] : mostBlocks_;
        std::uint32_t before = (left_[lane] - 1) * kBlake3BlockBytes;
        lastBytes_[lane] = node.bytes - before;
        firstFlags_[lane] = node.firstFlags;
        lastFlags_[lane] = node.lastFlags;
        counterLow_[lane] = static_cast<std::uint32_t>(node.counter);
        counterHigh_[lane] = static_cast<std::uint32_t>(node.counter >> 32);
        if (lastBytes_[lane] != 0) std::memcpy(lastBlock_[lane], node.data + before, lastBytes_[lane]);
        if (left_[lane] > 1) at_[lane] = node.data;
    }

    void run(const Blake3Node* nodes, std::size_t lanes) {
        Words cv[8];
        startValue(cv);
        for (std::uint32_t block = 0; block < mostBlocks_; block++) {
            compressBlock(cv, block == 0);
            nextBlock();
        }
        storeValues(cv, nodes, lanes);
    }

    static void storeValues(const Words (&cv)[8], const Blake3Node* nodes, std::size_t lanes) {
        alignas(64) std::uint32_t words[8][kLanes];
        for (std::size_t i = 0; i < 8; i++) {
            Vector::store(words[i], cv[i]);
        }
        for (std::size_t lane = 0; lane < lanes; lane++) {
            for (std::size_t i = 0; i < 8; i++) {
                nodes[lane].cv[i] = words[i][lane];
            }
        }
    }

    static void startValue(Words* cv) {
        static constexpr std::uint32_t kKey[8] = {SHREDDER_BLAKE3_KEY};
        for (std::size_t i = 0; i < 8; i++) {
            cv[i] = Vector::same(kKey[i]);
        }
    }

    /// One block of every lane that has one left.
    void compressBlock(Words (&cv)[8], bool first) {
        alignas(64) std::uint32_t bytes[kLanes];
        alignas(64) std::uint32_t flags[kLanes];
        alignas(64) std::uint32_t live[kLanes];
        for (std::size_t lane = 0; lane < kLanes; lane++) {
            bool last = left_[lane] == 1;
            bytes[lane] = last ? lastBytes_[lane] : kBlake3BlockBytes;
            flags[lane] = (first ? firstFlags_[lane] : 0) | (last ? lastFlags_[lane] : 0);
            live[lane] = left_[lane] != 0 ? ~0U : 0;
        }
        Words v[16];
        compress(cv, at_, counterLow_, counterHigh_, Vector::load(bytes), Vector::load(flags), v);
        for (std::size_t i = 0; i < 8; i++) {
            cv[i] = Vector::choose(Vector::load(live), Vector::both(v[i], v[i + 8]), cv[i]);
        }
    }

    /// The state after the rounds over a block of every lane.
    static void compress(const Words (&cv)[8], const std::uint8_t* const* at, const std::uint32_t* counterLow,
                         const std::uint32_t* counterHigh, Words bytes, Words flags, Words (&v)[16]) {
        Words m[16];
        Vector::loadBlocks(at, m);
        for (std::size_t i = 0; i < 8; i++) {
            v[i] = cv[i];
        }
        startValue(v + 8);
        v[12] = Vector::load(counterLow);
        v[13] = Vector::load(counterHigh);
        v[14] = bytes;
        v[15] = flags;
        rounds(v, m);
    }

    /// The last block is a copy, zero-padded.
    void nextBlock() {
        for (std::size_t lane = 0; lane < kLanes; lane++) {
            if (left_[lane] == 0) continue;
            left_[lane]--;
            at_[lane] = left_[lane] > 1 ? at_[lane] + kBlake3BlockBytes : lastBlock_[lane];
        }
    }

    static void mix(Words& a, Words& b, Words& c, Words& d, Words x, Words y) {
        a = Vector::add(Vector::add(a, x), b);
        d = Vector::template rotateRight<16>(Vector::both(d, a));
        c = Vector::add(c, d);
        b = Vector::template rotateRight<12>(Vector::both(b, c));
        a = Vector::add(Vector::add(a, y), b);
        d = Vector::template rotateRight<8>(Vector::both(d, a));
        c = Vector::add(c, d);
        b = Vector::template rotateRight<7>(Vector::both(b, c));
    }

    static void rounds(Words (&v)[16], const Words (&m)[16]) {
        // The order of the message words in each round: table 2 of the paper, again and again.
        static constexpr std::uint8_t kOrder[7][16] = {
            {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
            {2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8},
            {3, 4, 10, 12, 13, 2, 7, 14, 6, 5, 9, 0, 11, 15, 8, 1},
            {10, 7, 12, 9, 14, 3, 13, 15, 4, 0, 11, 2, 5, 8, 1, 6},
            {12, 13, 9, 11, 15, 10, 14, 8, 7, 2, 5, 3, 0, 1, 6, 4},
            {9, 14, 11, 5, 8, 12, 15, 1, 13, 3, 0, 10, 2, 6, 4, 7},
            {11, 15, 5, 0, 1, 9, 8, 6, 14, 10, 2, 12, 3, 4, 7, 13}};
#pragma GCC unroll 7
        for (std::size_t round = 0; round < 7; round++) {
            const std::uint8_t* o = kOrder[round];
            mix(v[0], v[4], v[8], v[12], m[o[0]], m[o[1]]);
            mix(v[1], v[5], v[9], v[13], m[o[2]], m[o[3]]);
            mix(v[2], v[6], v[10], v[14], m[o[4]], m[o[5]]);
            mix(v[3], v[7], v[11], v[15], m[o[6]], m[o[7]]);
            mix(v[0], v[5], v[10], v[15], m[o[8]], m[o[9]]);
            mix(v[1], v[6], v[11], v[12], m[o[10]], m[o[11]]);
            mix(v[2], v[7], v[8], v[13], m[o[12]], m[o[13]]);
            mix(v[3], v[4], v[9], v[14], m[o[14]], m[o[15]]);
        }
    }

    const std::uint8_t* at_[kLanes];
    std::uint32_t left_[kLanes] = {};  ///< blocks
    std::uint32_t mostBlocks_ = 0;
    std::uint32_t lastBytes_[kLanes] = {};
    std::uint32_t firstFlags_[kLanes] = {};
    std::uint32_t lastFlags_[kLanes] = {};
    alignas(64) std::uint32_t counterLow_[kLanes] = {};
    alignas(64) std::uint32_t counterHigh_[kLanes] = {};
    std::uint8_t lastBlock_[kLanes][kBlake3BlockBytes] = {};
};

}  // namespace shredder
