// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/digest.h"
#include "cpu/sha256.h"

namespace shredder {

inline constexpr std::size_t kSha256MaxLanes = 16;
inline constexpr std::size_t kSha256StateWords = 8;

/// The states of messages side by side: word i of lane l is word[i][l].
struct Sha256LaneStates {
    alignas(64) std::uint32_t word[kSha256StateWords][kSha256MaxLanes];
};

/// SHA-256 of several messages at once, by one set of instructions.
struct Sha256LaneForm {
    std::size_t lanes;
    /// With fewer messages than this, one after the other is faster.
    std::size_t worthwhileLanes;
    /// Folds `blocks` blocks of every lane's message into its state; at[lane] moves behind them.
    void (*compress)(Sha256LaneStates& states, const std::uint8_t** at, std::size_t blocks);
    /// The form for one message.
    Sha256Compress one;
};

/// Digests messages of any lengths, packed to the form's lanes.
void sha256ManyPacked(const Sha256LaneForm& form, const DigestMessage* messages, std::size_t count);

}  // namespace shredder
