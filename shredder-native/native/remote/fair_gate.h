// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
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
    using Clock = std::chrono::steady_clock;

    /// clock: of all gates that the same clients go through.
    FairGate(std::size_t places, FairClock& clock) : clock_(clock), places_(places), free_(places) {}

    /// Waits for a place, for a step of so many bytes. share: of the client, whose one thread calls this.
    void enter(FairShare& share, std::uint64_t bytes) {
        std::unique_lock lock(mutex_);
        auto own = waiting_.emplace(share.take(clock_.now(), bytes), 0);
        bytes_ += bytes;
        changed_.wait(lock, [&] { return free_ > 0 && waiting_.begin() == own; });
        clock_.advance(own->first);
        waiting_.erase(own);
        if (free_ == places_) movedAt_ = Clock::now();
        free_--;
        changed_.notify_all();
    }

    void leave(std::uint64_t bytes) {
        std::lock_guard lock(mutex_);
        bytes_ -= bytes;
        free_++;
        movedAt_ = Clock::now();
        changed_.notify_all();
    }

    /// Whether steps are there, and none has ended for so long.
    bool isStill(Clock::duration time) const {
        std::lock_guard lock(mutex_);
        return free_ < places_ && Clock::now() - movedAt_ > time;
    }

    /// Of steps that wait or have a place.
    std::uint64_t bytes() const {
        std::lock_guard lock(mutex_);
        return bytes_;
    }

  private:
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    FairClock& clock_;
    std::multimap<std::uint64_t, int> waiting_;  // by turn
    const std::size_t places_;
    std::size_t free_;
    Clock::time_point movedAt_{};
    std::uint64_t bytes_ = 0;
};

}  // namespace shredder::remote
