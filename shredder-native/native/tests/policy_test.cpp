// SPDX-License-Identifier: Apache-2.0
#include "pipeline/policy.h"

#include <gtest/gtest.h>

#include <vector>

#include "pipeline/rate_meter.h"

namespace shredder::test {
namespace {

constexpr std::uint64_t kJob = 1'000;

DeviceLoad idle(double rate) {
    return {.bytesPerSecond = rate};
}

DeviceLoad busy(double rate, std::size_t jobs) {
    return {.queuedJobs = jobs, .queuedBytes = jobs * kJob, .bytesPerSecond = rate};
}

std::size_t choose(Policy& policy, const std::vector<DeviceLoad>& loads, std::size_t own = Policy::kNone) {
    return policy.choose(
        loads.size(), [&](std::size_t i) { return loads[i]; }, kJob, own);
}

constexpr shredder_scheduling kAll[] = {SHREDDER_SHORTEST_QUEUE, SHREDDER_ROUND_ROBIN, SHREDDER_LAFS,
                                        SHREDDER_LEAST_WORK, SHREDDER_TWO_CHOICES};

TEST(PolicyTest, noneChoosesADeviceThatIsNotUsable) {
    for (shredder_scheduling kind : kAll) {
        Policy policy(kind);
        std::vector<DeviceLoad> loads(5, idle(10));
        for (std::size_t i : {0, 1, 3, 4})
            loads[i].usable = false;
        loads[0].gpu = true;
        for (int i = 0; i < 100; i++) {
            ASSERT_EQ(choose(policy, loads), 2U) << kind;
        }
        loads[2].usable = false;
        EXPECT_EQ(choose(policy, loads), Policy::kNone) << kind;
        EXPECT_EQ(choose(policy, {}), Policy::kNone) << kind;
    }
}

TEST(PolicyTest, equalDevicesGetEqualShares) {
    for (shredder_scheduling kind : kAll) {
        Policy policy(kind);
        std::vector<DeviceLoad> loads(4, idle(10));
        std::vector<int> chosen(4);
        for (int i = 0; i < 400; i++) {
            chosen[choose(policy, loads)]++;
        }
        for (int count : chosen) {
            EXPECT_NEAR(count, 100, 40) << kind;
        }
    }
}

TEST(PolicyTest, theShortestQueueIsTheOneWithTheFewestJobs) {
    Policy policy(SHREDDER_SHORTEST_QUEUE);
    EXPECT_EQ(choose(policy, {busy(100, 3), busy(1, 2), busy(50, 4)}), 1U);
}

TEST(PolicyTest, leastWorkGoesByTheTimeThatIsLeftOnEach) {
    Policy policy(SHREDDER_LEAST_WORK);
    EXPECT_EQ(choose(policy, {busy(1, 1), busy(10, 5)}), 1U) << "2,000 s against 600";
    EXPECT_EQ(choose(policy, {idle(1), busy(10, 11)}), 0U) << "1,000 s against 1,200";
    EXPECT_EQ(choose(policy, {idle(1), busy(10, 7)}), 1U) << "1,000 s against 800";
}

TEST(PolicyTest, aDeviceThatWasNotMeasuredIsTriedOnceAndThenTakenForSlow) {
    Policy policy(SHREDDER_LEAST_WORK);
    EXPECT_EQ(choose(policy, {busy(100, 1), idle(0)}), 1U);
    EXPECT_EQ(choose(policy, {busy(100, 1), busy(50, 3), busy(0, 1)}), 0U);
}

TEST(PolicyTest, lafsTakesGpusWhileTheyHaveIntakeAndThenAnybody) {
    Policy policy(SHREDDER_LAFS);
    auto withIntake = [](bool gpu, double intake) { return DeviceLoad{.gpu = gpu, .intake = intake}; };
    EXPECT_EQ(choose(policy, {withIntake(false, 99), withIntake(true, 2), withIntake(true, 3)}), 2U);
    EXPECT_EQ(choose(policy, {withIntake(false, 9), withIntake(true, 0.5)}), 0U);
    EXPECT_EQ(choose(policy, {withIntake(false, -3), withIntake(true, -2)}), 1U) << "none takes one";
}

/// Figure 7: 440 and 150 virtual objects of 20 MB in 5 s, and none at full load.
TEST(PolicyTest, lafsIntakeFallsInALineFromWhatTheDeviceDoesInAPeriod) {
    for (double maximum : {440.0, 150.0}) {
        double rate = maximum * 20e6 / 5;
        for (int percent = 0; percent <= 100; percent += 10) {
            EXPECT_NEAR(lafsIntake(rate, 5, 20e6, percent / 100.0), maximum * (100 - percent) / 100, 1e-9);
        }
        EXPECT_EQ(lafsIntake(rate, 5, 20e6, 1.5), 0);
    }
}

TEST(PolicyTest, twoChoicesSeesTwoAndOnesOwn) {
    Policy policy(SHREDDER_TWO_CHOICES);
    std::vector<DeviceLoad> loads(100, busy(10, 5));
    loads[7] = idle(10);
    int best = 0;
    for (int i = 0; i < 1'000; i++) {
        if (choose(policy, loads) == 7) best++;
        ASSERT_EQ(choose(policy, loads, 7), 7U) << "its own, which is looked at always";
    }
    EXPECT_NEAR(best, 20, 18) << "it is one of two of 100";
}

/// The example of figure 4, where a GPU node is 4 times faster than each of two CPU nodes; t is a GPU's time
/// for an object.
double timeOf(std::size_t objectsOfGpu, const std::vector<std::size_t>& objectsOfCpus, std::size_t toPlace) {
    std::vector<DeviceLoad> loads{{.queuedBytes = objectsOfGpu, .bytesPerSecond = 1}};
    for (std::size_t objects : objectsOfCpus) {
        loads.push_back({.queuedBytes = objects, .bytesPerSecond = 0.25});
    }
    Policy policy(SHREDDER_LEAST_WORK);
    for (std::size_t i = 0; i < toPlace; i++) {
        loads[policy.choose(
                  loads.size(), [&](std::size_t d) { return loads[d]; }, 1)]
            .queuedBytes++;
    }
    double longest = 0;
    for (const DeviceLoad& load : loads) {
        longest = std::max(longest, static_cast<double>(load.queuedBytes) / load.bytesPerSecond);
    }
    return longest;
}

TEST(PolicyTest, figure4sObjectsAreDoneBeforeThoseThatStayAndThoseThatAllGoToTheGpu) {
    EXPECT_EQ(timeOf(2, {2, 2}, 0), 8) << "normal scheduling of object a";
    EXPECT_LE(timeOf(2, {0, 0}, 4), 6)
        << "with four objects that may go anywhere; the paper's are all at the GPU";
    EXPECT_EQ(timeOf(6 + 4, {0, 0}, 0), 10) << "blindly off-loaded beside object b";
    EXPECT_LE(timeOf(6, {0, 0}, 4), 8);
}

TEST(PolicyTest, theMeterKnowsNoRateBeforeTheFirstJobAndNoTimeBetweenJobs) {
    RateMeter meter;
    EXPECT_EQ(meter.bytesPerSecond(), 0);
    meter.begin();
    meter.begin();
    meter.end();
    meter.end();
    meter.done(1'000'000);
    double rate = meter.bytesPerSecond();
    EXPECT_GT(rate, 0);
    meter.begin();
    meter.end();
    meter.done(1'000'000);
    EXPECT_GT(meter.bytesPerSecond(), 0);
}

}  // namespace
}  // namespace shredder::test
