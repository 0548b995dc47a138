// SPDX-License-Identifier: Apache-2.0
#include "pipeline/buffer_sizer.h"

#include <algorithm>

namespace shredder {
namespace {

constexpr std::size_t kPairs = 5;
/// Below that a larger size isn't worth its memory.
constexpr double kLeastGain = 1.03;
constexpr std::size_t kMostNotBetter = 2;
/// Buffers that were filled before the size changed.
constexpr std::size_t kSkipped = 4;
constexpr std::size_t kBuffersOfWindow = 6;
constexpr std::chrono::milliseconds kLeastWindow{20};
/// The search begins anew once so many windows in a row are so far from what is usual.
constexpr double kUnusual = 1.5;
constexpr std::size_t kMostUnusual = 10;

}  // namespace

std::vector<std::size_t> BufferSizer::doubled(std::size_t least, std::size_t most) {
    std::vector<std::size_t> sizes;
    for (std::size_t size = least; size < most; size *= 2) {
        sizes.push_back(size);
    }
    sizes.push_back(most);
    return sizes;
}

BufferSizer::BufferSizer(std::vector<std::size_t> sizes) : sizes_(std::move(sizes)) {
    gains_.reserve(kPairs);
}

std::size_t BufferSizer::current() const {
    return candidatesTurn_ && candidate_ < sizes_.size() ? candidate_ : best_;
}

std::size_t BufferSizer::size() const {
    std::lock_guard lock(mutex_);
    return sizes_[current()];
}

bool BufferSizer::settled() const {
    std::lock_guard lock(mutex_);
    return candidate_ >= sizes_.size();
}

void BufferSizer::done(std::size_t bytes, Clock::time_point now) {
    std::lock_guard lock(mutex_);
    if (skipped_ < kSkipped) {
        skipped_++;
        since_ = now;
        buffers_ = bytes_ = 0;
        return;
    }
    buffers_++;
    bytes_ += bytes;
    Clock::duration took = now - since_;
    if (buffers_ < kBuffersOfWindow || took < kLeastWindow) return;
    endWindow(static_cast<double>(bytes_) / std::chrono::duration<double>(took).count());
    buffers_ = bytes_ = 0;
    since_ = now;
}

void BufferSizer::endWindow(double rate) {
    if (candidate_ >= sizes_.size()) {
        watch(rate);
        return;
    }
    skipped_ = 0;
    candidatesTurn_ = !candidatesTurn_;
    if (candidatesTurn_) {
        bestsRate_ = rate;
        return;
    }
    gains_.push_back(rate / bestsRate_);
    if (gains_.size() < kPairs) return;
    std::nth_element(gains_.begin(), gains_.begin() + kPairs / 2, gains_.end());
    decide(gains_[kPairs / 2]);
    gains_.clear();
}

void BufferSizer::decide(double gain) {
    if (gain >= kLeastGain) {
        best_ = candidate_;
        notBetter_ = 0;
    } else if (++notBetter_ == kMostNotBetter) {
        candidate_ = sizes_.size();
        return;
    }
    candidate_++;
}

void BufferSizer::watch(double rate) {
    if (usualRate_ == 0) usualRate_ = rate;
    bool usual = rate < usualRate_ * kUnusual && rate > usualRate_ / kUnusual;
    if (usual) usualRate_ += (rate - usualRate_) / 16;
    unusual_ = usual ? 0 : unusual_ + 1;
    if (unusual_ == kMostUnusual) restart();
}

void BufferSizer::restart() {
    best_ = 0;
    candidate_ = 1;
    notBetter_ = 0;
    candidatesTurn_ = false;
    usualRate_ = 0;
    unusual_ = 0;
    skipped_ = 0;
}

}  // namespace shredder
