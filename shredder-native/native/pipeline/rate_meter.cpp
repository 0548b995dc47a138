// SPDX-License-Identifier: Apache-2.0
#include "pipeline/rate_meter.h"

namespace shredder {
namespace {

/// What a job still counts when the next one is over.
constexpr double kKept = 0.875;

}  // namespace

void RateMeter::begin() noexcept {
    std::lock_guard lock(mutex_);
    if (steps_++ == 0) busySince_ = Clock::now();
}

void RateMeter::end() noexcept {
    std::lock_guard lock(mutex_);
    countBusyLocked();
    steps_--;
}

void RateMeter::done(std::uint64_t bytes) noexcept {
    std::lock_guard lock(mutex_);
    countBusyLocked();
    recentBytes_ = kKept * recentBytes_ + static_cast<double>(bytes);
    recentSeconds_ = kKept * recentSeconds_ + busySeconds_;
    busySeconds_ = 0;
}

double RateMeter::bytesPerSecond() const noexcept {
    std::lock_guard lock(mutex_);
    return recentSeconds_ > 0 ? recentBytes_ / recentSeconds_ : 0;
}

void RateMeter::countBusyLocked() noexcept {
    if (steps_ == 0) return;
    Clock::time_point now = Clock::now();
    busySeconds_ += std::chrono::duration<double>(now - busySince_).count();
    busySince_ = now;
}

}  // namespace shredder
