// SPDX-License-Identifier: Apache-2.0
#pragma once

// Code that the CPU and the GPU compile from one source, so that both give the same chunks and digests.
#if defined(__CUDACC__)
#define SHREDDER_HOST_DEVICE __host__ __device__
#else
#define SHREDDER_HOST_DEVICE
#endif

/// Before a loop: unroll it wholly, so that arrays indexed by its counter become registers.
#if defined(__CUDA_ARCH__)
#define SHREDDER_UNROLL _Pragma("unroll")
#elif defined(__CUDACC__)
#define SHREDDER_UNROLL  // nvcc's pass for the host: its front end knows no pragma of GCC's
#else
#define SHREDDER_UNROLL _Pragma("GCC unroll 64")
#endif

#include <cstdint>

namespace shredder {

/// 0 < count < 32; one instruction everywhere.
SHREDDER_HOST_DEVICE inline std::uint32_t rotateRight(std::uint32_t value, int count) {
    return (value >> count) | (value << (32 - count));
}

}  // namespace shredder
