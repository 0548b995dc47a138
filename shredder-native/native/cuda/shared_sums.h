// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace shredder {

/// Sums, by XOR of up to three terms at a time, that have parts in common. Terms are numbered: 0 to 7 are the
/// inputs, those from 8 on the parts.
struct SharedSums {
    /// Part i is term 8 + i: the sum of these terms, all with lower numbers.
    std::vector<std::uint32_t> parts;
    /// The terms of each sum, a bit each.
    std::vector<std::uint32_t> sums;
};

/// Finds parts that spare instructions, the best one first.
///
/// @param sums the inputs of each sum, a bit each
/// @param add whether each sum has one more term of its own
SharedSums sharedSums(std::vector<std::uint32_t> sums, bool add);

}  // namespace shredder
