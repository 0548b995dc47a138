// SPDX-License-Identifier: Apache-2.0
#include "chunk/candidate_finder.h"

#include <algorithm>
#include <bit>

#include "chunk/cut_selector.h"

namespace shredder {
namespace {

constexpr std::size_t kWordBits = 64;
/// Entries that are looked at one by one.
constexpr std::size_t kNearEntries = 4;

std::size_t positionOf(std::uint32_t entry) {
    return entry & ~kStrongFlag;
}

}  // namespace

CandidateFinder::CandidateFinder(const ScanSpec& spec, const Candidates& candidates,
                                 const std::uint8_t* payload, std::uint64_t streamOffset)
    : spec_(spec), candidates_(candidates), payload_(payload), streamOffset_(streamOffset) {}

std::uint64_t CandidateFinder::first(std::uint64_t from, std::uint64_t to) {
    if (from > to) return kNoCandidate;
    std::size_t begin = from - streamOffset_;
    if (begin == 0) {
        if ((fingerprintAt(0) & spec_.mask) == spec_.marker) return from;
        begin = 1;
    }
    std::size_t end = to - streamOffset_;
    if (begin > end) return kNoCandidate;
    return candidates_.bitmap != nullptr ? firstOfBitmap(begin, end) : firstOfList(begin, end);
}

/// Most often the next entry or the one after it is meant; where candidates are many, min may skip thousands,
/// so then it gallops.
std::uint64_t CandidateFinder::firstOfList(std::size_t from, std::size_t to) {
    const std::uint32_t* list = candidates_.list;
    std::size_t near = std::min(cursor_ + kNearEntries, candidates_.count);
    while (cursor_ < near && positionOf(list[cursor_]) < from) {
        cursor_++;
    }
    if (cursor_ == near) gallop(from);
    if (cursor_ == candidates_.count || positionOf(list[cursor_]) > to) return kNoCandidate;
    return streamOffset_ + positionOf(list[cursor_]);
}

void CandidateFinder::gallop(std::size_t from) {
    const std::uint32_t* list = candidates_.list;
    std::size_t step = 1;
    std::size_t low = cursor_;
    while (low + step <= candidates_.count && positionOf(list[low + step - 1]) < from) {
        low += step;
        step *= 2;
    }
    const std::uint32_t* end = list + std::min(low + step, candidates_.count);
    const std::uint32_t* found = std::lower_bound(
        list + low, end, from,
        [](std::uint32_t entry, std::size_t position) { return positionOf(entry) < position; });
    cursor_ = static_cast<std::size_t>(found - list);
}

/// Position p is bit p - 1.
std::uint64_t CandidateFinder::firstOfBitmap(std::size_t from, std::size_t to) const {
    std::size_t word = (from - 1) / kWordBits;
    std::uint64_t bits = candidates_.bitmap[word] & (~0ULL << ((from - 1) % kWordBits));
    std::size_t last = (to - 1) / kWordBits;
    while (bits == 0) {
        if (word == last) return kNoCandidate;
        bits = candidates_.bitmap[++word];
    }
    std::size_t position = word * kWordBits + static_cast<std::size_t>(std::countr_zero(bits)) + 1;
    return position <= to ? streamOffset_ + position : kNoCandidate;
}

bool CandidateFinder::isStrong(std::uint64_t position) const {
    if (position > streamOffset_ && candidates_.strengthListed) {
        return (candidates_.list[cursor_] & kStrongFlag) != 0;
    }
    return (fingerprintAt(position - streamOffset_) & spec_.segmentMask) == spec_.segmentMarker;
}

std::uint64_t CandidateFinder::fingerprintAt(std::size_t position) const {
    return windowFingerprint(spec_.tables, payload_ + position);
}

}  // namespace shredder
