// SPDX-License-Identifier: Apache-2.0
//
// BLAKE3 of 16 nodes side by side: blake3_lanes.h.
#include "cpu/avx512_words.h"
#include "cpu/blake3.h"
#include "cpu/blake3_lanes.h"
#include "cpu/blake3_nodes.h"

namespace shredder {

void blake3ManyAvx512(const DigestMessage* messages, std::size_t count) {
    blake3ManyByNodes(Blake3Lanes<Avx512Words>::compute, messages, count);
}

}  // namespace shredder
