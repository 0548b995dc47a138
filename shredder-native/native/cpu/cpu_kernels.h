// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "cpu/digest.h"
#include "cpu/features.h"
#include "cpu/running_digest.h"
#include "cpu/scan.h"
#include "shredder.h"

namespace shredder {

/// The functions that one CPU backend computes with.
struct CpuKernels {
    CpuScan scan;
    DigestMany sha256;
    DigestMany blake3;
    RunningKernels running;
    std::string instructions;  ///< what they use, in words
};

/// The fastest kernels of a backend (scalar, avx2 or avx512) on a CPU with these features; nothing where the
/// backend needs more than they are.
std::optional<CpuKernels> cpuKernels(shredder_backend backend, const CpuFeatures& features);

/// Those of the best backend that this CPU can run.
const CpuKernels& bestCpuKernels();

}  // namespace shredder
