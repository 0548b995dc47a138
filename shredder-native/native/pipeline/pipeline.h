// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>

#include "pipeline/device.h"
#include "pipeline/error.h"
#include "pipeline/job_queues.h"
#include "pipeline/named_threads.h"
#include "pipeline/rate_meter.h"
#include "pipeline/workspace_pool.h"

namespace shredder {

class Scheduler;

/// How a device is used.
struct PipelineOptions {
    std::size_t jobsUnderWay;     ///< at once; 1: nothing overlaps
    bool reuseWorkspaces = true;  ///< false: each job has its own made and freed
};

/// One device with its queues and its three threads.
class Pipeline {
  public:
    /// Starts its threads, all or none: throws if it gets none.
    Pipeline(std::unique_ptr<Device> device, Scheduler& scheduler, const PipelineOptions& options,
             FairClock& clock, MemoryMeter& meter);
    Pipeline(const Pipeline&) = delete;
    Pipeline& operator=(const Pipeline&) = delete;
    ~Pipeline();

    /// Ends its threads; once no jobs are left, and before any pipeline that they know is destroyed.
    void stop();

    Device& device() { return *device_; }
    const Device& device() const { return *device_; }

    /// From the scheduler: the job is filled.
    void submit(RingJob& job) noexcept;
    /// From the job's stream, on any thread: cuts are selected, or the stream has stopped. Starts the
    /// digests.
    void selected(RingJob& job) noexcept;
    /// Jobs that are not over here.
    JobQueues::Load load() const { return queues_.load(); }
    /// 0 before it has done a job.
    double bytesPerSecond() const { return rate_.bytesPerSecond(); }

    /// The device is used no more: says so once, and its jobs go elsewhere.
    void fail(const Error& error) noexcept;
    bool failed() const { return failed_; }
    /// From the scheduler, in retire.
    void setFailed() { failed_ = true; }

  private:
    void launchLoop();
    void selectLoop();
    void storeLoop();
    void launch(RingJob& job);
    void select(RingJob& job);
    void store(RingJob& job);
    template <typename Step>
    bool attempt(RingJob& job, Step step) noexcept;
    void beginStep(RingJob& job) noexcept;
    void endStep(RingJob& job) noexcept;
    void drop(RingJob& job) noexcept;
    void leave(RingJob& job) noexcept;

    std::unique_ptr<Device> device_;
    Scheduler& scheduler_;
    WorkspacePool idle_;
    JobQueues queues_;
    RateMeter rate_;
    std::atomic<bool> failed_{false};
    NamedThreads threads_;
};

/// Whether an error means that the device is not to be used any more.
bool isDeviceFailure(const Error& error);

}  // namespace shredder
