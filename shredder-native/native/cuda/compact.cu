// SPDX-License-Identifier: Apache-2.0
//
// From the bitmap to an ordered list of candidates in host memory: count, offsets, scatter. What the list has
// no room for, because every other byte is a candidate, is only counted; the host then takes the bitmap.
#include "chunk/candidates.h"
#include "cuda/block_sum.h"
#include "cuda/cuda_check.h"
#include "cuda/kernels.h"

namespace shredder {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kWordsPerThread = kCompactionBlockBytes / 64 / kThreads;
constexpr unsigned kOffsetThreads = 1024;

/// This thread's words of the bitmap, and how many candidates they hold.
struct ThreadWords {
    std::size_t first;
    std::uint64_t words[kWordsPerThread];
    std::uint32_t candidates = 0;

    __device__ ThreadWords(const std::uint64_t* bitmap, std::size_t wordCount)
        : first((static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x) * kWordsPerThread) {
#pragma unroll
        for (unsigned i = 0; i < kWordsPerThread; i++) {
            words[i] = first + i < wordCount ? bitmap[first + i] : 0;
            candidates += static_cast<std::uint32_t>(__popcll(words[i]));
        }
    }
};

__global__ void __launch_bounds__(kThreads)
    countCandidates(const std::uint64_t* bitmap, std::size_t wordCount, std::uint32_t* blockCounts) {
    ThreadWords mine(bitmap, wordCount);
    std::uint32_t total = 0;
    exclusiveSum<kThreads>(mine.candidates, total);
    if (threadIdx.x == 0) blockCounts[blockIdx.x] = total;
}

/// One block: counts become offsets, in place.
__global__ void __launch_bounds__(kOffsetThreads)
    countsToOffsets(std::uint32_t* blockCounts, unsigned blocks, std::uint32_t* count) {
    std::uint32_t offset = 0;
    for (unsigned base = 0; base < blocks; base += kOffsetThreads) {
        unsigned block = base + threadIdx.x;
        std::uint32_t total = 0;
        std::uint32_t before = exclusiveSum<kOffsetThreads>(block < blocks ? blockCounts[block] : 0, total);
        if (block < blocks) blockCounts[block] = offset + before;
        offset += total;
    }
    if (threadIdx.x == 0) *count = offset;
}

__device__ bool isStrong(const ScanSpec& spec, const std::uint8_t* end) {
    return (windowFingerprint(spec.tables, end) & spec.segmentMask) == spec.segmentMarker;
}

__global__ void __launch_bounds__(kThreads)
    scatterCandidates(const __grid_constant__ ScanSpec spec, bool segments, DeviceBuffer buffer,
                      const std::uint64_t* bitmap, std::size_t wordCount, CandidateList candidates) {
    ThreadWords mine(bitmap, wordCount);
    std::uint32_t total = 0;
    std::uint32_t at = exclusiveSum<kThreads>(mine.candidates, total) + candidates.blockOffsets[blockIdx.x];
#pragma unroll
    for (unsigned i = 0; i < kWordsPerThread; i++) {
        for (std::uint64_t bits = mine.words[i]; bits != 0 && at < candidates.capacity; bits &= bits - 1) {
            auto cut =
                static_cast<std::uint32_t>((mine.first + i) * 64) + static_cast<std::uint32_t>(__ffsll(bits));
            bool strong = segments && isStrong(spec, buffer.payload + cut);
            candidates.cuts[at++] = cut | (strong ? kStrongFlag : 0);
        }
    }
}

}  // namespace

void enqueueCompaction(const ScanSpec& spec, bool segments, const DeviceBuffer& buffer,
                       const std::uint64_t* bitmap, const CandidateList& candidates, cudaStream_t stream) {
    std::size_t words = (buffer.bytes + 63) / 64;
    auto blocks = static_cast<unsigned>((buffer.bytes + kCompactionBlockBytes - 1) / kCompactionBlockBytes);
    if (blocks > 0) {
        countCandidates<<<blocks, kThreads, 0, stream>>>(bitmap, words, candidates.blockOffsets);
        checkLaunch("countCandidates");
    }
    countsToOffsets<<<1, kOffsetThreads, 0, stream>>>(candidates.blockOffsets, blocks, candidates.count);
    checkLaunch("countsToOffsets");
    if (blocks > 0) {
        scatterCandidates<<<blocks, kThreads, 0, stream>>>(spec, segments, buffer, bitmap, words, candidates);
        checkLaunch("scatterCandidates");
    }
}

}  // namespace shredder
