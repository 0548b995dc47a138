// SPDX-License-Identifier: Apache-2.0
//
// BLAKE3 of 8 nodes side by side: blake3_lanes.h.
#include "cpu/avx2_words.h"
#include "cpu/blake3.h"
#include "cpu/blake3_lanes.h"
#include "cpu/blake3_nodes.h"

namespace shredder {

void blake3NodesAvx2(const Blake3Node* nodes, std::size_t count) {
    Blake3Lanes<Avx2Words>::compute(nodes, count);
}

void blake3ManyAvx2(const DigestMessage* messages, std::size_t count) {
    blake3ManyByNodes(blake3NodesAvx2, messages, count);
}

}  // namespace shredder
