// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "pipeline/pipeline.h"
#include "pipeline/policy.h"

namespace shredder {

using Devices = std::vector<std::unique_ptr<Device>>;

/// How jobs are given to devices.
struct SchedulerOptions {
    shredder_scheduling policy = SHREDDER_SHORTEST_QUEUE;
    PipelineOptions pipeline;
    /// Opens what runs the jobs when every device has failed; it gets the number after the last device's.
    std::function<std::unique_ptr<Device>(std::size_t number)> openSubstitute;
};

/// The devices of an engine, and which of them runs a job. Thread-safe.
class Scheduler {
  public:
    Scheduler(Devices devices, SchedulerOptions options, MemoryMeter& meter);
    Scheduler(const Scheduler&) = delete;
    Scheduler& operator=(const Scheduler&) = delete;
    /// Streams must have ended.
    ~Scheduler();

    /// To the device that the policy chooses.
    void submit(RingJob& job) noexcept;
    /// From a device that has failed: the job runs on another one, perhaps once its turn has come, or, if
    /// there is none, its stream fails.
    void runAgain(RingJob& job) noexcept;
    /// From a pipeline whose device has failed: it gets no more jobs. Warns, in one line, before any job is
    /// passed on or fails for it. False if it was retired before.
    bool retire(Pipeline& pipeline, const Error& error) noexcept;

    /// On one of the devices, and again on others while they fail.
    void digestBatch(const std::uint8_t* data, const std::uint64_t* offsets, const std::uint32_t* lengths,
                     std::size_t count, DigestAlgorithm algorithm, std::uint8_t* digests);
    std::unique_ptr<HostMemory> createHostMemory(std::size_t bytes, bool pinned);

    /// One device, as it is now.
    struct DeviceState {
        std::string name;
        bool failed;
        std::uint64_t bytesScanned;
        double bytesPerSecond;  ///< while it had something to do; 0 before its first job
    };
    /// The devices, then the substitute, if there is one.
    std::vector<DeviceState> deviceStates() const;

    std::size_t devices() const { return devices_; }
    std::size_t devicesFailed() const;
    std::uint64_t bytesScanned() const;

  private:
    using Clock = std::chrono::steady_clock;

    Pipeline* choose(std::uint64_t bytes) noexcept;
    Pipeline* firstLive() noexcept;
    Pipeline* chooseLocked(std::uint64_t bytes) noexcept;
    Pipeline* firstLiveLocked() const noexcept;
    void addLocked(std::unique_ptr<Device> device);
    Pipeline* substituteLocked() noexcept;
    DeviceLoad lookLocked(std::size_t device) const noexcept;
    void takeNewsLocked(std::uint64_t jobBytes) noexcept;
    template <typename Choose, typename Call>
    auto onLiveDevice(Choose chooseOne, Call call);
    std::string warningLocked(const Pipeline& pipeline, const Error& error, bool anyLeft) const;
    std::string namesOfLiveLocked() const;
    Error lastFailure() const noexcept;

    std::size_t devices_;
    SchedulerOptions options_;
    MemoryMeter& meter_;
    FairClock clock_;
    mutable std::mutex mutex_;
    std::vector<std::unique_ptr<Pipeline>> pipelines_;  // the devices, then the substitute
    Policy policy_;
    std::vector<double> intakes_;  // LAFS: of each pipeline, as it told last, less what was given since
    Clock::time_point newsAt_{};
    bool substituteOpened_ = false;
    Error lastFailure_{SHREDDER_DEVICE_ERROR, "every device has failed"};
};

}  // namespace shredder
