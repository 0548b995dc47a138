// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "chunk/cut_selector.h"
#include "chunk/fingerprint.h"
#include "shredder.h"

namespace shredder {

/// Throws Error(SHREDDER_INVALID_ARGUMENT) that names every rule of docs/formats/chunking.md the parameters
/// break.
void validate(const shredder_params& params);

/// Of valid parameters.
ScanSpec scanSpec(const shredder_params& params);
CutRules cutRules(const shredder_params& params);

}  // namespace shredder
