// SPDX-License-Identifier: Apache-2.0
//
// BLAKE3 as a stream of equal work: nodes. Why the digests equal the portable form's. Its tree joins, at each
// level, neighbours 2i and 2i + 1, and passes a last one without neighbour on to the next level; that is the
// rule of the paper's section 2.4, since a complete subtree of 2^k leaves begins at every multiple of 2^k. So
// the nodes of one level depend on the level below alone, and those of many messages are computed together.
// A message of more than kSpanLeaves leaves is cut into spans of that many, a power of two: each is a
// subtree, computed alone, and for the tree over them a span is what a leaf is to a message.
#include "cpu/blake3_nodes.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "chunk/blake3_compress.h"

namespace shredder {
namespace {

using ChainingValue = std::array<std::uint32_t, 8>;

/// Enough to fill every lane on most levels, few enough to stay in the nearest cache.
constexpr std::size_t kBatchLeaves = 512;
constexpr std::size_t kSpanLeaves = kBatchLeaves / 2;
constexpr std::size_t kSpanBytes = kSpanLeaves * kBlake3LeafBytes;

std::size_t leavesOf(std::size_t bytes) {
    return bytes == 0 ? 1 : (bytes + kBlake3LeafBytes - 1) / kBlake3LeafBytes;
}

/// A subtree: nodes of one level, to be joined until one is left.
struct Span {
    std::size_t begin;  ///< of its chaining values
    std::size_t count;
    bool wholeMessage;  ///< its root is the message's
    std::uint8_t* out;  ///< 32 bytes
};

/// The memory is part of it, so that digesting allocates nothing.
class Batch {
  public:
    explicit Batch(Blake3Nodes compute) : compute_(compute) {}

    /// At most kSpanLeaves of them. They count from firstLeaf.
    void addLeaves(const std::uint8_t* data, std::size_t bytes, std::uint64_t firstLeaf, bool wholeMessage,
                   std::uint8_t* out) {
        std::size_t count = leavesOf(bytes);
        if (count > kBatchLeaves - valueCount_) finish();
        spans_[spanCount_++] = {valueCount_, count, wholeMessage, out};
        std::uint32_t end = kBlake3LeafEnd | (wholeMessage && count == 1 ? kBlake3Root : 0);
        for (std::size_t i = 0; i < count; i++, bytes -= std::min<std::size_t>(bytes, kBlake3LeafBytes)) {
            addLeaf({.data = data + i * kBlake3LeafBytes,
                     .bytes = static_cast<std::uint32_t>(std::min<std::size_t>(kBlake3LeafBytes, bytes)),
                     .firstFlags = kBlake3LeafStart,
                     .lastFlags = end,
                     .counter = firstLeaf + i,
                     .cv = values_[valueCount_++].data()});
        }
    }

    void finish() {
        computeLeaves();
        while (joinOneLevel()) {
        }
        for (std::size_t i = 0; i < spanCount_; i++) {
            std::memcpy(spans_[i].out, values_[spans_[i].begin].data(), kDigestBytes);
        }
        spanCount_ = 0;
        valueCount_ = 0;
    }

  private:
    /// Whole leaves from the front of the nodes on, short ones from their back.
    void addLeaf(const Blake3Node& leaf) {
        bool whole = leaf.bytes == kBlake3LeafBytes;
        nodes_[whole ? wholeLeaves_++ : kBatchLeaves - ++shortLeaves_] = leaf;
    }

    /// Short leaves together, those of equal length side by side.
    void computeLeaves() {
        Blake3Node* shortOnes = nodes_ + kBatchLeaves - shortLeaves_;
        std::sort(shortOnes, nodes_ + kBatchLeaves,
                  [](const Blake3Node& a, const Blake3Node& b) { return a.bytes > b.bytes; });
        std::memmove(nodes_ + wholeLeaves_, shortOnes, shortLeaves_ * sizeof *shortOnes);
        compute_(nodes_, wholeLeaves_ + shortLeaves_);
        wholeLeaves_ = 0;
        shortLeaves_ = 0;
    }

