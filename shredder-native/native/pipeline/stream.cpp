// SPDX-License-Identifier: Apache-2.0
#include "pipeline/stream.h"

#include <algorithm>
#include <cstring>

#include "pipeline/pipeline.h"
#include "pipeline/scheduler.h"

namespace shredder {
namespace {

/// Before the payload: the window, and what devices may read along with it.
constexpr std::size_t kBeforePayloadBytes = 4096;

/// The records that are not handed out yet; a chunk in memory of its own comes alone.
shredder_batch batchOf(const RingJob& job) {
    bool carried = job.handedOut == 0 && job.carriedEnds;
    const shredder_record* records = job.records + job.handedOut;
    std::size_t count = carried ? 1 : job.recordCount - job.handedOut;
    const shredder_record& last = records[count - 1];
    return {.data = carried ? job.carried->data() : job.chunk(job.handedOut),
            .data_bytes = last.offset + last.length - records[0].offset,
            .records = records,
            .record_count = count};
}

}  // namespace

Stream::Stream(Scheduler& scheduler, HostMemoryPool& memory, MemoryMeter& meter, const StreamPlan& plan,
               std::size_t buffers, BufferSizer* sizer)
    : scheduler_(scheduler),
      memory_(memory),
      plan_(plan),
      sizer_(sizer),
      carried_(plan.rules.maxBytes, memory.reuses() ? buffers + 1 : 0, meter),
      ring_(buffers),
      selection_(plan_, carried_) {
    for (RingJob& job : ring_) {
        job.plan = &plan_;
        job.stream = this;
    }
}

Stream::~Stream() {
    cancel();
    Lock lock(mutex_);
    changed_.wait(lock, [this] { return !selecting_ && !deviceHasBuffers(); });
    for (RingJob& job : ring_) {
        if (job.state == JobState::Filling) job.memory.giveBackWritten();
    }
}

bool Stream::deviceHasBuffers() const {
    return std::any_of(ring_.begin(), ring_.end(), [](const RingJob& job) {
        return job.state == JobState::Outstanding || job.state == JobState::Running;
    });
}

Stream::Payload Stream::acquire() {
    Lock lock(mutex_);
    RingJob& job = at(filled_);
    if (inputEnded_) throw Error(SHREDDER_WRONG_STATE, "acquire after finish");
    if (job.state == JobState::Filling) throw Error(SHREDDER_WRONG_STATE, "acquire without submit before");
    changed_.wait(lock, [&] { return stoppedLocked() || job.state == JobState::Idle; });
    if (stoppedLocked()) throwStopped();
    lock.unlock();
    leaseMemory(job);  // nobody else touches an idle buffer
    lock.lock();
    job.state = JobState::Filling;
    std::size_t room = plan_.geometry.payloadBytes;
    return {job.payload, sizer_ == nullptr ? room : std::min(room, sizer_->size())};
}

/// Window, payload, records: in one piece, so that all of it is page-locked.
void Stream::leaseMemory(RingJob& job) {
    if (job.memory.data() != nullptr) return;
    const BufferGeometry& geometry = plan_.geometry;
    std::size_t dataBytes = kBeforePayloadBytes + geometry.payloadBytes;
    job.memory = memory_.lease(dataBytes + geometry.maxRecords * sizeof(shredder_record));
    job.payload = job.memory.data() + kBeforePayloadBytes;
    job.records = reinterpret_cast<shredder_record*>(job.memory.data() + dataBytes);
}

void Stream::submit(std::size_t bytes, bool last) {
    RingJob* job = nullptr;
    {
        std::lock_guard lock(mutex_);
        job = &at(filled_);
        if (job->state != JobState::Filling) throw Error(SHREDDER_WRONG_STATE, "submit without acquire");
        if (bytes > plan_.geometry.payloadBytes) {
            throw Error(SHREDDER_INVALID_ARGUMENT, "submit of " + std::to_string(bytes) +
                                                       " bytes, buffer holds " +
                                                       std::to_string(plan_.geometry.payloadBytes));
        }
        job->payloadBytes = bytes;
        job->last = last;
        job->streamOffset = streamOffset_;
        job->handedOut = 0;
        job->selected = false;
        job->again = false;
        rememberWindow(*job);
        streamOffset_ += bytes;
        job->state = JobState::Outstanding;
        filled_++;
        inputEnded_ = last;
    }
    scheduler_.submit(*job);
}

/// Puts the 48 bytes before the payload in front of it, and keeps the last 48 for the next buffer.
void Stream::rememberWindow(const RingJob& job) {
    std::memcpy(job.payload - kWindowBytes, window_.data(), kWindowBytes);
    std::memcpy(window_.data(), job.payload + job.payloadBytes - kWindowBytes, kWindowBytes);
}

std::optional<shredder_batch> Stream::next() {
    Lock lock(mutex_);
    if (recordsOut_ != 0) throw Error(SHREDDER_WRONG_STATE, "next without release before");
    for (;;) {
        RingJob& job = at(consumed_);
        changed_.wait(lock, [&] {
            return stoppedLocked() || job.state == JobState::Done || (inputEnded_ && consumed_ == filled_);
        });
        if (stoppedLocked()) throwStoppedToConsumer();
        if (job.state != JobState::Done) return std::nullopt;
        if (job.recordCount > job.handedOut) {
            shredder_batch batch = batchOf(job);
            recordsOut_ = batch.record_count;
            job.handedOut += recordsOut_;
            return batch;
        }
        makeIdle(job);  // no chunk ended in this buffer
    }
}

void Stream::release() {
    std::lock_guard lock(mutex_);
    if (recordsOut_ == 0) throw Error(SHREDDER_WRONG_STATE, "release without next");
    recordsOut_ = 0;
    RingJob& job = at(consumed_);
    dropCarried(job);
    if (job.handedOut == job.recordCount) makeIdle(job);
}

/// The consumer has had it; or nobody will.
void Stream::dropCarried(RingJob& job) {
    carried_.giveBack(std::move(job.ended));
}

void Stream::makeIdle(RingJob& job) {
    if (!memory_.reuses()) job.memory.giveBack();
    if (sizer_ != nullptr) sizer_->done(job.payloadBytes, BufferSizer::Clock::now());
    job.state = JobState::Idle;
    consumed_++;
    changed_.notify_all();
}

std::shared_ptr<HostMemory> Stream::memoryOf(const std::uint8_t* bytes) {
    auto holds = [bytes](HostMemory* memory) {
        return memory != nullptr && bytes >= memory->data() && bytes < memory->data() + memory->size();
    };
    std::lock_guard lock(mutex_);
    for (const RingJob& job : ring_) {
        if (job.state != JobState::Filling && job.state != JobState::Done) continue;
        if (holds(job.memory.memory().get())) return job.memory.memory();
        if (job.ended && holds(job.ended->memory().get())) return job.ended->memory();
    }
    throw Error(SHREDDER_INVALID_ARGUMENT, "not an acquired payload, nor a batch, of this stream");
}

void Stream::cancel() noexcept {
    Lock lock(mutex_);
    cancelled_ = true;
    changed_.notify_all();
    sendBackWaiting(lock);
}

void Stream::begin(RingJob& job) noexcept {
    std::lock_guard lock(mutex_);
    job.state = JobState::Running;
}

void Stream::scanned(RingJob& job) noexcept {
    Lock lock(mutex_);
    job.scanned = true;
    sendBackWaiting(lock);
}

/// Sends back every job that waits and whose turn it is. One thread does so at a time; the others leave their
/// jobs to it. Nobody destroys the stream while selecting_ is set.
void Stream::sendBackWaiting(Lock& lock) noexcept {
    if (selecting_) return;
    selecting_ = true;
    while (RingJob* job = waitingJob()) {
        sendBack(*job, lock);
    }
    selecting_ = false;
    changed_.notify_all();
}

/// Selects the cuts of a scanned job, without the lock; one that runs again is scanned first.
void Stream::sendBack(RingJob& job, Lock& lock) noexcept {
    bool again = job.waitsAgain;
    bool select = !again && !stoppedLocked();
    job.scanned = false;
    job.waitsAgain = false;
    if (!again) selected_++;
    lock.unlock();
    if (again) {
        scheduler_.submit(job);
    } else {
        if (select) selectCuts(job);
        job.pipeline->selected(job);
    }
    lock.lock();
}

/// A selection that fails, fails the stream: its later cuts can't be known.
void Stream::selectCuts(RingJob& job) noexcept {
    try {
        selection_.select(job, job.candidates);
        job.selected = true;
    } catch (...) {
        fail(Error::current());
    }
}

/// The one whose turn it is, if it waits; any that does once the stream has stopped; else null.
RingJob* Stream::waitingJob() {
    auto waits = [](const RingJob& job) { return job.scanned || job.waitsAgain; };
    if (!stoppedLocked()) return waits(at(selected_)) ? &at(selected_) : nullptr;
    auto found = std::find_if(ring_.begin(), ring_.end(), waits);
    return found == ring_.end() ? nullptr : &*found;
}

bool Stream::mayRunAgain(RingJob& job) noexcept {
    std::lock_guard lock(mutex_);
    if (job.selected || stoppedLocked() || &job == &at(selected_)) return true;
    job.waitsAgain = true;
    return false;
}

void Stream::complete(RingJob& job) noexcept {
    // Under the lock to its end: the destructor may free the stream once it has seen the state.
    std::lock_guard lock(mutex_);
    job.state = JobState::Done;
    changed_.notify_all();
}

void Stream::fail(const Error& error) noexcept {
    Lock lock(mutex_);
    if (!stoppedLocked()) unreportedError_ = error;
    failed_ = true;
    changed_.notify_all();
    sendBackWaiting(lock);
}

bool Stream::stopped() noexcept {
    std::lock_guard lock(mutex_);
    return stoppedLocked();
}

/// The consumer gets the devices' error, once.
void Stream::throwStoppedToConsumer() {
    if (!unreportedError_) throwStopped();
    Error error = *unreportedError_;
    unreportedError_.reset();
    throw error;
}

void Stream::throwStopped() const {
    if (failed_) throw Error(SHREDDER_CANCELLED, "the stream has failed");
    throw Error(SHREDDER_CANCELLED, "the stream was cancelled");
}

}  // namespace shredder
