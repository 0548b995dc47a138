// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>

#include "shredder.h"

namespace shredder {

/// What a policy is told of a place that can do a job: a device of an engine, or in shredder_pools a resource
/// of a simulated node. It may be old news.
struct DeviceLoad {
    bool usable = true;
    bool gpu = false;
    std::size_t queuedJobs = 0;     ///< given to it and not over
    std::uint64_t queuedBytes = 0;  ///< of these
    double bytesPerSecond = 0;      ///< as measured; 0: not yet
    double intake = 0;              ///< LAFS: jobs that it can take before it tells again
};

/// Which device gets the next job. An engine and the simulator of pools call the same code. Not thread-safe.
class Policy {
  public:
    static constexpr std::size_t kNone = SIZE_MAX;

    explicit Policy(shredder_scheduling kind, std::uint32_t seed = 1) : kind_(kind), random_(seed) {}

    shredder_scheduling kind() const { return kind_; }

    /// The number of a usable device, or kNone.
    ///
    /// @param devices how many there are
    /// @param loadOf  the DeviceLoad of a device by its number: asked of those that the policy looks at
    /// @param own     one's own device: with LAFS it goes first while it is a GPU with intake, with two
    /// choices
    ///                it is looked at beside the two; the others don't ask
    template <typename LoadOf>
    std::size_t choose(std::size_t devices, const LoadOf& loadOf, std::uint64_t jobBytes,
                       std::size_t own = kNone) {
        if (devices == 0) return kNone;
        start_ = (start_ + 1) % devices;
        switch (kind_) {
            case SHREDDER_ROUND_ROBIN:
                return least(devices, loadOf, [](const DeviceLoad&) { return 0.0; });
            case SHREDDER_LAFS:
                return largestIntake(devices, loadOf, own);
            case SHREDDER_LEAST_WORK:
                return soonestDone(devices, loadOf, jobBytes);
            case SHREDDER_TWO_CHOICES:
                return soonestOfTwo(devices, loadOf, jobBytes, own);
            case SHREDDER_SHORTEST_QUEUE:
                break;
        }
        return least(devices, loadOf,
                     [](const DeviceLoad& device) { return static_cast<double>(device.queuedJobs); });
    }

  private:
    /// The usable device of which this is least; of equal ones the first from start_ on.
    template <typename LoadOf, typename Measure>
    std::size_t least(std::size_t devices, const LoadOf& loadOf, const Measure& measure) {
        std::size_t chosen = kNone;
        double best = 0;
        for (std::size_t i = 0, device = start_; i < devices; i++) {
            DeviceLoad load = loadOf(device);
            double value = load.usable ? measure(load) : 0;
            if (load.usable && (chosen == kNone || value < best)) {
                chosen = device;
                best = value;
            }
            device = device + 1 == devices ? 0 : device + 1;
        }
        return chosen;
    }

    /// GPUs while one of them takes a job, then any; if none does, the one that is the least over its intake.
    template <typename LoadOf>
    std::size_t largestIntake(std::size_t devices, const LoadOf& loadOf, std::size_t own) {
        start_ = random_() % devices;  // of equal ones any, as the paper says
        auto intake = [](const DeviceLoad& device) { return -device.intake; };
        auto gpuFirst = [](const DeviceLoad& device) {
            return device.gpu && device.intake >= 1 ? -device.intake : 0;
        };
        if (own != kNone && loadOf(own).usable && gpuFirst(loadOf(own)) < 0) return own;
        std::size_t gpu = least(devices, loadOf, gpuFirst);
        if (gpu != kNone && gpuFirst(loadOf(gpu)) < 0) return gpu;
        return least(devices, loadOf, intake);
    }

    template <typename LoadOf>
    std::size_t soonestDone(std::size_t devices, const LoadOf& loadOf, std::uint64_t jobBytes) {
        return least(devices, loadOf, [&](const DeviceLoad& device) {
            return secondsToEnd(device, jobBytes, devices, loadOf);
        });
    }

    template <typename LoadOf>
    std::size_t soonestOfTwo(std::size_t devices, const LoadOf& loadOf, std::uint64_t jobBytes,
                             std::size_t own) {
        std::size_t first = anyUsable(devices, loadOf, kNone);
        if (first == kNone) return kNone;
        std::size_t chosen = own != kNone && loadOf(own).usable ? own : first;
        for (std::size_t other : {first, anyUsable(devices, loadOf, first)}) {
            if (other == kNone || other == chosen) continue;
            if (secondsToEnd(loadOf(other), jobBytes, devices, loadOf) <
                secondsToEnd(loadOf(chosen), jobBytes, devices, loadOf)) {
                chosen = other;
            }
        }
        return chosen;
    }

    /// Each with the same probability, unless some are not usable.
    template <typename LoadOf>
    std::size_t anyUsable(std::size_t devices, const LoadOf& loadOf, std::size_t but) {
        std::size_t start = random_() % devices;
        for (std::size_t i = 0; i < devices; i++) {
            std::size_t device = (start + i) % devices;
            if (device != but && loadOf(device).usable) return device;
        }
        return kNone;
    }

    /// Until the job would be over there. A device that was not measured is tried when it has nothing to do,
    /// and taken for as slow as the slowest while it does its first job.
    template <typename LoadOf>
    static double secondsToEnd(const DeviceLoad& device, std::uint64_t jobBytes, std::size_t devices,
                               const LoadOf& loadOf) {
        double rate = device.bytesPerSecond;
        if (rate == 0) {
            if (device.queuedJobs == 0) return 0;
            rate = lowestRate(devices, loadOf);
        }
        return static_cast<double>(device.queuedBytes + jobBytes) / rate;
    }

    template <typename LoadOf>
    static double lowestRate(std::size_t devices, const LoadOf& loadOf) {
        double lowest = 0;
        for (std::size_t i = 0; i < devices; i++) {
            DeviceLoad device = loadOf(i);
            if (!device.usable || device.bytesPerSecond == 0) continue;
            lowest = lowest == 0 ? device.bytesPerSecond : std::min(lowest, device.bytesPerSecond);
        }
        return lowest == 0 ? 1 : lowest;
    }

    shredder_scheduling kind_;
    std::size_t start_ = 0;  // so that equal ones take turns
    std::minstd_rand random_;
};

/// CROCUS (TPDS 2020), equations 1 and 2: the jobs that a device admits until it tells again. Its constants
/// 440 and 150 are what a GPU and a CPU do in one period: the rate takes their place.
///
/// @param utilisation 0 to 1: what is taken of the device already
inline double lafsIntake(double bytesPerSecond, double periodSeconds, double jobBytes, double utilisation) {
    return std::max(0.0, 1 - utilisation) * bytesPerSecond * periodSeconds / jobBytes;
}

}  // namespace shredder
