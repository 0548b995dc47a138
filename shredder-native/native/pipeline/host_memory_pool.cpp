// SPDX-License-Identifier: Apache-2.0
#include "pipeline/host_memory_pool.h"

#include <algorithm>

namespace shredder {
namespace {

MemoryUse useOf(const HostMemory& memory) {
    return {.hostBytes = memory.size(), .pinnedBytes = memory.pinned() ? memory.size() : 0, .deviceBytes = 0};
}

}  // namespace

HostMemoryLease& HostMemoryLease::operator=(HostMemoryLease&& other) noexcept {
    giveBack();
    pool_ = other.pool_;
    memory_ = std::move(other.memory_);
    return *this;
}

void HostMemoryLease::giveBack() noexcept {
    if (memory_) pool_->giveBack(std::move(memory_), true);
}

void HostMemoryLease::giveBackWritten() noexcept {
    bool shared = memory_.use_count() > 1;
    if (memory_) pool_->giveBack(std::move(memory_), !shared);
}

HostMemoryPool::HostMemoryPool(Create create, bool reuse, MemoryMeter& meter)
    : create_(std::move(create)), reuse_(reuse), meter_(meter) {}

HostMemoryPool::~HostMemoryPool() {
    for (auto& memory : idle_) {
        destroy(std::move(memory));
    }
}

HostMemoryLease HostMemoryPool::lease(std::size_t bytes) {
    Pieces evicted;
    std::shared_ptr<HostMemory> memory = takeIdle(bytes, evicted);
    for (auto& piece : evicted) {
        destroy(std::move(piece));
    }
    if (!memory) {
        try {
            memory = create_(bytes);
        } catch (...) {
            std::lock_guard lock(mutex_);
            usedBytes_ -= bytes;
            throw;
        }
        meter_.add(useOf(*memory));
    }
    return {*this, std::move(memory)};
}

/// Counts the bytes as used. Null if new memory has to be made; evicted is what has to go for it first.
std::shared_ptr<HostMemory> HostMemoryPool::takeIdle(std::size_t bytes, Pieces& evicted) {
    std::lock_guard lock(mutex_);
    auto fits = std::find_if(idle_.begin(), idle_.end(), [&](const auto& m) { return m->size() == bytes; });
    if (fits == idle_.end()) evicted.reserve(idle_.size());  // from here on nothing fails
    usedBytes_ += bytes;
    mostUsedBytes_ = std::max(mostUsedBytes_, usedBytes_);
    if (fits != idle_.end()) {
        std::shared_ptr<HostMemory> memory = std::move(*fits);
        idle_.erase(fits);
        idleBytes_ -= bytes;
        return memory;
    }
    while (!idle_.empty() && usedBytes_ + idleBytes_ > mostUsedBytes_) {
        idleBytes_ -= idle_.front()->size();
        evicted.push_back(std::move(idle_.front()));
        idle_.erase(idle_.begin());
    }
    return nullptr;
}

void HostMemoryPool::giveBack(std::shared_ptr<HostMemory> memory, bool reuse) noexcept {
    std::size_t bytes = memory->size();
    {
        std::lock_guard lock(mutex_);
        usedBytes_ -= bytes;
        try {
            if (reuse_ && reuse) {
                idle_.push_back(std::move(memory));
                idleBytes_ += bytes;
            }
        } catch (const std::bad_alloc&) {
            // it is freed instead of kept
        }
    }
    if (memory) destroy(std::move(memory));
}

void HostMemoryPool::destroy(std::shared_ptr<HostMemory> memory) noexcept {
    std::shared_ptr<HostMemory> own = std::move(memory);
    meter_.remove(useOf(*own));
    if (own.use_count() > 1) own->discard();
}

}  // namespace shredder
