// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "pipeline/pipeline.h"

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

    /// To the device with the shortest queue, or to the next in turn.
    void submit(RingJob& job) noexcept;
    /// From a device that has failed: the job runs on another one, or, if there is none, its stream fails.
    void runAgain(RingJob& job) noexcept;
    /// From a pipeline whose device has failed: it gets no more jobs. Warns, in one line, before any job is
    /// passed on or fails for it. False if it was retired before.
    bool retire(Pipeline& pipeline, const Error& error) noexcept;

    /// On one of the devices, and again on others while they fail.
    void digestBatch(const std::uint8_t* data, const std::uint64_t* offsets, const std::uint32_t* lengths,
                     std::size_t count, DigestAlgorithm algorithm, std::uint8_t* digests);
    std::unique_ptr<HostMemory> createHostMemory(std::size_t bytes, bool pinned);

    std::size_t devices() const { return devices_; }
    std::size_t devicesFailed() const;
    std::uint64_t bytesScanned() const;

  private:
    Pipeline* chooseInTurn() noexcept;
    Pipeline* anyLive() noexcept;
    Pipeline* chooseLocked() noexcept;
    Pipeline* shortestLiveLocked() const noexcept;
    void openSubstituteLocked() noexcept;
    template <typename Call>
    auto onSomeDevice(Call call);
    std::string warningLocked(const Pipeline& pipeline, const Error& error, bool anyLeft) const;
    std::string namesOfLiveLocked() const;
    Error lastFailure() const noexcept;

    std::size_t devices_;
    SchedulerOptions options_;
    MemoryMeter& meter_;
    mutable std::mutex mutex_;
    std::vector<std::unique_ptr<Pipeline>> pipelines_;  // the devices, then the substitute
    bool substituteOpened_ = false;
    std::size_t inTurn_ = 0;
    Error lastFailure_{SHREDDER_DEVICE_ERROR, "every device has failed"};
};

}  // namespace shredder
