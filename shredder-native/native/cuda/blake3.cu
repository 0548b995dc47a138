// SPDX-License-Identifier: Apache-2.0
//
// BLAKE3 in two steps, as its tree allows: one thread a leaf of 1 KiB, whatever message it belongs to; then a
// few threads a message join the leaves, level by level. Joining neighbours, with an odd one out moving up as
// it is, gives the paper's tree (section 2.1): its left subtrees are the largest that are complete.
#include "chunk/blake3_compress.h"
#include "cuda/cuda_check.h"
#include "cuda/kernels.h"
#include "cuda/message_words.h"

namespace shredder {
namespace {

constexpr unsigned kThreads = 128;
/// Threads that join one message's leaves: an 8 KiB message has four pairs of them.
constexpr unsigned kJoiners = 4;

__device__ std::uint32_t leavesOf(std::uint32_t length) {
    return length == 0 ? 1 : (length - 1) / kBlake3LeafBytes + 1;
}

/// The message that has this leaf: the last one whose first leaf is not beyond it.
__device__ std::uint32_t messageOfLeaf(const MessageList& list, std::uint32_t leaf) {
    std::uint32_t low = 0;
    std::uint32_t high = list.count;
    while (high - low > 1) {
        std::uint32_t middle = low + (high - low) / 2;
        if (list.messages[middle].firstLeaf <= leaf) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/// Chaining value of one leaf; the digest if it is the only one.
__device__ void compressLeaf(const std::uint8_t* data, std::uint32_t bytes, std::uint32_t number, bool only,
                             std::uint32_t (&cv)[8]) {
    MessageWords<ByteOrder::Little> words(data);
    std::uint32_t blocks = bytes == 0 ? 1 : (bytes - 1) / kBlake3BlockBytes + 1;
    blake3Start(cv);
    std::uint32_t m[16];
    for (std::uint32_t block = 0; block + 1 < blocks; block++) {
        words.next(m);
        blake3Compress(cv, m, number, kBlake3BlockBytes, block == 0 ? kBlake3LeafStart : 0);
    }
    std::uint32_t left = bytes - (blocks - 1) * kBlake3BlockBytes;
    if (left == kBlake3BlockBytes) {
        words.next(m);
    } else {
        words.last(m, left, false);
    }
    blake3Compress(cv, m, number, left,
                   kBlake3LeafEnd | (blocks == 1 ? kBlake3LeafStart : 0) | (only ? kBlake3Root : 0));
}

__global__ void __launch_bounds__(kThreads)
    compressLeaves(const std::uint8_t* base, MessageList list, std::uint32_t leaves,
                   std::uint32_t (*leafValues)[8]) {
    std::uint32_t leaf = blockIdx.x * kThreads + threadIdx.x;
    if (leaf >= leaves) return;
    Message message = list.messages[messageOfLeaf(list, leaf)];
    std::uint32_t number = leaf - message.firstLeaf;
    std::uint32_t begin = number * kBlake3LeafBytes;
    std::uint32_t left = message.length - begin;
    std::uint32_t cv[8];
    compressLeaf(base + message.begin + begin, left < kBlake3LeafBytes ? left : kBlake3LeafBytes, number,
                 message.length <= kBlake3LeafBytes, cv);
#pragma unroll
    for (int i = 0; i < 8; i++) {
        leafValues[leaf][i] = cv[i];
    }
}

/// One level of one message's tree, in place: values 2i and 2i + 1 become value i.
__device__ void joinLevel(std::uint32_t (*values)[8], std::uint32_t count, unsigned joiner, unsigned group) {
    std::uint32_t rounds = (count / 2 + kJoiners - 1) / kJoiners;
    for (std::uint32_t round = 0; round < rounds; round++) {
        std::uint32_t pair = round * kJoiners + joiner;
        bool joins = pair < count / 2;
        std::uint32_t left[8];
        std::uint32_t right[8];
        for (int i = 0; joins && i < 8; i++) {
            left[i] = values[2 * pair][i];
            right[i] = values[2 * pair + 1][i];
        }
        __syncwarp(group);  // all have read what some will overwrite
        if (joins) blake3Join(left, right, count == 2 ? kBlake3Root : 0);
        for (int i = 0; joins && i < 8; i++) {
            values[pair][i] = right[i];
        }
        __syncwarp(group);
    }
    if (count % 2 != 0 && joiner == 0) {
        for (int i = 0; i < 8; i++) {
            values[count / 2][i] = values[count - 1][i];
        }
    }
    __syncwarp(group);
}

__global__ void __launch_bounds__(kThreads)
    joinLeaves(MessageList list, std::uint32_t (*leafValues)[8], std::uint8_t (*digests)[32]) {
    std::uint32_t index = (blockIdx.x * kThreads + threadIdx.x) / kJoiners;
    if (index >= list.count) return;
    unsigned joiner = threadIdx.x % kJoiners;
    unsigned group = ((1U << kJoiners) - 1) << (threadIdx.x % 32 / kJoiners * kJoiners);
    Message message = list.messages[index];
    std::uint32_t(*values)[8] = leafValues + message.firstLeaf;
    for (std::uint32_t count = leavesOf(message.length); count > 1; count = (count + 1) / 2) {
        joinLevel(values, count, joiner, group);
    }
    auto* digest = reinterpret_cast<std::uint32_t*>(digests[index]);
    for (unsigned i = joiner; i < 8; i += kJoiners) {
        digest[i] = values[0][i];
    }
}

}  // namespace

void enqueueBlake3(const std::uint8_t* base, const MessageList& list, std::uint32_t leaves,
                   std::uint32_t (*leafValues)[8], std::uint8_t (*digests)[32], cudaStream_t stream) {
    if (list.count == 0) return;
    compressLeaves<<<(leaves + kThreads - 1) / kThreads, kThreads, 0, stream>>>(base, list, leaves,
                                                                                leafValues);
    checkLaunch("BLAKE3 leaves");
    constexpr std::uint32_t kMessagesPerBlock = kThreads / kJoiners;
    joinLeaves<<<(list.count + kMessagesPerBlock - 1) / kMessagesPerBlock, kThreads, 0, stream>>>(
        list, leafValues, digests);
    checkLaunch("BLAKE3 tree");
}

}  // namespace shredder
