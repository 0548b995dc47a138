// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <vector>

#include "pipeline/buffer_sizer.h"
#include "pipeline/error.h"
#include "pipeline/fair_clock.h"
#include "pipeline/ring_job.h"
#include "pipeline/selection.h"

namespace shredder {

class Scheduler;

/// One input: a ring of buffers that go Idle, Filling, Outstanding, Running, Done, Idle; each may run on
/// another device. One thread reads in (acquire, submit), one takes out (next, release), the devices' threads
/// move buffers between. Cuts are selected in the stream's order, whatever the order in which devices end.
class Stream {
  public:
    /// A buffer's memory is leased when it is first acquired. sizer: says how far buffers are filled; null:
    /// wholly.
    Stream(Scheduler& scheduler, HostMemoryPool& memory, MemoryMeter& meter, const StreamPlan& plan,
           std::size_t buffers, BufferSizer* sizer);
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    /// Cancels, then waits until no device has a buffer.
    ~Stream();

    struct Payload {
        std::uint8_t* data;
        std::size_t capacity;
    };
    Payload acquire();
    void submit(std::size_t bytes, bool last);
    /// The chunks of a buffer: first, alone, the one that earlier buffers began, then the others. Empty at
    /// the end of the stream. Throws the stream's error once, then Error(SHREDDER_CANCELLED).
    std::optional<shredder_batch> next();
    void release();
    void cancel() noexcept;
    /// Its share of the devices beside other streams, from now on: 1 to FairShare::kMostWeight.
    void setWeight(std::uint32_t weight) noexcept { share_.setWeight(weight); }
    /// The memory that a payload or the bytes or records of a batch are in. For who has acquired or taken it.
    std::shared_ptr<HostMemory> memoryOf(const std::uint8_t* bytes);

    /// From the queue that a submitted job is put into: its turn. On the reader's thread.
    std::uint64_t takeTurn(std::uint64_t now, std::uint64_t bytes) noexcept {
        return share_.take(now, bytes);
    }

    // For the devices' threads.

    /// Outstanding to Running.
    void begin(RingJob& job) noexcept;
    /// The job's candidates are there. It goes back to its pipeline (Pipeline::selected) once the stream has
    /// selected its cuts, or has stopped; perhaps before this returns, perhaps from another device's thread.
    void scanned(RingJob& job) noexcept;
    /// Whether a job whose device has failed waits for none of the stream's other jobs: those before it are
    /// selected. If not, the stream keeps it and gives it to the scheduler then, or once it has stopped.
    bool mayRunAgain(RingJob& job) noexcept;
    /// To Done. The stream may be destroyed as soon as this returns.
    void complete(RingJob& job) noexcept;
    /// Keeps the first error, unless the stream was cancelled before; from then on the stream is stopped.
    void fail(const Error& error) noexcept;
    /// Cancelled or failed: its jobs need not run.
    bool stopped() noexcept;

  private:
    using Lock = std::unique_lock<std::mutex>;

    RingJob& at(std::uint64_t position) { return ring_[position % ring_.size()]; }
    bool stoppedLocked() const { return cancelled_ || failed_; }
    void leaseMemory(RingJob& job);
    void rememberWindow(const RingJob& job);
    void dropCarried(RingJob& job);
    void makeIdle(RingJob& job);
    void sendBackWaiting(Lock& lock) noexcept;
    void selectCuts(RingJob& job) noexcept;
    RingJob* waitingJob();
    void sendBack(RingJob& job, Lock& lock) noexcept;
    bool deviceHasBuffers() const;
    [[noreturn]] void throwStopped() const;
    [[noreturn]] void throwStoppedToConsumer();

    Scheduler& scheduler_;
    HostMemoryPool& memory_;
    const StreamPlan plan_;
    BufferSizer* const sizer_;
    CarryPool carried_;
    FairShare share_;
    std::vector<RingJob> ring_;
    Selection selection_;  // whoever set selecting_

    std::mutex mutex_;
    std::condition_variable changed_;
    std::uint64_t filled_ = 0;    // ring position the reader is at
    std::uint64_t selected_ = 0;  // ring position whose turn it is to be selected
    std::uint64_t consumed_ = 0;  // ring position the consumer is at
    bool selecting_ = false;
    bool inputEnded_ = false;
    std::size_t recordsOut_ = 0;  // of the batch that the consumer has; 0: it has none
    bool cancelled_ = false;
    bool failed_ = false;
    std::optional<Error> unreportedError_;
    std::uint64_t streamOffset_ = 0;                   // reader only
    std::array<std::uint8_t, kWindowBytes> window_{};  // reader only: the stream's last 48 bytes
};

}  // namespace shredder