    /// A parent's value goes to the place of the level's first value that is not yet taken, which only the
    /// parent itself or an earlier one has read.
    bool joinOneLevel() {
        std::size_t parents = 0;
        for (std::size_t s = 0; s < spanCount_; s++) {
            const Span& span = spans_[s];
            std::uint32_t root = span.wholeMessage && span.count == 2 ? kBlake3Root : 0;
            for (std::size_t i = 0; i < span.count / 2; i++) {
                const auto* children =
                    reinterpret_cast<const std::uint8_t*>(values_[span.begin + 2 * i].data());
                nodes_[parents++] = {
                    children, kBlake3BlockBytes, 0, kBlake3Parent | root, 0, values_[span.begin + i].data()};
            }
        }
        if (parents == 0) return false;
        compute_(nodes_, parents);
        for (std::size_t s = 0; s < spanCount_; s++) {
            Span& span = spans_[s];
            if (span.count % 2 != 0)
                values_[span.begin + span.count / 2] = values_[span.begin + span.count - 1];
            span.count = (span.count + 1) / 2;
        }
        return true;
    }

    Blake3Nodes compute_;
    std::size_t spanCount_ = 0;
    std::size_t valueCount_ = 0;
    std::size_t wholeLeaves_ = 0;
    std::size_t shortLeaves_ = 0;
    Span spans_[kBatchLeaves];
    ChainingValue values_[kBatchLeaves];
    Blake3Node nodes_[kBatchLeaves];  ///< of one level
};

/// A span of a longer message.
void addSpan(Batch& batch, const std::uint8_t* message, std::size_t at, std::size_t end,
             std::uint32_t (&cv)[8]) {
    batch.addLeaves(message + at, end - at, at / kBlake3LeafBytes, false,
                    reinterpret_cast<std::uint8_t*>(cv));
    batch.finish();
}

}  // namespace

void Blake3Spans::goOn(Blake3Nodes compute, const std::uint8_t* data, std::size_t size) {
    if (size - done_ <= kSpanBytes) return;
    Batch batch(compute);
    for (; size - done_ > kSpanBytes; done_ += kSpanBytes) {
        std::uint32_t cv[8] = {};
        addSpan(batch, data, done_, done_ + kSpanBytes, cv);
        tree_.add(cv);
    }
}

void Blake3Spans::finish(Blake3Nodes compute, const std::uint8_t* data, std::size_t size,
                         std::uint8_t* digest) const {
    Batch batch(compute);
    if (done_ == 0) {
        batch.addLeaves(data, size, 0, true, digest);
        batch.finish();
        return;
    }
    std::uint32_t cv[8] = {};
    addSpan(batch, data, done_, size, cv);
    Blake3Tree tree = tree_;
    tree.finish(cv);
    std::memcpy(digest, cv, kDigestBytes);
}

void blake3ManyByNodes(Blake3Nodes compute, const DigestMessage* messages, std::size_t count) {
    Batch batch(compute);
    for (const DigestMessage* message = messages; message != messages + count; message++) {
        if (message->size <= kSpanBytes) {
            batch.addLeaves(message->data, message->size, 0, true, message->digest);
        } else {
            Blake3Spans spans;
            spans.goOn(compute, message->data, message->size);
            spans.finish(compute, message->data, message->size, message->digest);
        }
    }
    batch.finish();
}

void blake3NodesPortable(const Blake3Node* nodes, std::size_t count) {
    for (const Blake3Node* node = nodes; node != nodes + count; node++) {
        std::uint32_t cv[8];
        blake3Start(cv);
        for (std::uint32_t block = 0, blocks = node->blocks(); block < blocks; block++) {
            std::uint32_t bytes = std::min(kBlake3BlockBytes, node->bytes - block * kBlake3BlockBytes);
            std::uint32_t words[16] = {};
            if (bytes != 0) std::memcpy(words, node->data + std::size_t{block} * kBlake3BlockBytes, bytes);
            std::uint32_t flags =
                (block == 0 ? node->firstFlags : 0) | (block + 1 == blocks ? node->lastFlags : 0);
            blake3Compress(cv, words, node->counter, bytes, flags);
        }
        std::memcpy(node->cv, cv, sizeof cv);
    }
}

}  // namespace shredder
