// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace shredder {

/// What this CPU and its operating system can run.
struct CpuFeatures {
    bool avx2;
    bool avx512Gfni;  ///< AVX-512 F, BW, VL and VBMI, and GFNI
    bool sha;         ///< SHA-256 instructions, and the SSE4.1 they need
};

/// Looked up once.
const CpuFeatures& cpuFeatures();

}  // namespace shredder
