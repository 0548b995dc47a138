// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <mutex>

#include "pipeline/ring_job.h"

namespace shredder {

/// Jobs, first in, first out. The links are in the jobs, so that putting one in can't fail; a job is in one
/// list at a time.
class JobList {
  public:
    bool empty() const { return first_ == nullptr; }

    void put(RingJob& job) {
        job.following = nullptr;
        (first_ == nullptr ? first_ : last_->following) = &job;
        last_ = &job;
    }

    /// Before those whose turn is later; behind equal ones.
    void putByTurn(RingJob& job) {
        if (first_ == nullptr || last_->turn <= job.turn) {
            put(job);
            return;
        }
        RingJob** place = &first_;
        while ((*place)->turn <= job.turn)
            place = &(*place)->following;
        job.following = *place;
        *place = &job;
    }

    /// Not of an empty list.
    RingJob* take() {
        RingJob* job = first_;
        first_ = job->following;
        return job;
    }

  private:
    RingJob* first_ = nullptr;
    RingJob* last_ = nullptr;
};

/// The same, between threads.
class JobQueue {
  public:
    void put(RingJob& job) {
        {
            std::lock_guard lock(mutex_);
            jobs_.put(job);
        }
        changed_.notify_one();
    }

    /// Blocks; null once the queue is closed and drained.
    RingJob* take() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return closed_ || !jobs_.empty(); });
        return jobs_.empty() ? nullptr : jobs_.take();
    }

    void close() {
        {
            std::lock_guard lock(mutex_);
            closed_ = true;
        }
        changed_.notify_all();
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    JobList jobs_;
    bool closed_ = false;
};

}  // namespace shredder
