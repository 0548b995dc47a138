// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "pipeline/device.h"

namespace shredder::remote {

/// Computes a piece of a buffer again, and says whether the candidates in it are these. Another seed, another
/// piece.
bool checkScan(const Job& job, const Candidates& candidates, std::uint64_t seed);

/// The same for the digest of one of its chunks, if any lies in it.
bool checkDigest(const Job& job, std::uint64_t seed);

}  // namespace shredder::remote
