// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "pipeline/device.h"

namespace shredder {

class SlotPool;

/// Move-only lease of a slot; returns itself to the pool.
class SlotLease {
  public:
    SlotLease(SlotPool& pool, std::unique_ptr<Slot> slot) : pool_(&pool), slot_(std::move(slot)) {}
    SlotLease(SlotLease&&) = default;
    SlotLease& operator=(SlotLease&&) = delete;
    SlotLease(const SlotLease&) = delete;
    SlotLease& operator=(const SlotLease&) = delete;
    ~SlotLease();

    Slot& operator*() const { return *slot_; }

  private:
    SlotPool* pool_;
    std::unique_ptr<Slot> slot_;
};

/// Keeps the slots of closed streams for the next ones: pinning memory is slow. Holds at most kMaxIdleSlots
/// idle.
class SlotPool {
  public:
    static constexpr std::size_t kMaxIdleSlots = 8;

    explicit SlotPool(Device& device) : device_(device) {}

    SlotLease lease(const SlotGeometry& geometry);

  private:
    friend class SlotLease;
    void giveBack(std::unique_ptr<Slot> slot) noexcept;

    Device& device_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Slot>> idle_;
};

}  // namespace shredder
