// SPDX-License-Identifier: Apache-2.0
//
// The way of a stream's bytes, Shredder (FAST 2012) figure 4, in the manner of CrystalGPU:
//
//   reader    fills a ring buffer: Stream::acquire, Stream::submit            the caller's reader thread
//             and a device is chosen for it: Scheduler::submit
//   launch    takes an outstanding job and an idle workspace, and starts
//             transfer and kernel: Device::scan                               this device's launch thread
//   select    waits for the candidates; Stream::scanned selects the cuts,
//             in the stream's order                                           this device's select thread
//   digest    starts the digests of the chunks: Device::digest                the thread that selected
//   store     waits for them, and completes the job: Device::finish           this device's store thread
//             hands the chunks out: Stream::next, Stream::release             the caller's consumer thread
//
// Buffers of one stream may be on several devices; a job whose turn it is not yet waits with the stream, not
// in a thread, and is selected by the device thread that makes it its turn. On a GPU scan and digest only
// enqueue work, on a CPU they hand it to its workers: so copies, scans, selection and digests of several
// buffers overlap.
//
// A device that fails keeps its threads, and they pass each of its jobs on as they meet it: one way out for
// all, so a job completes exactly once. What a step of a job throws is caught around the step (attempt, and
// Stream::selectCuts); nothing outside of steps allocates or throws, so no thread ends for want of memory.
// Then read stream.cpp (the ring), job_queues.h, scheduler.cpp, device.h, cpu/cpu_device.cpp,
// cuda/cuda_device.cu.
#include "pipeline/pipeline.h"

#include "pipeline/scheduler.h"
#include "pipeline/stream.h"

namespace shredder {

Pipeline::Pipeline(std::unique_ptr<Device> device, Scheduler& scheduler, const PipelineOptions& options,
                   FairClock& clock, MemoryMeter& meter)
    : device_(std::move(device)),
      scheduler_(scheduler),
      idle_(*device_, options.reuseWorkspaces ? options.jobsUnderWay : 0, meter),
      queues_(options.jobsUnderWay, clock) {
    try {
        threads_.start("shredder-launch", [this] { launchLoop(); });
        threads_.start("shredder-select", [this] { selectLoop(); });
        threads_.start("shredder-store", [this] { storeLoop(); });
    } catch (...) {
        stop();
        throw;
    }
}

Pipeline::~Pipeline() {
    stop();
}

void Pipeline::stop() {
    queues_.close();
    threads_.join();
}

void Pipeline::submit(RingJob& job) noexcept {
    job.pipeline = this;
    queues_.putOutstanding(job);
}

void Pipeline::launchLoop() {
    while (RingJob* job = queues_.takeOutstanding()) {
        launch(*job);
    }
}

void Pipeline::launch(RingJob& job) {
    job.stream->begin(job);
    bool launched = attempt(job, [&] {
        job.workspace = idle_.take(job.plan->geometry);
        beginStep(job);
        device_->scan(job, *job.workspace);
    });
    if (launched) queues_.putScanning(job);
}

void Pipeline::selectLoop() {
    while (RingJob* job = queues_.takeScanning()) {
        select(*job);
    }
}

void Pipeline::select(RingJob& job) {
    bool found = attempt(job, [&] { job.candidates = device_->candidates(job, *job.workspace); });
    if (!found) return;
    endStep(job);
    if (job.selected) {
        selected(job);  // before it came here
    } else {
        job.stream->scanned(job);
    }
}

void Pipeline::selected(RingJob& job) noexcept {
    bool started = attempt(job, [&] {
        if (!job.wantsDigests()) return;
        beginStep(job);
        device_->digest(job, *job.workspace);
    });
    if (started) queues_.putDigesting(job);
}

void Pipeline::storeLoop() {
    while (RingJob* job = queues_.takeDigesting()) {
        store(*job);
    }
}

void Pipeline::store(RingJob& job) {
    bool stored = attempt(job, [&] {
        if (job.wantsDigests()) device_->finish(job, *job.workspace);
    });
    if (!stored) return;
    endStep(job);
    rate_.done(job.payloadBytes);
    leave(job);
    job.stream->complete(job);
}

/// Does a step of a job: the one place where the device's threads catch what is thrown. False if the job is
/// no longer here: its stream has stopped or the device has failed.
template <typename Step>
bool Pipeline::attempt(RingJob& job, Step step) noexcept {
    if (!failed_ && !job.stream->stopped()) {
        try {
            step();
            return true;
        } catch (...) {
            Error error = Error::current();
            if (isDeviceFailure(error)) {
                fail(error);
            } else {
                job.stream->fail(error);
            }
        }
    }
    drop(job);
    return false;
}

void Pipeline::beginStep(RingJob& job) noexcept {
    job.onDevice = true;
    rate_.begin();
}

void Pipeline::endStep(RingJob& job) noexcept {
    if (job.onDevice) rate_.end();
    job.onDevice = false;
}

void Pipeline::drop(RingJob& job) noexcept {
    endStep(job);
    if (job.workspace) device_->abandon(*job.workspace);
    leave(job);
    if (job.stream->stopped()) {
        job.stream->complete(job);
    } else {
        scheduler_.runAgain(job);
    }
}

void Pipeline::leave(RingJob& job) noexcept {
    idle_.giveBack(std::move(job.workspace));
    queues_.leave(job);
}

void Pipeline::fail(const Error& error) noexcept {
    if (scheduler_.retire(*this, error)) queues_.stopWaitingForPlaces();
}

/// Unavailable is what a GPU calls itself that has vanished.
bool isDeviceFailure(const Error& error) {
    return error.status() == SHREDDER_DEVICE_ERROR || error.status() == SHREDDER_DEVICE_LOST ||
           error.status() == SHREDDER_UNAVAILABLE;
}

}  // namespace shredder
