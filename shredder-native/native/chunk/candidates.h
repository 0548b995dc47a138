// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace shredder {

/// Set in a candidate of a list that matches the segment mask as well.
inline constexpr std::uint32_t kStrongFlag = 1U << 31;

/// The candidates of one buffer as a device found them, in host memory. Exactly one form is set:
/// a list, as long as there are few of them, or a bitmap, which is bounded whatever the input.
struct Candidates {
    /// `count` ascending values: the position after the candidate byte, relative to the payload (1 up to its
    /// size).
    const std::uint32_t* list = nullptr;
    std::size_t count = 0;
    /// Bit i % 64 of bitmap[i / 64]: payload byte i is a candidate.
    const std::uint64_t* bitmap = nullptr;
    /// Entries of the list that match the segment mask too have kStrongFlag. Else strength is worked out from
    /// the bytes.
    bool strengthListed = false;
};

}  // namespace shredder
