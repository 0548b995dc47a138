// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a block of sliced_scan.h does with its hits, which come a column at a time: for each of 64 steps the
// lanes whose fingerprint matched. Marking sets bits and takes any number of hits; listing keeps few, and
// never touches memory beyond the nearest cache. Columns come in order, so each lane's hits come in order;
// and the lanes' stretches lie one behind the other, so the lanes' hits one behind the other are all hits in
// order.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "cpu/scan.h"

namespace shredder {

/// Steps of a column.
inline constexpr std::size_t kColumnSteps = 64;

/// Bit i: hits[i] is not 0.
template <typename Vector>
std::uint64_t stepsWithHits(const typename Vector::Mask* hits) {
    std::uint64_t steps = 0;
    for (std::size_t i = 0; i < kColumnSteps; i += 8) {
        steps |= static_cast<std::uint64_t>(Vector::nonZero(hits + i)) << i;
    }
    return steps;
}

/// Sets the bits of one block's hits in its part of a bitmap.
template <typename Vector>
class MarkedHits {
    using Mask = typename Vector::Mask;

  public:
    MarkedHits(std::uint64_t* bitmap, std::size_t stretch)
        : bitmap_(bitmap), wordsApart_(stretch / kColumnSteps) {
        std::memset(bitmap, 0, Vector::kLanes * wordsApart_ * sizeof(std::uint64_t));
    }

    /// Takes the hits of steps step .. step + 63. Always true.
    bool take(const Mask (&hits)[kColumnSteps], std::size_t step) {
        std::uint64_t* column = bitmap_ + step / kColumnSteps;
        int budget = kSparseHits;
        for (std::uint64_t steps = stepsWithHits<Vector>(hits); steps != 0; steps &= steps - 1) {
            auto at = static_cast<unsigned>(std::countr_zero(steps));
            budget -= std::popcount(hits[at]);
            if (budget < 0) {
                transposeHits(hits, column);
                break;
            }
            for (Mask lanes = hits[at]; lanes != 0; lanes &= lanes - 1) {
                auto lane = static_cast<std::size_t>(std::countr_zero(lanes));
                column[lane * wordsApart_] |= std::uint64_t{1} << at;
            }
        }
        return true;
    }

  private:
    /// Hits of a column that are placed one by one; with more, all bits are transposed at a fixed price.
    static constexpr int kSparseHits = 16;

    /// Any number of hits: byLane[j][g] holds, in byte b, the hits of lane 8b + j in steps 8g .. 8g + 7.
    void transposeHits(const Mask (&hits)[kColumnSteps], std::uint64_t* column) const {
        Mask byLane[8][8];
        for (std::size_t g = 0; g < 8; g++) {
            typename Vector::Bytes bits = Vector::gatherBytes(hits + 8 * g);
            for (std::size_t j = 8; j-- > 0; bits = Vector::twice(bits)) {
                byLane[j][g] = Vector::topBits(bits);
            }
        }
        for (std::size_t j = 0; j < 8; j++) {
            std::uint64_t words[Vector::kLanes / 8];
            Vector::store(words, Vector::gatherBytes(byLane[j]));
            for (std::size_t b = 0; b < Vector::kLanes / 8; b++) {
                column[(8 * b + j) * wordsApart_] = words[b];
            }
        }
    }

    std::uint64_t* bitmap_;
    std::size_t wordsApart_;
};

/// Keeps one block's hits by lane, then lists them.
template <typename Vector>
class ListedHits {
    using Mask = typename Vector::Mask;

  public:
    /// Takes the hits of steps step .. step + 63. False if a lane has too many: the block can't be listed.
    bool take(const Mask (&hits)[kColumnSteps], std::size_t step) {
        for (std::uint64_t steps = stepsWithHits<Vector>(hits); steps != 0; steps &= steps - 1) {
            auto at = static_cast<unsigned>(std::countr_zero(steps));
            touched_ |= hits[at];
            for (Mask lanes = hits[at]; lanes != 0; lanes &= lanes - 1) {
                auto lane = static_cast<std::size_t>(std::countr_zero(lanes));
                if (counts_[lane] == kLaneRoom) return false;
                steps_[lane][counts_[lane]++] = static_cast<std::uint16_t>(step + at);
            }
        }
        return true;
    }

    /// Adds the block's hits to a list's `count` entries; `base` is the list's base plus the block's offset.
    /// False, with nothing added to count, if there is not enough room.
    bool appendTo(const ListTarget& list, std::size_t& count, std::size_t base, std::size_t stretch) const {
        std::size_t end = count;
        for (Mask lanes = touched_; lanes != 0; lanes &= lanes - 1) {
            auto lane = static_cast<std::size_t>(std::countr_zero(lanes));
            if (counts_[lane] > list.room - end) return false;
            auto first = static_cast<std::uint32_t>(base + lane * stretch + 1);
            for (std::size_t i = 0; i < counts_[lane]; i++) {
                list.entries[end++] = first + steps_[lane][i];
            }
        }
        count = end;
        return true;
    }

  private:
    static constexpr std::size_t kLaneRoom = 32;

    Mask touched_ = 0;
    std::uint8_t counts_[Vector::kLanes] = {};
    std::uint16_t steps_[Vector::kLanes][kLaneRoom];
};

}  // namespace shredder
