// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "chunk/candidates.h"
#include "chunk/fingerprint.h"

namespace shredder {

/// What a CutSelector asks of one buffer's candidates, in either form. Positions count from the stream's
/// start, and run from the one before the buffer's first byte (which the 48 bytes before it decide) to the
/// one after its last. A view: candidates and bytes must stay.
class CandidateFinder {
  public:
    /// payload has 48 readable bytes before it.
    CandidateFinder(const ScanSpec& spec, const Candidates& candidates, const std::uint8_t* payload,
                    std::uint64_t streamOffset);

    /// The first candidate in from .. to, both included, or kNoCandidate. from must not decrease from call to
    /// call, nor be before the buffer; to must not be after it.
    std::uint64_t first(std::uint64_t from, std::uint64_t to);

    /// Whether the candidate that first returned last matches the segment mask as well.
    bool isStrong(std::uint64_t position) const;

  private:
    std::uint64_t firstOfList(std::size_t from, std::size_t to);
    void gallop(std::size_t from);
    std::uint64_t firstOfBitmap(std::size_t from, std::size_t to) const;
    std::uint64_t fingerprintAt(std::size_t position) const;

    const ScanSpec& spec_;
    Candidates candidates_;
    const std::uint8_t* payload_;
    std::uint64_t streamOffset_;
    std::size_t cursor_ = 0;  // entries of the list before it are too early
};

}  // namespace shredder
