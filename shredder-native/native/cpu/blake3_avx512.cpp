// SPDX-License-Identifier: Apache-2.0
//
// BLAKE3 of 16 nodes side by side: blake3_lanes.h.
#include "cpu/avx512_words.h"
#include "cpu/blake3.h"
#include "cpu/blake3_lanes.h"
#include "cpu/blake3_nodes.h"

namespace shredder {

void blake3NodesAvx512(const Blake3Node* nodes, std::size_t count) {
    Blake3Lanes<Avx512Words>::compute(nodes, count);
}

void blake3ManyAvx512(const DigestMessage* messages, std::size_t count) {
    blake3ManyByNodes(blake3NodesAvx512, messages, count);
}

}  // namespace shredder
