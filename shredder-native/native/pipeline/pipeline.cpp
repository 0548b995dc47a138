// SPDX-License-Identifier: Apache-2.0
//
// START HERE. The way of a stream's bytes, Shredder (FAST 2012) figure 4:
//
//   reader    fills a ring buffer: Stream::acquire, Stream::submit           the caller's reader thread
//   transfer  moves it to the device: Lane::transfer                        this device's launch thread
//   kernel    scan, cut selection, digests: Lane::kernel                     this device's launch thread
//   store     brings the results back: Lane::store                          this device's store thread
//             hands them out: Stream::next, Stream::release                  the caller's consumer thread
//
// Transfer and kernel of later buffers run while earlier ones are stored; on a GPU they only enqueue work. A
// stream's buffers keep their order everywhere. Then read stream.cpp (the ring), cpu/cpu_device.cpp,
// cuda/cuda_device.cu.
#include "pipeline/pipeline.h"

#include <pthread.h>

namespace shredder {

Pipeline::Pipeline(std::unique_ptr<Device> device) : device_(std::move(device)), slots_(*device_) {
    launchThread_ = std::thread([this] { launchLoop(); });
    pthread_setname_np(launchThread_.native_handle(), "shredder-launch");
    storeThread_ = std::thread([this] { storeLoop(); });
    pthread_setname_np(storeThread_.native_handle(), "shredder-store");
}

Pipeline::~Pipeline() {
    outstanding_.close();
    launchThread_.join();
    storeThread_.join();
}

std::unique_ptr<Stream> Pipeline::openStream(const StreamPlan& plan, unsigned depth) {
    device_->attachThread();
    return std::make_unique<Stream>(*this, plan, device_->createLane(plan), depth);
}

void Pipeline::submit(Stream::RingJob& job) {
    outstanding_.put(&job);
}

void Pipeline::launchLoop() {
    device_->attachThread();
    while (auto job = outstanding_.take()) {
        running_.put({*job, launch(**job)});
    }
    running_.close();
}

void Pipeline::storeLoop() {
    device_->attachThread();
    while (auto next = running_.take()) {
        store(*next->job, next->launched);
    }
}

/// False if the job never reached the device because its stream has stopped.
bool Pipeline::launch(Stream::RingJob& job) {
    Stream& stream = *job.stream;
    if (!stream.begin(job)) return false;
    try {
        stream.lane().transfer(job);
        stream.lane().kernel(job);
    } catch (...) {
        stream.fail(Error::current());
    }
    return true;
}

void Pipeline::store(Stream::RingJob& job, bool launched) {
    Stream& stream = *job.stream;
    if (launched && stream.stopped()) {
        stream.lane().abandon(job);
    } else if (launched) {
        try {
            stream.lane().store(job);
        } catch (...) {
            stream.fail(Error::current());
            stream.lane().abandon(job);
        }
    }
    stream.complete(job);
}

}  // namespace shredder
