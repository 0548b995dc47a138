// SPDX-License-Identifier: Apache-2.0
#include "pipeline/scheduler.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "pipeline/stream.h"

namespace shredder {
namespace {

/// How often an engine's devices tell their intake: what is given at the end of a period to who is slower
/// holds up the stream the longer the longer the period is. The paper's 5 s are for nodes, to which telling
/// costs something.
constexpr std::chrono::milliseconds kNewsPeriod{10};

/// A device that was not measured takes one job.
double intakeOf(const DeviceLoad& load, std::uint64_t jobBytes) {
    if (load.bytesPerSecond == 0) return load.queuedJobs == 0 ? 1 : 0;
    double period = std::chrono::duration<double>(kNewsPeriod).count();
    double taken = static_cast<double>(load.queuedBytes) / (load.bytesPerSecond * period);
    return lafsIntake(load.bytesPerSecond, period, static_cast<double>(jobBytes), taken);
}

}  // namespace

Scheduler::Scheduler(Devices devices, SchedulerOptions options, MemoryMeter& meter)
    : devices_(devices.size()), options_(std::move(options)), meter_(meter), policy_(options_.policy) {
    pipelines_.reserve(devices_ + 1);
    intakes_.reserve(devices_ + 1);
    for (auto& device : devices) {
        addLocked(std::move(device));
    }
}

void Scheduler::addLocked(std::unique_ptr<Device> device) {
    pipelines_.push_back(
        std::make_unique<Pipeline>(std::move(device), *this, options_.pipeline, clock_, meter_));
    intakes_.push_back(1);
}

/// A pipeline's thread may have handed a job over to another pipeline and still be on its way out of it.
Scheduler::~Scheduler() {
    for (auto& pipeline : pipelines_) {
        pipeline->stop();
    }
}

void Scheduler::submit(RingJob& job) noexcept {
    if (Pipeline* pipeline = choose(job.payloadBytes)) {
        pipeline->submit(job);
        return;
    }
    Stream& stream = *job.stream;
    stream.fail(lastFailure());
    stream.complete(job);
}

void Scheduler::runAgain(RingJob& job) noexcept {
    job.again = true;
    if (job.stream->mayRunAgain(job)) submit(job);
}

Pipeline* Scheduler::choose(std::uint64_t bytes) noexcept {
    std::lock_guard lock(mutex_);
    return chooseLocked(bytes);
}

Pipeline* Scheduler::firstLive() noexcept {
    std::lock_guard lock(mutex_);
    Pipeline* first = firstLiveLocked();
    return first != nullptr ? first : substituteLocked();
}

/// Null if all have failed, the substitute as well.
Pipeline* Scheduler::chooseLocked(std::uint64_t bytes) noexcept {
    takeNewsLocked(bytes);
    std::size_t device = policy_.choose(
        pipelines_.size(), [this](std::size_t i) { return lookLocked(i); }, bytes);
    if (device == Policy::kNone) return substituteLocked();
    intakes_[device]--;
    return pipelines_[device].get();
}

Pipeline* Scheduler::firstLiveLocked() const noexcept {
    for (const auto& pipeline : pipelines_) {
        if (!pipeline->failed()) return pipeline.get();
    }
    return nullptr;
}

/// Opens it, once.
Pipeline* Scheduler::substituteLocked() noexcept {
    if (substituteOpened_) return firstLiveLocked();
    substituteOpened_ = true;
    try {
        addLocked(options_.openSubstitute(devices_));
    } catch (...) {
        lastFailure_ = Error::current();
    }
    return firstLiveLocked();
}

DeviceLoad Scheduler::lookLocked(std::size_t device) const noexcept {
    const Pipeline& pipeline = *pipelines_[device];
    JobQueues::Load queued = pipeline.load();
    return {.usable = !pipeline.failed(),
            .gpu = pipeline.device().isGpu(),
            .queuedJobs = queued.jobs,
            .queuedBytes = queued.bytes + pipeline.device().bytesOfOthers(),
            .bytesPerSecond = pipeline.bytesPerSecond(),
            .intake = intakes_[device]};
}

/// LAFS: what each device can take in the period that begins now.
void Scheduler::takeNewsLocked(std::uint64_t jobBytes) noexcept {
    Clock::time_point now = Clock::now();
    if (policy_.kind() != SHREDDER_LAFS || now - newsAt_ < kNewsPeriod) return;
    newsAt_ = now;
    for (std::size_t i = 0; i < pipelines_.size(); i++) {
        intakes_[i] = intakeOf(lookLocked(i), std::max<std::uint64_t>(jobBytes, 1));
    }
}

/// All under the lock, which a job that looks for another device needs: else its stream could fail, by
/// another thread of the pipeline, before the failure is told.
bool Scheduler::retire(Pipeline& pipeline, const Error& error) noexcept {
    std::lock_guard lock(mutex_);
    if (pipeline.failed()) return false;
    pipeline.setFailed();
    lastFailure_ = error;
    bool anyLeft = firstLiveLocked() != nullptr || substituteLocked() != nullptr;
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
template <typename Choose, typename Call>
auto Scheduler::onLiveDevice(Choose chooseOne, Call call) {
    while (Pipeline* pipeline = chooseOne()) {
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
    std::uint64_t bytes = std::accumulate(lengths, lengths + count, std::uint64_t{0});
    onLiveDevice(
        [&] { return choose(bytes); },
        [&](Device& device) { device.digestBatch(data, offsets, lengths, count, algorithm, digests); });
}

/// Of the first device: GPUs come first, and what one of them page-locks every other device reads, too.
std::unique_ptr<HostMemory> Scheduler::createHostMemory(std::size_t bytes, bool pinned) {
    return onLiveDevice([this] { return firstLive(); },
                        [&](Device& device) { return device.createHostMemory(bytes, pinned); });
}

std::vector<Scheduler::DeviceState> Scheduler::deviceStates() const {
    std::lock_guard lock(mutex_);
    std::vector<DeviceState> states;
    for (const auto& pipeline : pipelines_) {
        const Device& device = pipeline->device();
        states.push_back({.name = device.name(),
                          .failed = pipeline->failed(),
                          .bytesScanned = device.bytesScanned(),
                          .bytesPerSecond = pipeline->bytesPerSecond()});
    }
    return states;
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
