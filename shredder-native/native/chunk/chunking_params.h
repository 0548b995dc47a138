// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "chunk/cut_selector.h"
#include "chunk/fingerprint.h"
#include "shredder.h"

namespace shredder {

/// docs/formats/chunking.md section 5.
enum class DigestAlgorithm : std::uint32_t { Sha256 = 1, Blake3 = 2 };

/// Throws Error(SHREDDER_INVALID_ARGUMENT) unless there is an algorithm of this number.
DigestAlgorithm digestAlgorithm(std::uint32_t number);

/// Throws Error(SHREDDER_INVALID_ARGUMENT) that names every rule of docs/formats/chunking.md the parameters
/// break.
void validate(const shredder_params& params);

/// Of valid parameters.
ScanSpec scanSpec(const shredder_params& params);
CutRules cutRules(const shredder_params& params);

}  // namespace shredder
