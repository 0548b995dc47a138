// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "coding/matrix.h"

namespace shredder {

/// Whether a program of its own is worth while for a matrix: small enough for an instruction cache.
bool deservesProgram(const coding::Matrix& matrix);

/// PTX of a kernel that multiplies by one matrix, without tables or look-ups: the matrix is in the
/// instructions. For each output, from the highest bit of the elements down: what there is doubled, and the
/// inputs added whose element has the bit (Horner).
///
///     coding_program(ShardPointers shards, u64 vectors)     vectors of 16 bytes; pointers are multiples of
///     16
std::string codingProgram(const coding::Matrix& matrix);

inline constexpr const char* kCodingProgramName = "coding_program";
/// Threads of its blocks, each for one vector.
inline constexpr unsigned kCodingProgramThreads = 256;

}  // namespace shredder
