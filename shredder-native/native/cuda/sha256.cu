// SPDX-License-Identifier: Apache-2.0
//
// SHA-256 (FIPS 180-4), one thread a chunk. Chunks begin at any byte: message words are put together from
// aligned 32-bit loads, which may touch up to three bytes beyond a chunk; the buffers have room for that.
#include "chunk/sha256_compress.h"
#include "cuda/cuda_check.h"
#include "cuda/kernels.h"

namespace shredder {
namespace {

/// One warp a block: chunks are few, so spread them over the multiprocessors.
constexpr unsigned kThreads = 32;
constexpr std::uint32_t kBlockBytes = 64;

__constant__ std::uint32_t kRoundConstants[64] = {SHREDDER_SHA256_ROUND_CONSTANTS};

__device__ std::uint32_t swapBytes(std::uint32_t value) {
    return __byte_perm(value, 0, 0x0123);
}

__device__ void compressWholeBlocks(std::uint32_t (&state)[8], const std::uint8_t* data,
                                    std::uint32_t blocks) {
    auto misalignment = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(data) % 4);
    auto* words = reinterpret_cast<const std::uint32_t*>(data - misalignment);
    for (; blocks > 0; blocks--, words += kBlockBytes / 4) {
        std::uint32_t w[16];
        std::uint32_t current = words[0];
#pragma unroll
        for (int i = 0; i < 16; i++) {
            std::uint32_t following = words[i + 1];
            w[i] = swapBytes(__funnelshift_r(current, following, 8 * misalignment));
            current = following;
        }
        sha256CompressBlock(state, w, kRoundConstants);
    }
}

/// Byte i of the padded end of a message: its last `tailBytes` bytes, a 1 bit, zeros.
__device__ std::uint32_t paddedByte(const std::uint8_t* tail, std::uint32_t tailBytes, std::uint32_t i) {
    return i < tailBytes ? tail[i] : i == tailBytes ? 0x80U : 0U;
}

__device__ void compressEnd(std::uint32_t (&state)[8], const std::uint8_t* tail, std::uint32_t tailBytes,
                            std::uint64_t messageBytes) {
    std::uint32_t blocks = tailBytes + 9 <= kBlockBytes ? 1 : 2;
    for (std::uint32_t block = 0; block < blocks; block++) {
        std::uint32_t w[16];
#pragma unroll
        for (int i = 0; i < 16; i++) {
            w[i] = 0;
#pragma unroll
            for (int byte = 0; byte < 4; byte++) {
                auto at = static_cast<std::uint32_t>(4 * i + byte);
                w[i] = (w[i] << 8) | paddedByte(tail, tailBytes, block * kBlockBytes + at);
            }
        }
        if (block + 1 == blocks) {
            w[14] = static_cast<std::uint32_t>(messageBytes * 8 >> 32);
            w[15] = static_cast<std::uint32_t>(messageBytes * 8);
        }
        sha256CompressBlock(state, w, kRoundConstants);
    }
}

__device__ void digestOne(const std::uint8_t* data, std::uint32_t size, std::uint8_t* digest) {
    std::uint32_t state[8] = {SHREDDER_SHA256_INITIAL_STATE};
    std::uint32_t blocks = size / kBlockBytes;
    compressWholeBlocks(state, data, blocks);
    compressEnd(state, data + static_cast<std::size_t>(blocks) * kBlockBytes, size % kBlockBytes, size);
    auto* words = reinterpret_cast<std::uint32_t*>(digest);
#pragma unroll
    for (int i = 0; i < 8; i++) {
        words[i] = swapBytes(state[i]);
    }
}

__global__ void __launch_bounds__(kThreads)
    digestRecords(const std::uint8_t* base, std::uint64_t baseOffset, shredder_record* records,
                  const SelectionSummary* summary) {
    std::uint64_t step = static_cast<std::uint64_t>(gridDim.x) * kThreads;
    std::uint64_t count = summary->recordCount;
    for (std::uint64_t i = static_cast<std::uint64_t>(blockIdx.x) * kThreads + threadIdx.x; i < count;
         i += step) {
        shredder_record& record = records[i];
        // The first chunk may begin before the payload; the difference wraps to a negative number of bytes.
        auto distance = static_cast<std::int64_t>(record.offset - baseOffset);
        digestOne(base + distance, record.length, record.digest);
    }
}

}  // namespace

void enqueueDigests(const std::uint8_t* base, std::uint64_t baseOffset, shredder_record* records,
                    const SelectionSummary* summary, std::size_t maxRecords, cudaStream_t stream) {
    constexpr std::size_t kMaxBlocks = 8192;
    std::size_t blocks = (maxRecords + kThreads - 1) / kThreads;
    digestRecords<<<static_cast<unsigned>(blocks < kMaxBlocks ? blocks : kMaxBlocks), kThreads, 0, stream>>>(
        base, baseOffset, records, summary);
    checkLaunch("digestRecords");
}

}  // namespace shredder
