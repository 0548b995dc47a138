// SPDX-License-Identifier: Apache-2.0
#include "pipeline/carried_bytes.h"

#include <algorithm>
#include <cstring>

#include "pipeline/plain_memory.h"

namespace shredder {
namespace {

MemoryUse plain(std::size_t bytes) {
    return {.hostBytes = bytes, .pinnedBytes = 0, .deviceBytes = 0};
}

}  // namespace

CarriedBytes::CarriedBytes(std::size_t most, MemoryMeter& meter)
    : memory_(std::make_shared<UntouchedMemory>(most)), bytes_(memory_->data()), meter_(meter) {}

CarriedBytes::~CarriedBytes() {
    meter_.remove(plain(touched_));
    if (memory_.use_count() > 1) memory_->discard();
}

void CarriedBytes::begin(DigestAlgorithm algorithm) noexcept {
    size_ = 0;
    toDigest_ = 0;
    running_.begin(algorithm);
}

void CarriedBytes::append(const std::uint8_t* bytes, std::size_t count) noexcept {
    if (count == 0) return;
    std::memcpy(bytes_ + size_, bytes, count);
    size_ += count;
    std::size_t reached = (size_ + kPageBytes - 1) / kPageBytes * kPageBytes;
    if (reached <= touched_) return;
    meter_.add(plain(reached - touched_));
    touched_ = reached;
}

void CarriedBytes::moveInto(CarriedBytes& idle) noexcept {
    Lock lock(mutex_);
    claim(lock);
    lock.unlock();
    std::memcpy(idle.bytes_, bytes_, size_);
    std::swap(memory_, idle.memory_);
    std::swap(bytes_, idle.bytes_);
    std::swap(touched_, idle.touched_);
    yieldClaim();
}

void CarriedBytes::digest(const RunningKernels& kernels, std::size_t size) noexcept {
    Lock lock(mutex_);
    if (size <= toDigest_) return;
    toDigest_ = size;
    if (claimed_) return;
    claimed_ = true;
    for (std::size_t done = 0; done < toDigest_;) {
        done = toDigest_;
        lock.unlock();
        running_.goOn(kernels, bytes_, done);
        lock.lock();
    }
    claimed_ = false;
    free_.notify_all();
}

void CarriedBytes::finishDigest(const RunningKernels& kernels, std::size_t size,
                                std::uint8_t* digest) noexcept {
    Lock lock(mutex_);
    claim(lock);
    toDigest_ = size;  // who comes late, since its device failed, finds it done
    lock.unlock();
    running_.finish(kernels, bytes_, size, digest);
    yieldClaim();
}

void CarriedBytes::claim(Lock& lock) noexcept {
    free_.wait(lock, [this] { return !claimed_; });
    claimed_ = true;
}

/// Under the lock to its end: the bytes may go to another chunk as soon as the digest is there.
void CarriedBytes::yieldClaim() noexcept {
    std::lock_guard lock(mutex_);
    claimed_ = false;
    free_.notify_all();
}

CarryPool::CarryPool(std::size_t most, std::size_t keep, MemoryMeter& meter)
    : most_(most), keep_(keep), meter_(meter) {
    idle_.reserve(keep);
}

std::unique_ptr<CarriedBytes> CarryPool::take() {
    {
        std::lock_guard lock(mutex_);
        if (!idle_.empty()) return takeLocked(idle_.end() - 1);
    }
    return std::make_unique<CarriedBytes>(most_, meter_);
}

void CarryPool::makeRoom(CarriedBytes& carried) noexcept {
    std::unique_ptr<CarriedBytes> roomier = takeRoomierThan(carried.takenBytes());
    if (!roomier) return;
    carried.moveInto(*roomier);
    giveBack(std::move(roomier));
}

/// Null if there is none.
std::unique_ptr<CarriedBytes> CarryPool::takeRoomierThan(std::size_t takenBytes) noexcept {
    std::lock_guard lock(mutex_);
    auto most = std::max_element(idle_.begin(), idle_.end(), [](const auto& a, const auto& b) {
        return a->takenBytes() < b->takenBytes();
    });
    bool roomier = most != idle_.end() && (*most)->takenBytes() > takenBytes;
    return roomier ? takeLocked(most) : nullptr;
}

std::unique_ptr<CarriedBytes> CarryPool::takeLocked(Idle::iterator place) noexcept {
    std::unique_ptr<CarriedBytes> carried = std::move(*place);
    idle_.erase(place);
    return carried;
}

void CarryPool::giveBack(std::unique_ptr<CarriedBytes> carried) noexcept {
    if (!carried) return;
    std::lock_guard lock(mutex_);
    if (idle_.size() < keep_) idle_.push_back(std::move(carried));
}

void digestCarried(const Job& job, const RunningKernels& kernels) noexcept {
    if (job.carried == nullptr) return;
    if (job.carriedEnds) {
        job.carried->finishDigest(kernels, job.carriedBytes, job.records[0].digest);
    } else {
        job.carried->digest(kernels, job.carriedBytes);
    }
}

}  // namespace shredder
