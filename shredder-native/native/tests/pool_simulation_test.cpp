// SPDX-License-Identifier: Apache-2.0
#include "measure/pool_simulation.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace shredder::tools {
namespace {

PoolOutcome simulate(const std::string& policy, double load = 0.8) {
    return simulatePool({.policy = policy, .load = load});
}

/// One server, batches of one size that come at random: the mean wait is known (Pollaczek and Khinchine).
TEST(PoolSimulationTest, oneServersWaitIsThatOfTheory) {
    for (double load : {0.3, 0.5, 0.7}) {
        PoolSettings settings{
            .policy = "round-robin", .nodes = 1, .gpuShare = 0, .load = load, .seconds = 20'000};
        double service = settings.batchBytes / settings.cpuRate;
        double expected = load * service / (2 * (1 - load));
        EXPECT_NEAR(simulatePool(settings).meanWait, expected, 0.05 * expected) << load;
    }
}

TEST(PoolSimulationTest, everyPolicyServesWhatItsServersCan) {
    for (const std::string& policy : poolPolicies()) {
        PoolOutcome outcome = simulate(policy, 0.4);
        EXPECT_GT(outcome.served, policy == "round-robin" || policy == "lafs" ? 0.9 : 0.98) << policy;
        EXPECT_LE(outcome.served, 1) << policy;
        EXPECT_LE(outcome.waitP50, outcome.waitP99) << policy;
        EXPECT_GT(outcome.meanLatency, outcome.meanWait) << policy;
    }
}

TEST(PoolSimulationTest, allToTheGpusIsWhatGpusCan) {
    double gpus = 2 * 1.76;
    double all = gpus + 7 * 0.6;
    EXPECT_NEAR(simulate("static").served, gpus / (0.8 * all), 0.03);
}

TEST(PoolSimulationTest, whoLooksAtTheWorkThatIsLeftServesAllAtOnce) {
    for (const char* policy : {"two-choices", "least-work"}) {
        PoolOutcome outcome = simulate(policy);
        EXPECT_GE(outcome.served, 0.99) << policy;
        EXPECT_LE(outcome.waitP99, 0.2) << policy;
    }
    EXPECT_GT(simulate("lafs").waitP99, 5 * simulate("two-choices").waitP99) << "all see the same old news";
}

TEST(PoolSimulationTest, theSameSeedGivesTheSame) {
    for (const std::string& policy : poolPolicies()) {
        EXPECT_EQ(simulate(policy).waitP99, simulate(policy).waitP99) << policy;
    }
}

/// Figure 17: what is told of a GPU falls while others have it.
TEST(PoolSimulationTest, aGpuThatOthersUseTellsLess) {
    PoolOutcome outcome = simulatePool(
        {.policy = "lafs", .load = 0.3, .seconds = 80, .newsSeconds = 1, .burstShare = 0.8, .burstGpus = 1});
    ASSERT_EQ(outcome.intakes.size(), 80U);
    EXPECT_LT(outcome.intakes[43][0], 0.25 * 1.76e9 / 20e6) << "in the second burst";
    EXPECT_GT(outcome.intakes[43][1], 0.25 * 1.76e9 / 20e6) << "the other one has none";
    EXPECT_GT(outcome.intakes[30][0], 0.25 * 1.76e9 / 20e6) << "between them";
}

TEST(PoolSimulationTest, badSettingsAreNamed) {
    EXPECT_THROW(simulate("fastest"), std::invalid_argument);
    EXPECT_THROW(simulatePool({.nodes = 0}), std::invalid_argument);
    EXPECT_THROW(simulatePool({.load = 0}), std::invalid_argument);
    EXPECT_THROW(simulatePool({.policy = "static", .gpuShare = 0}), std::invalid_argument);
    EXPECT_THROW(simulatePool({.policy = "static", .nodes = 1}), std::invalid_argument);
    EXPECT_THROW(simulatePool({.burstsInTurn = true}), std::invalid_argument);
}

}  // namespace
}  // namespace shredder::tools
