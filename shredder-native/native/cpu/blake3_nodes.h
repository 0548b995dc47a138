// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

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

/// Digests messages by many nodes at once: the leaves of as many messages as fill a batch, then their
/// parents, level by level.
void blake3ManyByNodes(Blake3Nodes compute, const DigestMessage* messages, std::size_t count);

}  // namespace shredder
