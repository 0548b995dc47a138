// SPDX-License-Identifier: Apache-2.0
//
// BLAKE3 as a stream of equal work: nodes. Why the digests equal the portable form's. Its tree joins, at each
// level, neighbours 2i and 2i + 1, and passes a last one without neighbour on to the next level; that is the
// rule of the paper's section 2.4, since a complete subtree of 2^k leaves begins at every multiple of 2^k. So
// the nodes of one level depend on the level below alone, and those of many messages are computed together.
// A message of more than kSpanLeaves leaves is cut into spans of that many, a power of two: each is a
// subtree, computed alone, and their chaining values are joined in the same way.
#include "cpu/blake3_nodes.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "chunk/blake3_compress.h"

namespace shredder {
namespace {

using ChainingValue = std::array<std::uint32_t, 8>;

constexpr std::size_t kSpanLeaves = 1024;
constexpr std::size_t kSpanBytes = kSpanLeaves * kBlake3LeafBytes;
/// Enough to fill every lane, few enough to stay in the nearest cache.
constexpr std::size_t kBatchLeaves = 1024;

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

class Batch {
  public:
    explicit Batch(Blake3Nodes compute) : compute_(compute) {}

    bool isFull() const { return values_.size() >= kBatchLeaves; }

    void addLeaves(const std::uint8_t* data, std::size_t bytes, std::uint64_t firstLeaf, bool wholeMessage,
                   std::uint8_t* out) {
        std::size_t count = leavesOf(bytes);
        spans_.push_back({values_.size(), count, wholeMessage, out});
        values_.resize(values_.size() + count);
        std::uint32_t root = wholeMessage && count == 1 ? kBlake3Root : 0;
        for (std::size_t i = 0; i < count; i++) {
            std::size_t at = i * kBlake3LeafBytes;
            auto size = static_cast<std::uint32_t>(std::min<std::size_t>(kBlake3LeafBytes, bytes - at));
            leaves_.push_back(
                {data + at, size, kBlake3LeafStart, kBlake3LeafEnd | root, firstLeaf + i, nullptr});
        }
    }

    void addValues(const std::vector<ChainingValue>& values, std::uint8_t* out) {
        spans_.push_back({values_.size(), values.size(), true, out});
        values_.insert(values_.end(), values.begin(), values.end());
    }

    void finish() {
        computeLeaves();
        while (joinOneLevel()) {
        }
        for (const Span& span : spans_) {
            std::memcpy(span.out, values_[span.begin].data(), kDigestBytes);
        }
        spans_.clear();
        values_.clear();
    }

  private:
    /// Short leaves together, those of equal length side by side.
    void computeLeaves() {
        for (std::size_t i = 0; i < leaves_.size(); i++) {
            leaves_[i].cv = values_[i].data();
        }
        auto shortOnes = std::stable_partition(leaves_.begin(), leaves_.end(), [](const Blake3Node& leaf) {
            return leaf.bytes == kBlake3LeafBytes;
        });
        std::sort(shortOnes, leaves_.end(),
                  [](const Blake3Node& a, const Blake3Node& b) { return a.bytes > b.bytes; });
        compute_(leaves_.data(), leaves_.size());
        leaves_.clear();
    }

    /// A parent's value goes to the place of the level's first value that is not yet taken, which only the
    /// parent itself or an earlier one has read.
    bool joinOneLevel() {
        for (const Span& span : spans_) {
            std::uint32_t root = span.wholeMessage && span.count == 2 ? kBlake3Root : 0;
            for (std::size_t i = 0; i < span.count / 2; i++) {
                const auto* children =
                    reinterpret_cast<const std::uint8_t*>(values_[span.begin + 2 * i].data());
                parents_.push_back({children, kBlake3BlockBytes, 0, kBlake3Parent | root, 0,
                                    values_[span.begin + i].data()});
            }
        }
        if (parents_.empty()) return false;
        compute_(parents_.data(), parents_.size());
        parents_.clear();
        for (Span& span : spans_) {
            if (span.count % 2 != 0)
                values_[span.begin + span.count / 2] = values_[span.begin + span.count - 1];
            span.count = (span.count + 1) / 2;
        }
        return true;
    }

    Blake3Nodes compute_;
    std::vector<Span> spans_;
    std::vector<ChainingValue> values_;
    std::vector<Blake3Node> leaves_;
    std::vector<Blake3Node> parents_;
};

void digestLong(Batch& batch, const DigestMessage& message) {
    std::vector<ChainingValue> roots((message.size + kSpanBytes - 1) / kSpanBytes);
    for (std::size_t i = 0; i < roots.size(); i++) {
        std::size_t at = i * kSpanBytes;
        batch.addLeaves(message.data + at, std::min(kSpanBytes, message.size - at), i * kSpanLeaves, false,
                        reinterpret_cast<std::uint8_t*>(roots[i].data()));
        batch.finish();
    }
    batch.addValues(roots, message.digest);
    batch.finish();
}

}  // namespace

void blake3ManyByNodes(Blake3Nodes compute, const DigestMessage* messages, std::size_t count) {
    Batch batch(compute);
    for (const DigestMessage* message = messages; message != messages + count; message++) {
        if (message->size <= kSpanBytes) {
            batch.addLeaves(message->data, message->size, 0, true, message->digest);
            if (batch.isFull()) batch.finish();
        } else {
            batch.finish();
            digestLong(batch, *message);
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
