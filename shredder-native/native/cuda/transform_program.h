// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "coding/code.h"

namespace shredder {

/// Whether a code has a program for its transform: whole blocks of 64 data and parity shards, one block of
/// one of both.
bool hasTransformProgram(const coding::Code& code);

/// PTX of a kernel that computes a code's parity by the transforms of coding/transform.h, with the factors in
/// its instructions.
///
///     transform_program(ShardPointers shards)     pointers are multiples of 16
///
/// A block of kTransformProgramThreads computes kTransformProgramBytes of every shard.
std::string transformProgram(const coding::Code& code);

inline constexpr const char* kTransformProgramName = "transform_program";
inline constexpr unsigned kTransformProgramThreads = 256;
inline constexpr std::size_t kTransformProgramBytes = 1024;
inline constexpr int kTransformProgramSharedBytes = 64 << 10;

}  // namespace shredder
