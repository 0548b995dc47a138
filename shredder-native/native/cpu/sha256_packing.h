// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/digest.h"
#include "cpu/sha256.h"

namespace shredder {

inline constexpr std::size_t kSha256MaxLanes = 16;
inline constexpr std::size_t kSha256StateWords = 8;
/// How far ahead of its block a lane's next bytes are asked for: lanes are too many, and each message too
/// short, for the CPU to see what comes.
inline constexpr std::size_t kSha256PrefetchBytes = 8 * kSha256BlockBytes;

/// The states of messages side by side: word i of lane l is word[i][l]. Always inline, so that no code made
/// for one instruction set is shared with another's.
struct Sha256LaneStates {
    alignas(64) std::uint32_t word[kSha256StateWords][kSha256MaxLanes];

    [[gnu::always_inline]] void load(std::size_t lane, std::uint32_t (&state)[kSha256StateWords]) const {
        for (std::size_t i = 0; i < kSha256StateWords; i++) {
            state[i] = word[i][lane];
        }
    }

    [[gnu::always_inline]] void store(std::size_t lane, const std::uint32_t (&state)[kSha256StateWords]) {
        for (std::size_t i = 0; i < kSha256StateWords; i++) {
            word[i][lane] = state[i];
        }
    }
};

/// SHA-256 of several messages at once, by one set of instructions.
struct Sha256LaneForm {
    std::size_t lanes;
    /// With fewer messages than this, at least 1, `rest` is faster.
    std::size_t worthwhileLanes;
    /// Folds `blocks` blocks of every lane's message into its state; at[lane] moves behind them.
    void (*compress)(Sha256LaneStates& states, const std::uint8_t** at, std::size_t blocks);
    /// A form with fewer lanes for the last messages; null where a single one is worthwhile.
    const Sha256LaneForm* rest;
};

/// One message after the other, on any CPU.
extern const Sha256LaneForm kSha256Portable;

/// Four messages side by side with SHA instructions. Use only where cpuFeatures().sha.
extern const Sha256LaneForm kSha256ShaInstructions;

/// Digests messages of any lengths, packed to the form's lanes. Allocates nothing.
void sha256ManyPacked(const Sha256LaneForm& form, const DigestMessage* messages, std::size_t count);

}  // namespace shredder
