// SPDX-License-Identifier: Apache-2.0
#include "pipeline/scheduler.h"

#include <cstdio>

#include "pipeline/stream.h"

namespace shredder {

Scheduler::Scheduler(Devices devices, SchedulerOptions options, MemoryMeter& meter)
    : devices_(devices.size()), options_(std::move(options)), meter_(meter) {
    for (auto& device : devices) {
        pipelines_.push_back(std::make_unique<Pipeline>(std::move(device), *this, options_.pipeline, meter_));
    }
}

/// A pipeline's thread may have handed a job over to another pipeline and still be on its way out of it.
Scheduler::~Scheduler() {
    for (auto& pipeline : pipelines_) {
        pipeline->stop();
    }
}

void Scheduler::submit(RingJob& job) noexcept {
    if (Pipeline* pipeline = chooseInTurn()) {
        pipeline->submit(job);
        return;
    }
    Stream& stream = *job.stream;
    stream.fail(lastFailure());
    stream.complete(job);
}

void Scheduler::runAgain(RingJob& job) noexcept {
    job.again = true;
    submit(job);
}

Pipeline* Scheduler::chooseInTurn() noexcept {
    std::lock_guard lock(mutex_);
    inTurn_++;
    return chooseLocked();
}

Pipeline* Scheduler::anyLive() noexcept {
    std::lock_guard lock(mutex_);
    return chooseLocked();
}

/// Null if all have failed, the substitute as well.
Pipeline* Scheduler::chooseLocked() noexcept {
    Pipeline* chosen = shortestLiveLocked();
    if (chosen != nullptr || substituteOpened_) return chosen;
    openSubstituteLocked();
    return shortestLiveLocked();
}

/// Equal ones take turns; with round robin all are equal.
Pipeline* Scheduler::shortestLiveLocked() const noexcept {
    Pipeline* chosen = nullptr;
    std::size_t shortest = 0;
    for (std::size_t i = 0; i < pipelines_.size(); i++) {
        Pipeline& candidate = *pipelines_[(inTurn_ + i) % pipelines_.size()];
        if (candidate.failed()) continue;
        std::size_t length = options_.policy == SHREDDER_SHORTEST_QUEUE ? candidate.length() : 0;
        if (chosen == nullptr || length < shortest) {
            chosen = &candidate;
            shortest = length;
        }
    }
    return chosen;
}

void Scheduler::openSubstituteLocked() noexcept {
    substituteOpened_ = true;
    try {
        pipelines_.push_back(
            std::make_unique<Pipeline>(options_.openSubstitute(devices_), *this, options_.pipeline, meter_));
    } catch (...) {
        lastFailure_ = Error::current();
    }
}

/// All under the lock, which a job that looks for another device needs: else its stream could fail, by
/// another thread of the pipeline, before the failure is told.
bool Scheduler::retire(Pipeline& pipeline, const Error& error) noexcept {
    std::lock_guard lock(mutex_);
    if (pipeline.failed()) return false;
    pipeline.setFailed();
    lastFailure_ = error;
    bool anyLeft = chooseLocked() != nullptr;
    try {
        std::fputs(warningLocked(pipeline, error, anyLeft).c_str(), stderr);
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "shredder: warning: a device failed and is no longer used: %s\n", error.what());
    }
    return true;
}

std::string Scheduler::warningLocked(const Pipeline& pipeline, const Error& error, bool anyLeft) const {
    return "shredder: warning: device " + pipeline.device().name() +
           " failed and is no longer used: " + error.what() +
           (anyLeft ? "; its buffers go to " + namesOfLiveLocked() : "; no device is left for its buffers") +
           "\n";
}

std::string Scheduler::namesOfLiveLocked() const {
    std::string names;
    for (const auto& pipeline : pipelines_) {
        if (!pipeline->failed()) names += (names.empty() ? "" : ", ") + pipeline->device().name();
    }
    return names;
}

Error Scheduler::lastFailure() const noexcept {
    std::lock_guard lock(mutex_);
    return lastFailure_;
}

/// Calls call(device), on another device again while devices fail.
template <typename Call>
auto Scheduler::onSomeDevice(Call call) {
    while (Pipeline* pipeline = anyLive()) {
        try {
            return call(pipeline->device());
        } catch (const Error& error) {
            if (!isDeviceFailure(error)) throw;
            pipeline->fail(error);
        }
    }
    throw lastFailure();
}

void Scheduler::digestBatch(const std::uint8_t* data, const std::uint64_t* offsets,
                            const std::uint32_t* lengths, std::size_t count, DigestAlgorithm algorithm,
                            std::uint8_t* digests) {
    onSomeDevice(
        [&](Device& device) { device.digestBatch(data, offsets, lengths, count, algorithm, digests); });
}

std::unique_ptr<HostMemory> Scheduler::createHostMemory(std::size_t bytes, bool pinned) {
    return onSomeDevice([&](Device& device) { return device.createHostMemory(bytes, pinned); });
}

std::size_t Scheduler::devicesFailed() const {
    std::lock_guard lock(mutex_);
    std::size_t failed = 0;
    for (std::size_t i = 0; i < devices_; i++) {
        failed += pipelines_[i]->failed() ? 1 : 0;
    }
    return failed;
}

std::uint64_t Scheduler::bytesScanned() const {
    std::lock_guard lock(mutex_);
    std::uint64_t bytes = 0;
    for (const auto& pipeline : pipelines_) {
        bytes += pipeline->device().bytesScanned();
    }
    return bytes;
}

}  // namespace shredder
