// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

#include "pipeline/device.h"
#include "pipeline/error.h"
#include "pipeline/slot_pool.h"

namespace shredder {

class Pipeline;

/// Where a ring buffer is. Each state names who may touch the buffer.
enum class SlotState {
    Idle,         ///< nobody
    Filling,      ///< the reader
    Outstanding,  ///< nobody: queued for the device
    Running,      ///< the device
    Done,         ///< the consumer, from next to release
};

/// One input: a ring of slots that go Idle, Filling, Outstanding, Running, Done, Idle, in ring order.
/// One thread reads in (acquire, submit), one takes out (next, release), the pipeline's two move jobs
/// between.
class Stream {
  public:
    Stream(Pipeline& pipeline, const StreamPlan& plan, std::unique_ptr<Lane> lane, unsigned depth);
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    /// Cancels, then waits until the device is done with every slot.
    ~Stream();

    struct Payload {
        std::uint8_t* data;
        std::size_t capacity;
    };
    Payload acquire();
    void submit(std::size_t bytes, bool last);
    /// Empty at the end of the stream. Throws the stream's error once, then Error(SHREDDER_CANCELLED).
    std::optional<shredder_batch> next();
    void release();
    void cancel();

    // For the pipeline.
    struct RingJob : Job {
        Stream* stream = nullptr;
        SlotState state = SlotState::Idle;  // guarded by mutex_
    };
    Lane& lane() { return *lane_; }
    /// Outstanding to Running; false if the stream is cancelled or has failed and the job must not run.
    bool begin(RingJob& job);
    /// To Done. The stream may be destroyed as soon as this returns.
    void complete(RingJob& job);
    /// Keeps the first error; later jobs no longer begin.
    void fail(const Error& error);
    bool stopped();

  private:
    RingJob& at(std::uint64_t position) { return ring_[position % ring_.size()]; }
    bool stoppedLocked() const { return cancelled_ || failed_; }
    void rememberWindow(const RingJob& job);
    [[noreturn]] void throwStopped() const;
    [[noreturn]] void throwStoppedToConsumer();
    shredder_batch batchOf(RingJob& job) const;

    Pipeline& pipeline_;
    std::size_t payloadCapacity_;
    std::unique_ptr<Lane> lane_;
    std::vector<SlotLease> leases_;
    std::vector<RingJob> ring_;

    std::mutex mutex_;
    std::condition_variable changed_;
    std::uint64_t filled_ = 0;    // ring position the reader is at
    std::uint64_t consumed_ = 0;  // ring position the consumer is at
    bool inputEnded_ = false;
    bool batchOut_ = false;
    bool cancelled_ = false;
    bool failed_ = false;
    std::optional<Error> unreportedError_;
    std::uint64_t streamOffset_ = 0;                   // reader only
    std::array<std::uint8_t, kWindowBytes> window_{};  // reader only: the stream's last 48 bytes
};

}  // namespace shredder
