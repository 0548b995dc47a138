// SPDX-License-Identifier: Apache-2.0
#include "chunk/cut_selector.h"

#include <gtest/gtest.h>

#include <vector>

namespace shredder {
namespace {

struct Cut {
    std::uint64_t end;
    bool segmentEnd;
    bool operator==(const Cut&) const = default;
};

/// The cuts of one buffer that is the whole stream.
std::vector<Cut> cutsOf(const CutRules& rules, const std::vector<std::uint64_t>& candidates,
                        std::uint64_t end, bool strong = false) {
    std::vector<Cut> cuts;
    auto emit = [&](std::uint64_t offset, std::uint32_t length, bool segmentEnd) {
        cuts.push_back({offset + length, segmentEnd});
    };
    CutSelector selector(rules, CutState{}, end, true, emit);
    selector.start(0);
    for (std::uint64_t candidate : candidates) {
        selector.candidate(candidate, [strong] { return strong; });
    }
    selector.finish();
    return cuts;
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
    std::vector<Cut> cuts;
    auto emit = [&](std::uint64_t offset, std::uint32_t length, bool segmentEnd) {
        cuts.push_back({offset + length, segmentEnd});
    };
    CutSelector first(kSegments, CutState{}, 20, false, emit);
    first.start(0);
    first.candidate(20, [] { return false; });
    first.finish();
    EXPECT_TRUE(cuts.empty());

    CutSelector goesOn(kSegments, first.state(), 25, false, emit);
    goesOn.start(20);
    goesOn.finish();
    EXPECT_EQ(cuts, (std::vector<Cut>{{20, false}}));

    cuts.clear();
    CutSelector endsHere(kSegments, first.state(), 20, true, emit);
    endsHere.start(20);
    endsHere.finish();
    EXPECT_EQ(cuts, (std::vector<Cut>{{20, true}}));
}

}  // namespace
}  // namespace shredder
