// SPDX-License-Identifier: Apache-2.0
#include "pipeline/selection.h"

#include <algorithm>

#include "chunk/candidate_finder.h"

namespace shredder {

void Selection::select(RingJob& job, const Candidates& candidates) {
    writeRecords(job, candidates);
    if (unfinished_ && job.recordCount > 0) finishCarried(job);
    keepUnfinished(job);
}

void Selection::writeRecords(RingJob& job, const Candidates& candidates) {
    job.recordCount = 0;
    auto emit = [&job](std::uint64_t offset, std::uint32_t length, bool segmentEnd) {
        job.records[job.recordCount++] = {offset, length, segmentEnd ? SHREDDER_RECORD_SEGMENT_END : 0, {}};
    };
    CandidateFinder finder(plan_.scan, candidates, job.payload, job.streamOffset);
    selector_.select(finder, job.streamOffset, job.streamOffset + job.payloadBytes, job.last, emit);
}

void Selection::finishCarried(RingJob& job) {
    job.carryBytes = unfinished_->size();
    unfinished_->append(job.payload, job.records[0].length - job.carryBytes);
    job.carriedChunk = unfinished_->data();
    job.carried = std::move(unfinished_);
}

/// Copies, since the reader may have this buffer again before the chunk ends.
void Selection::keepUnfinished(const RingJob& job) {
    std::uint64_t end = job.streamOffset + job.payloadBytes;
    std::uint64_t from = std::max(selector_.lastCut(), job.streamOffset);
    if (from == end) return;
    unfinished_ = unfinished_ ? pool_.roomier(std::move(unfinished_)) : pool_.take();
    unfinished_->append(job.payload + (from - job.streamOffset), end - from);
}

}  // namespace shredder
