// SPDX-License-Identifier: Apache-2.0
//
// From the bitmap to cuts. Compaction (count, offsets, scatter) turns the bitmap into an ordered list; one
// thread then walks that sparse list with the very CutSelector that the CPU uses, while its block stages the
// list in shared memory.
#include "cuda/cuda_check.h"
#include "cuda/kernels.h"

namespace shredder {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kWordsPerThread = kCompactionBlockBytes / 64 / kThreads;
constexpr unsigned kOffsetThreads = 1024;
constexpr unsigned kStagedCandidates = 4096;
constexpr unsigned kTailBlocks = 64;

/// Sum of the values of the threads before this one; total is that of all. Every thread of the block must
/// call it.
template <unsigned kBlockThreads>
__device__ std::uint32_t exclusiveSum(std::uint32_t value, std::uint32_t& total) {
    __shared__ std::uint32_t sums[kBlockThreads];
    sums[threadIdx.x] = value;
    __syncthreads();
    for (unsigned distance = 1; distance < kBlockThreads; distance *= 2) {
        std::uint32_t before = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
        __syncthreads();
        sums[threadIdx.x] += before;
        __syncthreads();
    }
    total = sums[kBlockThreads - 1];
    std::uint32_t exclusive = sums[threadIdx.x] - value;
    __syncthreads();  // sums may be used again
    return exclusive;
}

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
    scatterCandidates(const ScanSpec* spec, bool segments, const std::uint8_t* payload,
                      const std::uint64_t* bitmap, std::size_t wordCount, CandidateList candidates) {
    ThreadWords mine(bitmap, wordCount);
    std::uint32_t total = 0;
    std::uint32_t at = exclusiveSum<kThreads>(mine.candidates, total) + candidates.blockOffsets[blockIdx.x];
#pragma unroll
    for (unsigned i = 0; i < kWordsPerThread; i++) {
        for (std::uint64_t bits = mine.words[i]; bits != 0; bits &= bits - 1) {
            auto cut =
                static_cast<std::uint32_t>((mine.first + i) * 64) + static_cast<std::uint32_t>(__ffsll(bits));
            bool strong = segments && isStrong(*spec, payload + cut);
            candidates.cuts[at++] = cut | (strong ? kStrongFlag : 0);
        }
    }
}

struct RecordWriter {
    shredder_record* records;
    std::uint64_t* count;

    SHREDDER_HOST_DEVICE void operator()(std::uint64_t offset, std::uint32_t length, bool segmentEnd) const {
        shredder_record& record = records[(*count)++];
        record.offset = offset;
        record.length = length;
        record.flags = segmentEnd ? SHREDDER_RECORD_SEGMENT_END : 0;
    }
};

struct Known {
    bool strong;
    SHREDDER_HOST_DEVICE bool operator()() const { return strong; }
};

__global__ void __launch_bounds__(kThreads)
    selectCuts(CutRules rules, DeviceBuffer buffer, CandidateList candidates, CutState* state,
               shredder_record* records, SelectionSummary* summary) {
    __shared__ std::uint32_t staged[kStagedCandidates];
    std::uint64_t recordCount = 0;
    CutSelector<RecordWriter> selector(rules, *state, buffer.streamOffset + buffer.bytes, buffer.last,
                                       RecordWriter{records, &recordCount});
    if (threadIdx.x == 0) selector.start(buffer.streamOffset);
    std::uint32_t total = *candidates.count;
    for (std::uint32_t base = 0; base < total; base += kStagedCandidates) {
        std::uint32_t size = min(kStagedCandidates, total - base);
        __syncthreads();  // the stage is free again
        for (std::uint32_t i = threadIdx.x; i < size; i += kThreads) {
            staged[i] = candidates.cuts[base + i];
        }
        __syncthreads();
        for (std::uint32_t i = 0; threadIdx.x == 0 && i < size; i++) {
            std::uint64_t cut = buffer.streamOffset + (staged[i] & ~kStrongFlag);
            selector.candidate(cut, Known{(staged[i] & kStrongFlag) != 0});
        }
    }
    if (threadIdx.x != 0) return;
    selector.finish();
    *state = selector.state();
    *summary = {recordCount, selector.state().lastCut};
}

__global__ void placeTail(DeviceBuffer buffer, const CutState* state, const std::uint8_t* tail) {
    std::size_t size = buffer.streamOffset - state->lastCut;
    std::uint8_t* target = buffer.payload - size;
    std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < size;
         i += step) {
        target[i] = tail[i];
    }
}

__global__ void keepTail(DeviceBuffer buffer, const CutState* state, std::uint8_t* tail) {
    std::size_t size = buffer.streamOffset + buffer.bytes - state->lastCut;
    const std::uint8_t* source = buffer.payload + buffer.bytes - size;
    std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < size;
         i += step) {
        tail[i] = source[i];
    }
}

unsigned tailBlocks(std::size_t maxBytes) {
    std::size_t blocks = (maxBytes + kThreads - 1) / kThreads;
    return static_cast<unsigned>(blocks < kTailBlocks ? blocks : kTailBlocks);
}

}  // namespace

void enqueueCompaction(const ScanSpec* spec, bool segments, const DeviceBuffer& buffer,
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
        scatterCandidates<<<blocks, kThreads, 0, stream>>>(spec, segments, buffer.payload, bitmap, words,
                                                           candidates);
        checkLaunch("scatterCandidates");
    }
}

void enqueueSelection(const CutRules& rules, const DeviceBuffer& buffer, const CandidateList& candidates,
                      CutState* state, shredder_record* records, SelectionSummary* summary,
                      cudaStream_t stream) {
    selectCuts<<<1, kThreads, 0, stream>>>(rules, buffer, candidates, state, records, summary);
    checkLaunch("selectCuts");
}

void enqueuePlaceTail(const DeviceBuffer& buffer, const CutState* state, const std::uint8_t* tail,
                      std::size_t maxBytes, cudaStream_t stream) {
    placeTail<<<tailBlocks(maxBytes), kThreads, 0, stream>>>(buffer, state, tail);
    checkLaunch("placeTail");
}

void enqueueKeepTail(const DeviceBuffer& buffer, const CutState* state, std::uint8_t* tail,
                     std::size_t maxBytes, cudaStream_t stream) {
    keepTail<<<tailBlocks(maxBytes), kThreads, 0, stream>>>(buffer, state, tail);
    checkLaunch("keepTail");
}

}  // namespace shredder
