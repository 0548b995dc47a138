// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace shredder {

/// Sum of the values of the threads before this one; total is that of all. Every thread of the block, which
/// has BlockThreads, must call it.
template <unsigned BlockThreads>
__device__ std::uint32_t exclusiveSum(std::uint32_t value, std::uint32_t& total) {
    __shared__ std::uint32_t sums[BlockThreads];
    sums[threadIdx.x] = value;
    __syncthreads();
    for (unsigned distance = 1; distance < BlockThreads; distance *= 2) {
        std::uint32_t before = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
        __syncthreads();
        sums[threadIdx.x] += before;
        __syncthreads();
    }
    total = sums[BlockThreads - 1];
    std::uint32_t exclusive = sums[threadIdx.x] - value;
    __syncthreads();  // sums may be used again
    return exclusive;
}

}  // namespace shredder
