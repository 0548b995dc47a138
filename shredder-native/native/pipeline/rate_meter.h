// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace shredder {

/// Bytes a second that a device does while it has something to do: while jobs wait for other devices, as
/// selection follows the stream's order, is not its time. Recent jobs count most. Thread-safe.
class RateMeter {
  public:
    /// A step of a job begins, or ends, on the device.
    void begin() noexcept;
    void end() noexcept;
    /// A job is over, after its last step's end.
    void done(std::uint64_t bytes) noexcept;

    /// 0 before the first job is over.
    double bytesPerSecond() const noexcept;

  private:
    using Clock = std::chrono::steady_clock;

    void countBusyLocked() noexcept;

    mutable std::mutex mutex_;
    std::size_t steps_ = 0;
    Clock::time_point busySince_{};
    double busySeconds_ = 0;    // since the last job was over
    double recentBytes_ = 0;    // each job counts less with each that follows
    double recentSeconds_ = 0;  // the same
};

}  // namespace shredder
