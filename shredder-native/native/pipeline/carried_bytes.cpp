// SPDX-License-Identifier: Apache-2.0
#include "pipeline/carried_bytes.h"

#include <algorithm>
#include <cstring>

namespace shredder {
namespace {

constexpr std::size_t kPageBytes = 4096;

MemoryUse plain(std::size_t bytes) {
    return {.hostBytes = bytes, .pinnedBytes = 0, .deviceBytes = 0};
}

}  // namespace

CarriedBytes::CarriedBytes(std::size_t most, MemoryMeter& meter)
    : memory_(std::make_shared<PlainMemory>(kReadBehindBytes + most)),
      bytes_(memory_->data() + kReadBehindBytes),
      meter_(meter) {}

CarriedBytes::~CarriedBytes() {
    meter_.remove(plain(touched_));
    if (memory_.use_count() > 1) memory_->discard();
}

void CarriedBytes::append(const std::uint8_t* bytes, std::size_t count) noexcept {
    if (count == 0) return;
    std::memcpy(bytes_ + size_, bytes, count);
    size_ += count;
    std::size_t reached = (kReadBehindBytes + size_ + kPageBytes - 1) / kPageBytes * kPageBytes;
    if (reached <= touched_) return;
    meter_.add(plain(reached - touched_));
    touched_ = reached;
}

CarryPool::CarryPool(std::size_t most, std::size_t keep, MemoryMeter& meter)
    : most_(most), keep_(keep), meter_(meter) {
    idle_.reserve(keep);
}

std::unique_ptr<CarriedBytes> CarryPool::take() {
    {
        std::lock_guard lock(mutex_);
        if (!idle_.empty()) {
            std::unique_ptr<CarriedBytes> carried = std::move(idle_.back());
            idle_.pop_back();
            return carried;
        }
    }
    return std::make_unique<CarriedBytes>(most_, meter_);
}

std::unique_ptr<CarriedBytes> CarryPool::roomier(std::unique_ptr<CarriedBytes> carried) noexcept {
    std::lock_guard lock(mutex_);
    auto most = std::max_element(idle_.begin(), idle_.end(), [](const auto& a, const auto& b) {
        return a->takenBytes() < b->takenBytes();
    });
    if (most == idle_.end() || (*most)->takenBytes() <= carried->takenBytes()) return carried;
    (*most)->append(carried->data(), carried->size());
    carried->clear();
    std::swap(*most, carried);
    return carried;
}

void CarryPool::giveBack(std::unique_ptr<CarriedBytes> carried) noexcept {
    if (!carried) return;
    carried->clear();
    std::lock_guard lock(mutex_);
    if (idle_.size() < keep_) idle_.push_back(std::move(carried));
}

}  // namespace shredder
