// SPDX-License-Identifier: Apache-2.0
#pragma once

// BLAKE3 in its hash mode with 32 bytes of output (O'Connor, Aumasson, Neves, Wilcox-O'Hearn: "BLAKE3: one
// function, fast everywhere", sections 2.1 to 2.5). A message is cut into leaves of 1 KiB (the paper calls
// them chunks, a word that means something else here); each is compressed block by block to a chaining value,
// and a binary tree of parents turns the leaves' chaining values into the root's.
//
// A leaf: blake3Start, then blake3Compress for each of its blocks (at least one, the last zero-padded), with
// the leaf's number as counter and kBlake3LeafStart and kBlake3LeafEnd on its first and last. The message's
// digest is the chaining value of the compression that has kBlake3Root: the only leaf's last block, or the
// topmost parent.
#include <cstdint>

#include "chunk/host_device.h"
#include "chunk/sha256_constants.h"

namespace shredder {

inline constexpr std::uint32_t kBlake3BlockBytes = 64;
inline constexpr std::uint32_t kBlake3LeafBytes = 1024;

/// Domain flags, table 3.
inline constexpr std::uint32_t kBlake3LeafStart = 1;
inline constexpr std::uint32_t kBlake3LeafEnd = 2;
inline constexpr std::uint32_t kBlake3Parent = 4;
inline constexpr std::uint32_t kBlake3Root = 8;

/// The initial chaining value: that of SHA-256.
#define SHREDDER_BLAKE3_KEY SHREDDER_SHA256_INITIAL_STATE

SHREDDER_HOST_DEVICE inline void blake3Start(std::uint32_t (&cv)[8]) {
    const std::uint32_t key[8] = {SHREDDER_BLAKE3_KEY};
    SHREDDER_UNROLL
    for (int i = 0; i < 8; i++) {
        cv[i] = key[i];
    }
}

/// The G function (section 2.2): mixes two message words into a column or a diagonal of the state.
SHREDDER_HOST_DEVICE inline void blake3Mix(std::uint32_t& a, std::uint32_t& b, std::uint32_t& c,
                                           std::uint32_t& d, std::uint32_t x, std::uint32_t y) {
    a += b + x;
    d = rotateRight(d ^ a, 16);
    c += d;
    b = rotateRight(b ^ c, 12);
    a += b + y;
    d = rotateRight(d ^ a, 8);
    c += d;
    b = rotateRight(b ^ c, 7);
}

SHREDDER_HOST_DEVICE inline void blake3Round(std::uint32_t (&v)[16], const std::uint32_t (&m)[16]) {
    blake3Mix(v[0], v[4], v[8], v[12], m[0], m[1]);
    blake3Mix(v[1], v[5], v[9], v[13], m[2], m[3]);
    blake3Mix(v[2], v[6], v[10], v[14], m[4], m[5]);
    blake3Mix(v[3], v[7], v[11], v[15], m[6], m[7]);
    blake3Mix(v[0], v[5], v[10], v[15], m[8], m[9]);
    blake3Mix(v[1], v[6], v[11], v[12], m[10], m[11]);
    blake3Mix(v[2], v[7], v[8], v[13], m[12], m[13]);
    blake3Mix(v[3], v[4], v[9], v[14], m[14], m[15]);
}

/// The message words' order for the next round, table 2. In an unrolled loop this is a renaming.
SHREDDER_HOST_DEVICE inline void blake3Permute(std::uint32_t (&m)[16]) {
    const std::uint32_t p[16] = {m[2], m[6],  m[3],  m[10], m[7], m[0],  m[4],  m[13],
                                 m[1], m[11], m[12], m[5],  m[9], m[14], m[15], m[8]};
    SHREDDER_UNROLL
    for (int i = 0; i < 16; i++) {
        m[i] = p[i];
    }
}

/// Folds one block into the chaining value. m holds the block's sixteen little-endian words and is
/// overwritten; blockBytes is below 64 for a short last block only.
SHREDDER_HOST_DEVICE inline void blake3Compress(std::uint32_t (&cv)[8], std::uint32_t (&m)[16],
                                                std::uint64_t counter, std::uint32_t blockBytes,
                                                std::uint32_t flags) {
    const std::uint32_t key[8] = {SHREDDER_BLAKE3_KEY};
    std::uint32_t v[16] = {cv[0],
                           cv[1],
                           cv[2],
                           cv[3],
                           cv[4],
                           cv[5],
                           cv[6],
                           cv[7],
                           key[0],
                           key[1],
                           key[2],
                           key[3],
                           static_cast<std::uint32_t>(counter),
                           static_cast<std::uint32_t>(counter >> 32),
                           blockBytes,
                           flags};
    SHREDDER_UNROLL
    for (int round = 0; round < 7; round++) {
        blake3Round(v, m);
        if (round < 6) blake3Permute(m);
    }
    SHREDDER_UNROLL
    for (int i = 0; i < 8; i++) {
        cv[i] = v[i] ^ v[i + 8];
    }
}

/// A parent: right's chaining value becomes the parent's of left and right. flags: 0 or kBlake3Root.
SHREDDER_HOST_DEVICE inline void blake3Join(const std::uint32_t (&left)[8], std::uint32_t (&right)[8],
                                            std::uint32_t flags) {
    std::uint32_t m[16];
    SHREDDER_UNROLL
    for (int i = 0; i < 8; i++) {
        m[i] = left[i];
        m[i + 8] = right[i];
    }
    blake3Start(right);
    blake3Compress(right, m, 0, kBlake3BlockBytes, kBlake3Parent | flags);
}

/// The tree over the leaves of one message of at least two, given in order (section 2.4: a left subtree is
/// the largest power of two of leaves that leaves something to its right). pending[] holds the roots of
/// complete subtrees that wait for a right neighbour, one for each 1 bit of the number of leaves so far.
class Blake3Tree {
  public:
    /// Any leaf but the message's last; cv is overwritten.
    SHREDDER_HOST_DEVICE void add(std::uint32_t (&cv)[8]) {
        for (std::uint64_t leaves = leaves_++; (leaves & 1) != 0; leaves >>= 1) {
            blake3Join(pending_[--count_], cv, 0);
        }
        for (int i = 0; i < 8; i++) {
            pending_[count_][i] = cv[i];
        }
        count_++;
    }

    /// The last leaf's chaining value becomes the message's digest.
    SHREDDER_HOST_DEVICE void finish(std::uint32_t (&cv)[8]) {
        while (count_ > 0) {
            count_--;
            blake3Join(pending_[count_], cv, count_ == 0 ? kBlake3Root : 0);
        }
    }

  private:
    /// Enough for 2^64 bytes.
    static constexpr int kMaxPending = 54;

    std::uint32_t pending_[kMaxPending][8];
    std::uint64_t leaves_ = 0;
    int count_ = 0;
};

}  // namespace shredder
