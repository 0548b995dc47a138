// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "chunk/cut_selector.h"
#include "pipeline/device.h"

namespace shredder {

/// One stream's cuts, buffer after buffer in the stream's order. Not thread-safe.
class Selection {
  public:
    explicit Selection(const StreamPlan& plan) : plan_(plan), selector_(plan.rules) {}

    /// Makes the chunks that end in the buffer contiguous, by putting the unfinished chunk's bytes before the
    /// payload, and writes their records.
    void select(Job& job, const Candidates& candidates);

  private:
    void placeCarry(Job& job);
    void writeRecords(Job& job, const Candidates& candidates);
    void keepCarry(const Job& job);

    const StreamPlan& plan_;
    CutSelector selector_;
    std::vector<std::uint8_t> carry_;  // of the unfinished chunk, up to the end of the last buffer
};

}  // namespace shredder
