// SPDX-License-Identifier: Apache-2.0
#include "coding/recovery_plans.h"

#include <utility>

namespace shredder::coding {

RecoveryPlans::RecoveryPlans(const Code& code, Matrix parity, const CodingForm& form)
    : code_(code), parity_(std::move(parity)), form_(&form) {}

std::shared_ptr<const RecoveryPlan> RecoveryPlans::of(const Presence& present,
                                                      const std::vector<std::size_t>& wanted) {
    if (auto plan = find(present, wanted)) return plan;
    // Outside of the lock; that two threads make the same one does no harm.
    Entry entry{present, wanted, make(present, wanted)};
    std::shared_ptr<const RecoveryPlan> plan = entry.plan;
    std::lock_guard lock(mutex_);
    std::swap(entries_[next_], entry);
    next_ = (next_ + 1) % entries_.size();
    return plan;
}

std::shared_ptr<const RecoveryPlan> RecoveryPlans::find(const Presence& present,
                                                        const std::vector<std::size_t>& wanted) {
    std::lock_guard lock(mutex_);
    for (const Entry& entry : entries_) {
        if (entry.plan && entry.present == present && entry.wanted == wanted) return entry.plan;
    }
    return nullptr;
}

std::shared_ptr<const RecoveryPlan> RecoveryPlans::make(const Presence& present,
                                                        const std::vector<std::size_t>& wanted) const {
    std::vector<bool> there(code_.shards());
    for (std::size_t i = 0; i < there.size(); i++) {
        there[i] = present[i];
    }
    Recovery found = recovery(code_, parity_, sourcesOf(code_, there), wanted);
    auto transform = RecoveryTransform::of(code_, found.sources, wanted, *form_);
    return std::make_shared<RecoveryPlan>(RecoveryPlan{
        std::move(found.sources), found.rows, PreparedMatrix(found.rows, *form_), std::move(transform)});
}

}  // namespace shredder::coding
