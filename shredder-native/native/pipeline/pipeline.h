// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <thread>

#include "pipeline/blocking_queue.h"
#include "pipeline/device.h"
#include "pipeline/slot_pool.h"
#include "pipeline/stream.h"

namespace shredder {

/// One device with its two threads and its pool of slots. Streams of the device must end before it does.
class Pipeline {
  public:
    explicit Pipeline(std::unique_ptr<Device> device);
    Pipeline(const Pipeline&) = delete;
    Pipeline& operator=(const Pipeline&) = delete;
    ~Pipeline();

    Device& device() { return *device_; }
    SlotPool& slots() { return slots_; }
    std::unique_ptr<Stream> openStream(const StreamPlan& plan, unsigned depth);

    /// From the reader: the job is filled.
    void submit(Stream::RingJob& job);

  private:
    void launchLoop();
    void storeLoop();
    static bool launch(Stream::RingJob& job);
    static void store(Stream::RingJob& job, bool launched);

    struct Launched {
        Stream::RingJob* job;
        bool launched;
    };

    std::unique_ptr<Device> device_;
    SlotPool slots_;
    BlockingQueue<Stream::RingJob*> outstanding_;
    BlockingQueue<Launched> running_;
    std::thread launchThread_;
    std::thread storeThread_;
};

}  // namespace shredder
