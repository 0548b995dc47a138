// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "pipeline/device.h"
#include "pipeline/memory_meter.h"

namespace shredder {

class HostMemoryPool;

/// Move-only lease of host memory; returns itself to the pool. May be empty. Whoever else shares the memory
/// may read it for as long as it likes, whatever it holds by then.
class HostMemoryLease {
  public:
    HostMemoryLease() = default;
    HostMemoryLease(HostMemoryPool& pool, std::shared_ptr<HostMemory> memory)
        : pool_(&pool), memory_(std::move(memory)) {}
    HostMemoryLease(HostMemoryLease&&) = default;
    HostMemoryLease& operator=(HostMemoryLease&& other) noexcept;
    HostMemoryLease(const HostMemoryLease&) = delete;
    HostMemoryLease& operator=(const HostMemoryLease&) = delete;
    ~HostMemoryLease() { giveBack(); }

    /// Null if empty.
    std::uint8_t* data() const { return memory_ ? memory_->data() : nullptr; }
    const std::shared_ptr<HostMemory>& memory() const { return memory_; }
    void giveBack() noexcept;
    /// The same, of memory that somebody may still write to: if it is shared, no other stream gets it.
    void giveBackWritten() noexcept;

  private:
    HostMemoryPool* pool_ = nullptr;
    std::shared_ptr<HostMemory> memory_;
};

/// Host memory for the rings of an engine's streams. Pinning memory is slow, so what closed streams give back
/// is kept for the next ones; in all never more is held than streams used at once. Thread-safe.
class HostMemoryPool {
  public:
    using Create = std::function<std::unique_ptr<HostMemory>(std::size_t bytes)>;

    /// reuse false: nothing is kept.
    HostMemoryPool(Create create, bool reuse, MemoryMeter& meter);
    HostMemoryPool(const HostMemoryPool&) = delete;
    HostMemoryPool& operator=(const HostMemoryPool&) = delete;
    ~HostMemoryPool();

    HostMemoryLease lease(std::size_t bytes);
    bool reuses() const { return reuse_; }

  private:
    friend class HostMemoryLease;
    using Pieces = std::vector<std::shared_ptr<HostMemory>>;

    void giveBack(std::shared_ptr<HostMemory> memory, bool reuse) noexcept;
    std::shared_ptr<HostMemory> takeIdle(std::size_t bytes, Pieces& evicted);
    void destroy(std::shared_ptr<HostMemory> memory) noexcept;

    Create create_;
    bool reuse_;
    MemoryMeter& meter_;
    std::mutex mutex_;
    Pieces idle_;  // longest idle first
    std::size_t idleBytes_ = 0;
    std::size_t usedBytes_ = 0;
    std::size_t mostUsedBytes_ = 0;
};

}  // namespace shredder
