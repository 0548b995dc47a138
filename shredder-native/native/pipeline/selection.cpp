// SPDX-License-Identifier: Apache-2.0
#include "pipeline/selection.h"

#include <cstring>

#include "chunk/candidate_finder.h"

namespace shredder {

void Selection::select(Job& job, const Candidates& candidates) {
    placeCarry(job);
    writeRecords(job, candidates);
    keepCarry(job);
}

void Selection::placeCarry(Job& job) {
    job.carryBytes = carry_.size();
    if (!carry_.empty()) std::memcpy(job.payload - carry_.size(), carry_.data(), carry_.size());
}

void Selection::writeRecords(Job& job, const Candidates& candidates) {
    job.recordCount = 0;
    auto emit = [&job](std::uint64_t offset, std::uint32_t length, bool segmentEnd) {
        job.records[job.recordCount++] = {offset, length, segmentEnd ? SHREDDER_RECORD_SEGMENT_END : 0, {}};
    };
    CandidateFinder finder(plan_.scan, candidates, job.payload, job.streamOffset);
    selector_.select(finder, job.streamOffset, job.streamOffset + job.payloadBytes, job.last, emit);
}

/// A copy, since the consumer may have the next buffer still, and the reader this one before that is its
/// turn.
void Selection::keepCarry(const Job& job) {
    const std::uint8_t* end = job.payload + job.payloadBytes;
    carry_.assign(end - (job.streamOffset + job.payloadBytes - selector_.lastCut()), end);
}

}  // namespace shredder
