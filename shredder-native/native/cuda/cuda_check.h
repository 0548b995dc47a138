// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

namespace shredder {

/// Throws an Error that says what failed and whether a new stream may survive it. Every CUDA call goes
/// through here or, in destructors, through logCuda.
void checkCuda(cudaError_t result, const char* what);

/// After a kernel's launch.
inline void checkLaunch(const char* kernel) {
    checkCuda(cudaGetLastError(), kernel);
}

/// For destructors: writes a failure to standard error, never throws.
void logCuda(cudaError_t result, const char* what) noexcept;

}  // namespace shredder
