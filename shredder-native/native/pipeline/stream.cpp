// SPDX-License-Identifier: Apache-2.0
#include "pipeline/stream.h"

#include <algorithm>
#include <cstring>

#include "pipeline/pipeline.h"

namespace shredder {

Stream::Stream(Pipeline& pipeline, const StreamPlan& plan, std::unique_ptr<Lane> lane, unsigned depth)
    : pipeline_(pipeline),
      payloadCapacity_(plan.geometry.payloadBytes),
      lane_(std::move(lane)),
      ring_(depth) {
    leases_.reserve(depth);
    for (RingJob& job : ring_) {
        leases_.push_back(pipeline.slots().lease(plan.geometry));
        job.slot = &*leases_.back();
        job.stream = this;
    }
}

Stream::~Stream() {
    cancel();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] {
        return std::none_of(ring_.begin(), ring_.end(), [](const RingJob& job) {
            return job.state == SlotState::Outstanding || job.state == SlotState::Running;
        });
    });
}

Stream::Payload Stream::acquire() {
    std::unique_lock lock(mutex_);
    RingJob& job = at(filled_);
    if (inputEnded_ || job.state == SlotState::Filling) {
        throw Error(SHREDDER_WRONG_STATE,
                    inputEnded_ ? "acquire after finish" : "acquire without submit before");
    }
    changed_.wait(lock, [&] { return stoppedLocked() || job.state == SlotState::Idle; });
    if (stoppedLocked()) throwStopped();
    job.state = SlotState::Filling;
    return {job.slot->payload(), payloadCapacity_};
}

void Stream::submit(std::size_t bytes, bool last) {
    RingJob* job = nullptr;
    {
        std::lock_guard lock(mutex_);
        job = &at(filled_);
        if (job->state != SlotState::Filling) throw Error(SHREDDER_WRONG_STATE, "submit without acquire");
        if (bytes > payloadCapacity_) {
            throw Error(SHREDDER_INVALID_ARGUMENT, "submit of " + std::to_string(bytes) +
                                                       " bytes, buffer holds " +
                                                       std::to_string(payloadCapacity_));
        }
        job->payloadBytes = bytes;
        job->last = last;
        job->streamOffset = streamOffset_;
        job->recordCount = 0;
        rememberWindow(*job);
        streamOffset_ += bytes;
        job->state = SlotState::Outstanding;
        filled_++;
        inputEnded_ = last;
    }
    pipeline_.submit(*job);
}

/// Puts the 48 bytes before the payload in front of it, and keeps the last 48 for the next buffer.
void Stream::rememberWindow(const RingJob& job) {
    std::uint8_t* payload = job.slot->payload();
    std::memcpy(payload - kWindowBytes, window_.data(), kWindowBytes);
    std::memcpy(window_.data(), payload + job.payloadBytes - kWindowBytes, kWindowBytes);
}

std::optional<shredder_batch> Stream::next() {
    std::unique_lock lock(mutex_);
    if (batchOut_) throw Error(SHREDDER_WRONG_STATE, "next without release before");
    for (;;) {
        RingJob& job = at(consumed_);
        changed_.wait(lock, [&] {
            return stoppedLocked() || job.state == SlotState::Done || (inputEnded_ && consumed_ == filled_);
        });
        if (stoppedLocked()) throwStoppedToConsumer();
        if (job.state != SlotState::Done) return std::nullopt;
        if (job.recordCount > 0) {
            batchOut_ = true;
            return batchOf(job);
        }
        job.state = SlotState::Idle;  // no chunk ended in this buffer
        consumed_++;
        changed_.notify_all();
    }
}

shredder_batch Stream::batchOf(RingJob& job) const {
    const shredder_record* records = job.slot->records();
    const shredder_record& lastRecord = records[job.recordCount - 1];
    return {.data = job.slot->payload() - (job.streamOffset - records[0].offset),
            .data_bytes = lastRecord.offset + lastRecord.length - records[0].offset,
            .records = records,
            .record_count = job.recordCount};
}

void Stream::release() {
    {
        std::lock_guard lock(mutex_);
        if (!batchOut_) throw Error(SHREDDER_WRONG_STATE, "release without next");
        batchOut_ = false;
        at(consumed_).state = SlotState::Idle;
        consumed_++;
    }
    changed_.notify_all();
}

void Stream::cancel() {
    {
        std::lock_guard lock(mutex_);
        cancelled_ = true;
    }
    changed_.notify_all();
}

bool Stream::begin(RingJob& job) {
    std::lock_guard lock(mutex_);
    job.state = SlotState::Running;
    return !stoppedLocked();
}

void Stream::complete(RingJob& job) {
    // Under the lock to its end: the destructor may free the stream once it has seen the state.
    std::lock_guard lock(mutex_);
    job.state = SlotState::Done;
    changed_.notify_all();
}

void Stream::fail(const Error& error) {
    std::lock_guard lock(mutex_);
    if (!failed_) unreportedError_ = error;
    failed_ = true;
    changed_.notify_all();
}

bool Stream::stopped() {
    std::lock_guard lock(mutex_);
    return stoppedLocked();
}

/// The consumer gets the device's error, once.
void Stream::throwStoppedToConsumer() {
    if (!unreportedError_) throwStopped();
    Error error = *unreportedError_;
    unreportedError_.reset();
    throw error;
}

void Stream::throwStopped() const {
    throw Error(SHREDDER_CANCELLED, failed_ ? "the stream has failed" : "the stream was cancelled");
}

}  // namespace shredder
