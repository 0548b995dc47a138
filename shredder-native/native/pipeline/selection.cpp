// SPDX-License-Identifier: Apache-2.0
#include "pipeline/selection.h"

#include <algorithm>

#include "chunk/candidate_finder.h"

namespace shredder {

void Selection::select(RingJob& job, const Candidates& candidates) {
    writeRecords(job, candidates);
    goOnWithCarried(job);
    beginCarried(job);
}

void Selection::writeRecords(RingJob& job, const Candidates& candidates) {
    job.recordCount = 0;
    auto emit = [&job](std::uint64_t offset, std::uint32_t length, bool segmentEnd) {
        job.records[job.recordCount++] = {offset, length, segmentEnd ? SHREDDER_RECORD_SEGMENT_END : 0, {}};
    };
    CandidateFinder finder(plan_.scan, candidates, job.payload, job.streamOffset);
    selector_.select(finder, job.streamOffset, job.streamOffset + job.payloadBytes, job.last, emit);
}

void Selection::goOnWithCarried(RingJob& job) {
    job.carried = unfinished_.get();
    job.carriedEnds = unfinished_ && job.recordCount > 0;
    job.carriedBefore = wentOn_;
    if (!unfinished_) return;
    std::size_t brought = job.carriedEnds ? job.records[0].length - unfinished_->size() : job.payloadBytes;
    if (!job.carriedEnds) pool_.makeRoom(*unfinished_);
    unfinished_->append(job.payload, brought);
    job.carriedBytes = unfinished_->size();
    wentOn_ = !job.carriedEnds;
    if (job.carriedEnds) job.ended = std::move(unfinished_);
}

/// Copies, since the reader may have this buffer again before the chunk ends.
void Selection::beginCarried(const RingJob& job) {
    if (unfinished_) return;
    std::uint64_t end = job.streamOffset + job.payloadBytes;
    std::uint64_t from = std::max(selector_.lastCut(), job.streamOffset);
    if (from == end) return;
    unfinished_ = pool_.take();
    unfinished_->begin(plan_.digestAlgorithm);
    unfinished_->append(job.payload + (from - job.streamOffset), end - from);
}

}  // namespace shredder
