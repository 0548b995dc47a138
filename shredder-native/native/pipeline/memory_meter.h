// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <mutex>

#include "pipeline/device.h"

namespace shredder {

/// Counts the memory that an engine's buffers hold now, and the most they held at once. Thread-safe.
class MemoryMeter {
  public:
    void add(const MemoryUse& use) { change({}, use); }

    void remove(const MemoryUse& use) { change(use, {}); }

    /// What held so much holds so much now.
    void change(const MemoryUse& before, const MemoryUse& after) {
        std::lock_guard lock(mutex_);
        now_.hostBytes += after.hostBytes - before.hostBytes;
        now_.pinnedBytes += after.pinnedBytes - before.pinnedBytes;
        now_.deviceBytes += after.deviceBytes - before.deviceBytes;
        peak_.hostBytes = std::max(peak_.hostBytes, now_.hostBytes);
        peak_.pinnedBytes = std::max(peak_.pinnedBytes, now_.pinnedBytes);
        peak_.deviceBytes = std::max(peak_.deviceBytes, now_.deviceBytes);
    }

    MemoryUse peak() const {
        std::lock_guard lock(mutex_);
        return peak_;
    }

  private:
    mutable std::mutex mutex_;
    MemoryUse now_;
    MemoryUse peak_;
};

}  // namespace shredder
