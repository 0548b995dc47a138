// SPDX-License-Identifier: Apache-2.0
//
// SHA-256 (FIPS 180-4), one thread a message. The threads of a warp take messages of about the same length,
// so that they end together, and the longest messages begin first.
#include "chunk/sha256_compress.h"
#include "cuda/cuda_check.h"
#include "cuda/kernels.h"
#include "cuda/message_words.h"

namespace shredder {
namespace {

/// Small blocks: a block keeps its place on a multiprocessor until its last warp has ended.
constexpr unsigned kThreads = 32;
constexpr std::uint32_t kBlockBytes = 64;

__constant__ std::uint32_t kRoundConstants[64] = {SHREDDER_SHA256_ROUND_CONSTANTS};

/// What is left after the whole blocks, the mark, and the length in bits.
__device__ void compressEnd(std::uint32_t (&state)[8], MessageWords<ByteOrder::Big>& message,
                            std::uint32_t length) {
    std::uint32_t left = length % kBlockBytes;
    std::uint32_t w[16];
    message.last(w, left, true);
    if (left + 9 > kBlockBytes) {
        sha256CompressBlock(state, w, kRoundConstants);
#pragma unroll
        for (std::uint32_t& word : w) {
            word = 0;
        }
    }
    w[14] = length >> 29;
    w[15] = length << 3;
    sha256CompressBlock(state, w, kRoundConstants);
}

__global__ void __launch_bounds__(kThreads)
    digestMessages(const std::uint8_t* base, MessageList list, std::uint8_t (*digests)[32]) {
    std::uint32_t place = blockIdx.x * kThreads + threadIdx.x;
    if (place >= list.count) return;
    std::uint32_t index = list.order[place];
    Message message = list.messages[index];
    MessageWords<ByteOrder::Big> words(base + message.begin);
    std::uint32_t state[8] = {SHREDDER_SHA256_INITIAL_STATE};
    for (std::uint32_t block = message.length / kBlockBytes; block > 0; block--) {
        std::uint32_t w[16];
        words.next(w);
        sha256CompressBlock(state, w, kRoundConstants);
    }
    compressEnd(state, words, message.length);
    auto* digest = reinterpret_cast<std::uint32_t*>(digests[index]);
#pragma unroll
    for (int i = 0; i < 8; i++) {
        digest[i] = __byte_perm(state[i], 0, 0x0123);
    }
}

}  // namespace

void enqueueSha256(const std::uint8_t* base, const MessageList& list, std::uint8_t (*digests)[32],
                   cudaStream_t stream) {
    if (list.count == 0) return;
    digestMessages<<<(list.count + kThreads - 1) / kThreads, kThreads, 0, stream>>>(base, list, digests);
    checkLaunch("SHA-256");
}

}  // namespace shredder
