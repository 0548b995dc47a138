// SPDX-License-Identifier: Apache-2.0
#include "chunk/cut_selector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "chunk/candidate_finder.h"
#include "chunk/chunking_params.h"
#include "tests/test_support.h"

namespace shredder::test {
namespace {

struct Cut {
    std::uint64_t end;
    bool segmentEnd;
    bool operator==(const Cut&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Cut& cut) {
    return out << cut.end << (cut.segmentEnd ? "|" : "");
}

/// Candidates of a whole stream, as positions.
class ListedCandidates {
  public:
    explicit ListedCandidates(std::vector<std::uint64_t> positions, bool strong = false)
        : positions_(std::move(positions)), strong_(strong) {}

    std::uint64_t first(std::uint64_t from, std::uint64_t to) const {
        auto found = std::lower_bound(positions_.begin(), positions_.end(), from);
        return found == positions_.end() || *found > to ? kNoCandidate : *found;
    }
    bool isStrong(std::uint64_t) const { return strong_; }

  private:
    std::vector<std::uint64_t> positions_;
    bool strong_;
};

/// The cuts of one buffer.
std::vector<Cut> cutsOf(CutSelector& selector, const ListedCandidates& candidates, std::uint64_t begin,
                        std::uint64_t end, bool last) {
    std::vector<Cut> cuts;
    selector.select(candidates, begin, end, last,
                    [&](std::uint64_t offset, std::uint32_t length, bool segmentEnd) {
                        cuts.push_back({offset + length, segmentEnd});
                    });
    return cuts;
}

/// The cuts of one buffer that is the whole stream.
std::vector<Cut> cutsOf(const CutRules& rules, const std::vector<std::uint64_t>& candidates,
                        std::uint64_t end, bool strong = false) {
    CutSelector selector(rules);
    return cutsOf(selector, ListedCandidates(candidates, strong), 0, end, true);
}

constexpr CutRules kPlain{
    .minBytes = 10, .maxBytes = 40, .segmentMinBytes = 0, .segmentMaxBytes = 0, .hasSegments = false};
constexpr CutRules kSegments{
    .minBytes = 10, .maxBytes = 40, .segmentMinBytes = 60, .segmentMaxBytes = 120, .hasSegments = true};

TEST(CutSelectorTest, aCandidateAtExactlyMinCountsAndACloserOneDoesNot) {
    EXPECT_EQ(cutsOf(kPlain, {9, 10}, 30), (std::vector<Cut>{{10, false}, {30, false}}));
    EXPECT_EQ(cutsOf(kPlain, {9}, 30), (std::vector<Cut>{{30, false}}));
}

TEST(CutSelectorTest, aCandidateAtExactlyMaxCountsAndNoneForcesACut) {
    EXPECT_EQ(cutsOf(kPlain, {40, 49, 50}, 60), (std::vector<Cut>{{40, false}, {50, false}, {60, false}}));
    EXPECT_EQ(cutsOf(kPlain, {}, 100), (std::vector<Cut>{{40, false}, {80, false}, {100, false}}));
}

TEST(CutSelectorTest, aCandidateRightAfterAForcedCutIsTooClose) {
    EXPECT_EQ(cutsOf(kPlain, {45}, 60), (std::vector<Cut>{{40, false}, {60, false}}));
}

TEST(CutSelectorTest, aCutAtTheEndIsReportedOnce) {
    EXPECT_EQ(cutsOf(kPlain, {40}, 40), (std::vector<Cut>{{40, false}}));
    EXPECT_EQ(cutsOf(kPlain, {}, 40), (std::vector<Cut>{{40, false}}));
    EXPECT_EQ(cutsOf(kPlain, {}, 0), (std::vector<Cut>{}));
}

TEST(CutSelectorTest, aStrongCutEndsASegmentOnlyFromSegmentMinOn) {
    EXPECT_EQ(cutsOf(kSegments, {30, 60, 75}, 80, true),
              (std::vector<Cut>{{30, false}, {60, true}, {75, false}, {80, true}}));
}

TEST(CutSelectorTest, aSegmentEndsWhereOneMoreChunkMightNotFit) {
    EXPECT_EQ(cutsOf(kSegments, {}, 200),
              (std::vector<Cut>{{40, false}, {80, false}, {120, true}, {160, false}, {200, true}}));
}

TEST(CutSelectorTest, aCutAtABuffersEndWaitsUntilItIsKnownWhetherTheStreamEndsThere) {
    ListedCandidates candidates({20});
    CutSelector first(kSegments);
    EXPECT_EQ(cutsOf(first, candidates, 0, 20, false), (std::vector<Cut>{}));

    CutSelector goesOn = first;
    EXPECT_EQ(cutsOf(goesOn, candidates, 20, 25, false), (std::vector<Cut>{{20, false}}));

    CutSelector endsHere = first;
    EXPECT_EQ(cutsOf(endsHere, candidates, 20, 20, true), (std::vector<Cut>{{20, true}}));
}

TEST(CutSelectorTest, withoutSegmentsACutAtABuffersEndDoesNotWait) {
    CutSelector selector(kPlain);
    EXPECT_EQ(cutsOf(selector, ListedCandidates({20}), 0, 20, false), (std::vector<Cut>{{20, false}}));
    EXPECT_EQ(cutsOf(selector, ListedCandidates({}), 20, 60, false), (std::vector<Cut>{{60, false}}));
    EXPECT_EQ(cutsOf(selector, ListedCandidates({}), 60, 60, true), (std::vector<Cut>{}));
}

TEST(CutSelectorTest, aForcedCutAtABuffersEndWaitsThroughEmptyBuffers) {
    ListedCandidates none({});
    CutSelector selector(kSegments);
    EXPECT_EQ(cutsOf(selector, none, 0, 40, false), (std::vector<Cut>{}));
    EXPECT_EQ(cutsOf(selector, none, 40, 40, false), (std::vector<Cut>{}));
    EXPECT_EQ(cutsOf(selector, none, 40, 41, true), (std::vector<Cut>{{40, false}, {41, true}}));
}

constexpr int kForms = 3;

/// One buffer's candidates in every form, and as a device would find them: the reference for the forms.
struct Buffer {
    Bytes bytes;  // 48 before the payload
    std::vector<std::uint32_t> list;
    std::vector<std::uint32_t> plainList;  // which says nothing of strength
    std::vector<std::uint64_t> bitmap;

