// SPDX-License-Identifier: Apache-2.0
#include "pipeline/slot_pool.h"

#include <algorithm>

namespace shredder {

SlotLease::~SlotLease() {
    if (slot_) pool_->giveBack(std::move(slot_));
}

SlotLease SlotPool::lease(const SlotGeometry& geometry) {
    {
        std::lock_guard lock(mutex_);
        auto fits = std::find_if(idle_.begin(), idle_.end(),
                                 [&](const auto& slot) { return slot->geometry() == geometry; });
        if (fits != idle_.end()) {
            std::unique_ptr<Slot> slot = std::move(*fits);
            idle_.erase(fits);
            return {*this, std::move(slot)};
        }
    }
    return {*this, device_.createSlot(geometry)};
}

void SlotPool::giveBack(std::unique_ptr<Slot> slot) noexcept {
    std::unique_ptr<Slot> evicted;  // freed outside the lock
    std::lock_guard lock(mutex_);
    if (idle_.size() == kMaxIdleSlots) {
        evicted = std::move(idle_.front());
        idle_.erase(idle_.begin());
    }
    try {
        idle_.push_back(std::move(slot));
    } catch (const std::bad_alloc&) {
        return;  // the slot is freed instead of kept
    }
}

}  // namespace shredder
