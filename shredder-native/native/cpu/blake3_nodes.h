// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "chunk/blake3_compress.h"
#include "cpu/digest.h"

namespace shredder {

/// A node of BLAKE3's tree whose chaining value is to be computed: a leaf of a message, or a parent, whose
/// one block are its children's chaining values.
struct Blake3Node {
    const std::uint8_t* data;
    std::uint32_t bytes;       ///< at most 1 KiB; 0 for the leaf of the empty message alone
    std::uint32_t firstFlags;  ///< of the first block
    std::uint32_t lastFlags;   ///< of the last block, beside firstFlags if it is the first
    std::uint64_t counter;
    std::uint32_t* cv;  ///< where the eight words go; may lie in the data of this node or an earlier one

    std::uint32_t blocks() const { return bytes == 0 ? 1 : (bytes + 63) / 64; }
};

/// Computes so many nodes, in groups that begin with nodes[0]. The data of no node depends on another's cv.
using Blake3Nodes = void (*)(const Blake3Node* nodes, std::size_t count);

/// One after the other.
void blake3NodesPortable(const Blake3Node* nodes, std::size_t count);

/// Eight side by side. Call only where cpuFeatures().avx2.
void blake3NodesAvx2(const Blake3Node* nodes, std::size_t count);

/// Sixteen. Call only where cpuFeatures().avx512.
void blake3NodesAvx512(const Blake3Node* nodes, std::size_t count);

/// A long message, span by span as it comes: the subtrees of whole spans are joined as soon as more follows.
class Blake3Spans {
  public:
    /// data[0 .. size) is the message so far.
    void goOn(Blake3Nodes compute, const std::uint8_t* data, std::size_t size);
    /// data[0 .. size) is the whole message, and goOn has had all of it. May be called again.
    void finish(Blake3Nodes compute, const std::uint8_t* data, std::size_t size, std::uint8_t* digest) const;

  private:
    std::size_t done_ = 0;  ///< bytes, in whole spans
    Blake3Tree tree_;
};

/// Digests messages by many nodes at once: the leaves of as many messages as fill a batch, then their
/// parents, level by level.
void blake3ManyByNodes(Blake3Nodes compute, const DigestMessage* messages, std::size_t count);

}  // namespace shredder
