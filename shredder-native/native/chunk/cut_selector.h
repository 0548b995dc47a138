// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace shredder {

/// The limits of docs/formats/chunking.md sections 3 and 4, in bytes.
struct CutRules {
    std::uint64_t minBytes;
    std::uint64_t maxBytes;
    std::uint64_t segmentMinBytes;
    std::uint64_t segmentMaxBytes;
    bool hasSegments;
};

/// No position.
inline constexpr std::uint64_t kNoCandidate = ~0ULL;

/// Turns the candidates of a stream's buffers, one buffer after the other, into cuts. A cut and a candidate
/// are named by the position after their byte, counted from the stream's start.
///
/// It asks for the first candidate from the earliest position on that may be a cut, so the candidates that
/// min skips are never looked at: a flood of them costs no more than their absence.
///
/// Where there are segments, a cut at the very end of a buffer waits for the next buffer: only then is it
/// known whether it is also the end of the stream, which would make it a segment cut. So the next buffer's
/// candidates begin at the position before its first byte.
class CutSelector {
  public:
    explicit CutSelector(const CutRules& rules) : rules_(rules) {}

    /// Where the unfinished chunk begins.
    std::uint64_t lastCut() const { return lastCut_; }

    /// The cuts of the stream's next buffer, bytes begin up to end.
    /// candidates.first(from, to): the first candidate in from .. to, both included, or kNoCandidate; from
    /// never decreases. candidates.isStrong(position): whether that candidate matches the segment mask too.
    /// Calls emit(offset, length, segmentEnd) for each chunk that ends in the buffer, in order.
    template <typename CandidatesOfBuffer, typename Emit>
    void select(CandidatesOfBuffer& candidates, std::uint64_t begin, std::uint64_t end, bool last,
                Emit emit) {
        for (;;) {
            std::uint64_t forced = lastCut_ + rules_.maxBytes;
            std::uint64_t earliest = std::max(lastCut_ + rules_.minBytes, begin);
            std::uint64_t candidate = candidates.first(earliest, std::min(forced, end));
            std::uint64_t cut = std::min(candidate, forced);
            bool waits = cut == end && !last && rules_.hasSegments;
            if (cut > end || waits) break;
            cutAt(
                cut, last && cut == end, [&] { return cut == candidate && candidates.isStrong(cut); }, emit);
        }
        if (last && end > lastCut_)
            cutAt(
                end, true, [] { return false; }, emit);
    }

  private:
    template <typename IsStrong, typename Emit>
    void cutAt(std::uint64_t cut, bool endOfStream, IsStrong isStrong, Emit& emit) {
        bool segmentEnd = rules_.hasSegments && (endOfStream || endsSegment(cut, isStrong));
        emit(lastCut_, static_cast<std::uint32_t>(cut - lastCut_), segmentEnd);
        lastCut_ = cut;
        if (segmentEnd) lastSegmentCut_ = cut;
    }

    template <typename IsStrong>
    bool endsSegment(std::uint64_t cut, IsStrong isStrong) const {
        std::uint64_t segmentBytes = cut - lastSegmentCut_;
        return segmentBytes > rules_.segmentMaxBytes - rules_.maxBytes ||
               (segmentBytes >= rules_.segmentMinBytes && isStrong());
    }

    CutRules rules_;
    std::uint64_t lastCut_ = 0;
    std::uint64_t lastSegmentCut_ = 0;
};

}  // namespace shredder
