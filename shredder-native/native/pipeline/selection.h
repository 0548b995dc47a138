// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "chunk/cut_selector.h"
#include "pipeline/carried_bytes.h"
#include "pipeline/ring_job.h"

namespace shredder {

/// One stream's cuts, buffer after buffer in the stream's order. Not thread-safe.
class Selection {
  public:
    Selection(const StreamPlan& plan, CarryPool& carried)
        : plan_(plan), pool_(carried), selector_(plan.rules) {}

    /// Writes the records of the chunks that end in the buffer. A chunk that earlier buffers began goes on in
    /// memory of its own, and with the job if it ends here. Every byte of it is copied once, however many
    /// buffers it goes through.
    void select(RingJob& job, const Candidates& candidates);

  private:
    void writeRecords(RingJob& job, const Candidates& candidates);
    void goOnWithCarried(RingJob& job);
    void beginCarried(const RingJob& job);

    const StreamPlan& plan_;
    CarryPool& pool_;
    CutSelector selector_;
    /// What buffers so far brought of the chunk that is not finished; null if they brought nothing.
    std::unique_ptr<CarriedBytes> unfinished_;
    bool wentOn_ = false;  // a buffer has brought neither its beginning nor its end
};

}  // namespace shredder
