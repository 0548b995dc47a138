// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>

#include "pipeline/fair_clock.h"

namespace shredder::remote {

/// The places of one device that a worker's clients share by their weights (start-time fair queueing, as
/// JobQueues has it): a step of a job takes one while it is computed. Thread-safe.
class FairGate {
  public:
    explicit FairGate(std::size_t places) : free_(places) {}

    /// Waits for a place, for a step of so many bytes. share: of the client, whose one thread calls this.
    void enter(FairShare& share, std::uint64_t bytes) {
        std::unique_lock lock(mutex_);
        bytes_ += bytes;
        auto own = waiting_.emplace(share.take(clock_.now(), bytes), 0);
        changed_.wait(lock, [&] { return free_ > 0 && waiting_.begin() == own; });
        clock_.advance(own->first);
        waiting_.erase(own);
        free_--;
        changed_.notify_all();
    }

    void leave(std::uint64_t bytes) {
        std::lock_guard lock(mutex_);
        bytes_ -= bytes;
        free_++;
        changed_.notify_all();
    }

    /// Of steps that wait or have a place.
    std::uint64_t bytes() const {
        std::lock_guard lock(mutex_);
        return bytes_;
    }

  private:
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    FairClock clock_;
    std::multimap<std::uint64_t, int> waiting_;  // by turn
    std::size_t free_;
    std::uint64_t bytes_ = 0;
};

}  // namespace shredder::remote
