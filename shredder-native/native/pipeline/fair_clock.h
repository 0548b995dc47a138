// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace shredder {

/// The latest turn that was given a place on any device of an engine. Thread-safe.
class FairClock {
  public:
    std::uint64_t now() const noexcept { return now_; }

    void advance(std::uint64_t turn) noexcept {
        std::uint64_t now = now_;
        while (now < turn && !now_.compare_exchange_weak(now, turn)) {
        }
    }

  private:
    std::atomic<std::uint64_t> now_{0};
};

/// One stream's share of the devices, and the turn of its next job. Turns are taken by one thread at a time.
class FairShare {
  public:
    static constexpr std::uint32_t kMostWeight = 1000;

    void setWeight(std::uint32_t weight) noexcept { weight_ = weight; }

    /// The turn of a job of so many bytes.
    std::uint64_t take(std::uint64_t now, std::uint64_t bytes) noexcept {
        std::uint64_t turn = now > next_ ? now : next_;
        next_ = turn + bytes * kMostWeight / weight_ + 1;  // a job of no bytes, too, comes before the next
        return turn;
    }

  private:
    std::atomic<std::uint32_t> weight_{1};
    std::uint64_t next_ = 0;
};

}  // namespace shredder
