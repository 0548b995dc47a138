// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace shredder {

/// What this CPU and its operating system can run.
struct CpuFeatures {
    bool avx2;
    bool gfni;     ///< with AVX2 or AVX-512, whichever is there
    bool avx512;   ///< F and BW
    bool sha;      ///< SHA-256 instructions, and the SSE4.1 they need
    bool pclmul;   ///< carry-less multiplication, and the SSSE3 around it
    bool vpclmul;  ///< the same, four at once in AVX-512 registers
};

/// Looked up once.
const CpuFeatures& cpuFeatures();

}  // namespace shredder
