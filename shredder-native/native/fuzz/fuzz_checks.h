// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace shredder::fuzz {

/// Runs the case that the bytes stand for (FuzzCase) through every kernel of this CPU and through the C API
/// on one of the machine's backends, and throws std::runtime_error, saying what, where one disagrees with the
/// reference.
void check(const std::uint8_t* bytes, std::size_t size);

}  // namespace shredder::fuzz
