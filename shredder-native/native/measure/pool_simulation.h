// SPDX-License-Identifier: Apache-2.0
//
// A cluster that fingerprints what it stores, as CROCUS (TPDS 2020) has it: nodes with a CPU each and a GPU
// some, to which objects come in batches ("virtual objects"), and schedulers, one on each node, that give
// each batch to a CPU or GPU somewhere. Time is simulated; the policies are the engine's own code
// (pipeline/policy.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace shredder::tools {

struct PoolSettings {
    std::string policy = "two-choices";  ///< one of poolPolicies()
    std::size_t nodes = 7;
    double gpuShare = 2.0 / 7;  ///< of the nodes, rounded
    double load = 0.8;          ///< of what all CPUs and GPUs do
    double seconds = 60;        ///< that batches come
    double batchBytes = 20e6;
    double cpuRate = 0.6e9;   ///< bytes a second: the paper's 150 batches in 5 s
    double gpuRate = 1.76e9;  ///< its 440
    double newsSeconds = 5;   ///< LAFS: between two broadcasts
    double newsCost = 0;      ///< of a CPU, in seconds, for each other node's news that a node takes in
    double burstShare = 0;    ///< of a GPU that others take during bursts
    double burstSeconds = 5;  ///< how long
    double burstPeriod = 40;  ///< how often
    std::size_t burstGpus = SIZE_MAX;  ///< the first so many GPUs have bursts
    bool burstsInTurn = false;         ///< one GPU at each period
    std::uint32_t seed = 1;
};

/// What came of it.
struct PoolOutcome {
    double offeredRate = 0;  ///< bytes a second
    double servedRate = 0;   ///< of what was done before the end
    double served = 0;       ///< part of what came that was done before the end
    double meanWait =
        0;  ///< seconds from a batch's coming to its start, of those that started before the end
    double waitP50 = 0;
    double waitP99 = 0;
    double meanLatency = 0;  ///< seconds from a batch's coming to its end
    double latencyP99 = 0;
    /// LAFS: the intake of each GPU, then of each CPU, at each broadcast.
    std::vector<std::vector<double>> intakes;
    /// Batches that started on each GPU, then each CPU, in each second.
    std::vector<std::vector<double>> started;
};

/// The engine's, then others': "static" (to GPUs only), "join-idle-queue", "pull" (whoever has fewer than
/// three batches takes the oldest), "sparrow" (four batches at once, to the soonest of eight probed).
std::vector<std::string> poolPolicies();

/// Throws std::invalid_argument that names a bad setting.
PoolOutcome simulatePool(const PoolSettings& settings);

}  // namespace shredder::tools
