// SPDX-License-Identifier: Apache-2.0
#pragma once

// Code that the CPU and the GPU compile from one source, so that both give the same chunks.
#if defined(__CUDACC__)
#define SHREDDER_HOST_DEVICE __host__ __device__
#else
#define SHREDDER_HOST_DEVICE
#endif