    Buffer(const ScanSpec& spec, const Bytes& data, std::size_t begin, std::size_t end)
        : bytes(kWindowBytes), bitmap((end - begin + 63) / 64) {
        for (std::size_t i = 0; i < kWindowBytes; i++) {
            if (begin + i >= kWindowBytes) bytes[i] = data[begin + i - kWindowBytes];
        }
        bytes.insert(bytes.end(), data.begin() + static_cast<std::ptrdiff_t>(begin),
                     data.begin() + static_cast<std::ptrdiff_t>(end));
        for (std::size_t i = 0; i < end - begin; i++) {
            std::uint64_t fingerprint = windowFingerprint(spec.tables, payload() + i + 1);
            if ((fingerprint & spec.mask) != spec.marker) continue;
            bitmap[i / 64] |= 1ULL << (i % 64);
            bool strong = (fingerprint & spec.segmentMask) == spec.segmentMarker;
            list.push_back(static_cast<std::uint32_t>(i + 1) | (strong ? kStrongFlag : 0));
            plainList.push_back(static_cast<std::uint32_t>(i + 1));
        }
    }

    const std::uint8_t* payload() const { return bytes.data() + kWindowBytes; }
    Candidates asList() const { return {.list = list.data(), .count = list.size(), .strengthListed = true}; }
    Candidates asPlainList() const { return {.list = plainList.data(), .count = plainList.size()}; }
    Candidates asBitmap() const { return {.bitmap = bitmap.data()}; }
    Candidates as(int form) const { return form == 0 ? asList() : form == 1 ? asPlainList() : asBitmap(); }
};

/// Random bytes, or few values, which give floods of candidates and none at all.
Bytes anyInput(std::mt19937_64& random) {
    Bytes data = splitmix64(random(), 1 + random() % 6'000);
    std::uint8_t values = random() % 3 == 0 ? 255 : static_cast<std::uint8_t>(random() % 2);
    for (std::uint8_t& byte : data) {
        byte = byte & values;
    }
    return data;
}

std::vector<Cut> cutsThroughBuffers(const shredder_params& params, const Bytes& data, std::mt19937_64& random,
                                    int form) {
    ScanSpec spec = scanSpec(params);
    CutSelector selector(cutRules(params));
    std::vector<Cut> cuts;
    auto emit = [&](std::uint64_t offset, std::uint32_t length, bool segmentEnd) {
        cuts.push_back({offset + length, segmentEnd});
    };
    for (std::size_t begin = 0;;) {
        std::size_t end = std::min(data.size(), begin + random() % 900);
        bool last = end == data.size() && random() % 2 == 0;
        Buffer buffer(spec, data, begin, end);
        CandidateFinder finder(spec, buffer.as(form), buffer.payload(), begin);
        selector.select(finder, begin, end, last, emit);
        if (last) return cuts;
        begin = end;
    }
}

TEST(CutSelectorTest, everyFormAndEverySplitIntoBuffersGiveTheCutsOfTheDefinition) {
    std::mt19937_64 random(randomSeed());
    for (int round = 0; round < 200; round++) {
        shredder_params params = randomParams(random);
        Bytes data = anyInput(random);
        std::vector<Cut> expected;
        for (const ChunkValue& chunk : referenceChunks(params, data)) {
            expected.push_back({chunk.offset + chunk.length, chunk.segmentEnd});
        }
        for (int form = 0; form < kForms; form++) {
            ASSERT_EQ(cutsThroughBuffers(params, data, random, form), expected)
                << "form " << form << ", round " << round;
        }
    }
}

TEST(CandidateFinderTest, theFirstCandidateOfARangeIsFoundInEveryForm) {
    std::mt19937_64 random(randomSeed());
    for (int round = 0; round < 60; round++) {
        shredder_params params = randomParams(random);
        ScanSpec spec = scanSpec(params);
        Bytes data = anyInput(random);
        std::size_t begin = random() % data.size();
        Buffer buffer(spec, data, begin, data.size());
        CandidateFinder inList(spec, buffer.asList(), buffer.payload(), begin);
        CandidateFinder inPlainList(spec, buffer.asPlainList(), buffer.payload(), begin);
        CandidateFinder inBitmap(spec, buffer.asBitmap(), buffer.payload(), begin);
        for (std::uint64_t from = begin + 1; from <= data.size(); from += 1 + random() % 300) {
            std::uint64_t to = from + random() % (data.size() - from + 1);
            std::uint64_t expected = kNoCandidate;
            for (std::uint32_t entry : buffer.list) {
                std::uint64_t position = begin + (entry & ~kStrongFlag);
                if (position >= from && position <= to) {
                    expected = position;
                    break;
                }
            }
            ASSERT_EQ(inList.first(from, to), expected);
            ASSERT_EQ(inPlainList.first(from, to), expected);
            ASSERT_EQ(inBitmap.first(from, to), expected);
            if (expected != kNoCandidate) {
                ASSERT_EQ(inList.isStrong(expected), inBitmap.isStrong(expected));
                ASSERT_EQ(inPlainList.isStrong(expected), inBitmap.isStrong(expected));
            }
        }
    }
}

}  // namespace
}  // namespace shredder::test
