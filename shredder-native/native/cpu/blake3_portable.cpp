// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "chunk/blake3_compress.h"
#include "cpu/blake3.h"

namespace shredder {
namespace {

/// The chaining value of one leaf; rootFlag on its last block if it is the message's only one.
void compressLeaf(const std::uint8_t* data, std::size_t size, std::uint64_t number, std::uint32_t rootFlag,
                  std::uint32_t (&cv)[8]) {
    blake3Start(cv);
    std::uint32_t flags = kBlake3LeafStart;
    for (bool more = true; more; flags = 0) {
        std::size_t bytes = std::min<std::size_t>(size, kBlake3BlockBytes);
        std::uint32_t words[16] = {};
        if (bytes != 0) std::memcpy(words, data, bytes);
        data += bytes;
        size -= bytes;
        more = size != 0;
        if (!more) flags |= kBlake3LeafEnd | rootFlag;
        blake3Compress(cv, words, number, static_cast<std::uint32_t>(bytes), flags);
    }
}

void digestOne(const DigestMessage& message) {
    std::uint32_t cv[8];
    Blake3Tree tree;
    std::size_t lastLeaf = message.size == 0 ? 0 : (message.size - 1) / kBlake3LeafBytes;
    for (std::size_t leaf = 0; leaf < lastLeaf; leaf++) {
        compressLeaf(message.data + leaf * kBlake3LeafBytes, kBlake3LeafBytes, leaf, 0, cv);
        tree.add(cv);
    }
    std::size_t done = lastLeaf * kBlake3LeafBytes;
    compressLeaf(message.data + done, message.size - done, lastLeaf, lastLeaf == 0 ? kBlake3Root : 0, cv);
    tree.finish(cv);
    std::memcpy(message.digest, cv, kDigestBytes);
}

}  // namespace

void blake3ManyPortable(const DigestMessage* messages, std::size_t count) {
    std::for_each(messages, messages + count, digestOne);
}

}  // namespace shredder
