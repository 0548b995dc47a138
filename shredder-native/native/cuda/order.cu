// SPDX-License-Identifier: Apache-2.0
//
// Orders messages by length, longest first: a counting sort over classes of length. Within a class the order
// is any, so it may differ between runs; digests are written by a message's number, so they don't.
#include "cuda/block_sum.h"
#include "cuda/cuda_check.h"
#include "cuda/kernels.h"

namespace shredder {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kMaxBlocks = 1024;
constexpr unsigned kSumThreads = 1024;

/// Class 0 holds the longest.
__device__ std::uint32_t lengthClass(std::uint32_t length, std::uint32_t maxLength) {
    std::uint64_t shortfall = maxLength - length;
    return static_cast<std::uint32_t>(shortfall * kLengthClasses /
                                      (static_cast<std::uint64_t>(maxLength) + 1));
}

__global__ void __launch_bounds__(kThreads) countClasses(MessageList list) {
    __shared__ std::uint32_t counts[kLengthClasses];
    for (unsigned i = threadIdx.x; i < kLengthClasses; i += kThreads) {
        counts[i] = 0;
    }
    __syncthreads();
    for (std::uint32_t i = blockIdx.x * kThreads + threadIdx.x; i < list.count; i += gridDim.x * kThreads) {
        atomicAdd(&counts[lengthClass(list.messages[i].length, list.maxLength)], 1U);
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < kLengthClasses; i += kThreads) {
        if (counts[i] != 0) atomicAdd(&list.classOffsets[i], counts[i]);
    }
}

__global__ void __launch_bounds__(kSumThreads) classCountsToOffsets(std::uint32_t* classes) {
    std::uint32_t offset = 0;
    for (unsigned base = 0; base < kLengthClasses; base += kSumThreads) {
        std::uint32_t total = 0;
        std::uint32_t before = exclusiveSum<kSumThreads>(classes[base + threadIdx.x], total);
        classes[base + threadIdx.x] = offset + before;
        offset += total;
    }
}

__global__ void __launch_bounds__(kThreads) scatterMessages(MessageList list) {
    for (std::uint32_t i = blockIdx.x * kThreads + threadIdx.x; i < list.count; i += gridDim.x * kThreads) {
        std::uint32_t at =
            atomicAdd(&list.classOffsets[lengthClass(list.messages[i].length, list.maxLength)], 1U);
        list.order[at] = i;
    }
}

/// bytes is a multiple of 16, and so are the addresses.
__global__ void __launch_bounds__(kThreads) fetch(uint4* target, const uint4* host, std::size_t words) {
    std::size_t step = static_cast<std::size_t>(gridDim.x) * kThreads;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x; i < words;
         i += step) {
        target[i] = host[i];
    }
}

unsigned blocksFor(std::size_t count) {
    std::size_t blocks = (count + kThreads - 1) / kThreads;
    return static_cast<unsigned>(blocks < kMaxBlocks ? blocks : kMaxBlocks);
}

}  // namespace

void enqueueFetch(void* target, const void* host, std::size_t bytes, cudaStream_t stream) {
    if (bytes == 0) return;
    std::size_t words = (bytes + sizeof(uint4) - 1) / sizeof(uint4);
    fetch<<<blocksFor(words), kThreads, 0, stream>>>(static_cast<uint4*>(target),
                                                     static_cast<const uint4*>(host), words);
    checkLaunch("fetch");
}

void enqueueOrder(const MessageList& list, cudaStream_t stream) {
    checkCuda(cudaMemsetAsync(list.classOffsets, 0, kLengthClasses * sizeof(std::uint32_t), stream),
              "cudaMemsetAsync");
    countClasses<<<blocksFor(list.count), kThreads, 0, stream>>>(list);
    checkLaunch("countClasses");
    classCountsToOffsets<<<1, kSumThreads, 0, stream>>>(list.classOffsets);
    checkLaunch("classCountsToOffsets");
    scatterMessages<<<blocksFor(list.count), kThreads, 0, stream>>>(list);
    checkLaunch("scatterMessages");
}

}  // namespace shredder
