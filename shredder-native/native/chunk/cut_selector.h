// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "chunk/host_device.h"

namespace shredder {

/// The limits of docs/formats/chunking.md sections 3 and 4, in bytes.
struct CutRules {
    std::uint64_t minBytes;
    std::uint64_t maxBytes;
    std::uint64_t segmentMinBytes;
    std::uint64_t segmentMaxBytes;
    bool hasSegments;
};

/// What selection carries from one buffer of a stream to the next.
struct CutState {
    std::uint64_t lastCut = 0;
    std::uint64_t lastSegmentCut = 0;
    /// The previous buffer's last byte was a candidate; whether the stream ends there was not known yet.
    bool pendingCandidate = false;
    bool pendingStrong = false;
};

/// Turns the candidates of one buffer into cuts. Call start, candidate for each candidate in order, finish.
/// A cut is named by the position after its last byte, counted from the stream's start.
/// Emit is called as emit(offset, length, segmentEnd) for each chunk, in order.
///
/// A cut at the very end of a buffer waits for the next buffer: only then is it known whether it is also the
/// end of the stream, which would make it a segment cut.
template <typename Emit>
class CutSelector {
  public:
    SHREDDER_HOST_DEVICE CutSelector(const CutRules& rules, const CutState& state, std::uint64_t bufferEnd,
                                     bool last, Emit emit)
        : rules_(rules), state_(state), bufferEnd_(bufferEnd), last_(last), emit_(emit) {}

    SHREDDER_HOST_DEVICE void start(std::uint64_t bufferBegin) {
        if (!state_.pendingCandidate) return;
        state_.pendingCandidate = false;
        candidate(bufferBegin, [strong = state_.pendingStrong] { return strong; });
    }

    /// Byte cut - 1 is a candidate; isStrong() says whether it matches the segment mask as well.
    template <typename IsStrong>
    SHREDDER_HOST_DEVICE void candidate(std::uint64_t cut, IsStrong isStrong) {
        if (cut == bufferEnd_ && !last_) {
            state_.pendingCandidate = true;
            state_.pendingStrong = rules_.hasSegments && isStrong();
            return;
        }
        forceCutsBefore(cut);
        if (cut - state_.lastCut >= rules_.minBytes) cutAt(cut, rules_.hasSegments && isStrong());
    }

    SHREDDER_HOST_DEVICE void finish() {
        forceCutsBefore(bufferEnd_);
        if (last_ && bufferEnd_ > state_.lastCut) cutAt(bufferEnd_, false);
    }

    SHREDDER_HOST_DEVICE const CutState& state() const { return state_; }

  private:
    SHREDDER_HOST_DEVICE void forceCutsBefore(std::uint64_t position) {
        while (position - state_.lastCut > rules_.maxBytes) {
            cutAt(state_.lastCut + rules_.maxBytes, false);
        }
    }

    SHREDDER_HOST_DEVICE void cutAt(std::uint64_t cut, bool strong) {
        bool segmentEnd = rules_.hasSegments && endsSegment(cut, strong);
        emit_(state_.lastCut, static_cast<std::uint32_t>(cut - state_.lastCut), segmentEnd);
        state_.lastCut = cut;
        if (segmentEnd) state_.lastSegmentCut = cut;
    }

    SHREDDER_HOST_DEVICE bool endsSegment(std::uint64_t cut, bool strong) const {
        std::uint64_t segmentBytes = cut - state_.lastSegmentCut;
        return (strong && segmentBytes >= rules_.segmentMinBytes) ||
               segmentBytes > rules_.segmentMaxBytes - rules_.maxBytes || (last_ && cut == bufferEnd_);
    }

    CutRules rules_;
    CutState state_;
    std::uint64_t bufferEnd_;
    bool last_;
    Emit emit_;
};

}  // namespace shredder
