// SPDX-License-Identifier: Apache-2.0
#include "pipeline/job_queues.h"

#include "pipeline/stream.h"

namespace shredder {

void JobQueues::putOutstanding(RingJob& job) {
    {
        std::lock_guard lock(mutex_);
        if (job.again) {
            again_.put(job);
        } else {
            job.turn = job.stream->takeTurn(clock_.now(), job.payloadBytes);
            outstanding_.putByTurn(job);
        }
        load_.jobs++;
        load_.bytes += job.payloadBytes;
    }
    launchChanged_.notify_one();
}

void JobQueues::putScanning(RingJob& job) {
    scanning_.put(job);
}

void JobQueues::putDigesting(RingJob& job) {
    digesting_.put(job);
}

void JobQueues::leave(RingJob& job) {
    {
        std::lock_guard lock(mutex_);
        load_.jobs--;
        load_.bytes -= job.payloadBytes;
        (job.again ? placesTakenAgain_ : placesTaken_)--;
    }
    launchChanged_.notify_one();
}

void JobQueues::stopWaitingForPlaces() {
    {
        std::lock_guard lock(mutex_);
        waitForPlaces_ = false;
    }
    launchChanged_.notify_one();
}

void JobQueues::close() {
    {
        std::lock_guard lock(mutex_);
        closed_ = true;
    }
    launchChanged_.notify_one();
    scanning_.close();
    digesting_.close();
}

bool JobQueues::mayTake(const JobList& jobs, std::size_t placesTaken) const {
    return !jobs.empty() && (placesTaken < places_ || !waitForPlaces_);
}

RingJob* JobQueues::takeOutstanding() {
    std::unique_lock lock(mutex_);
    launchChanged_.wait(lock, [this] {
        return closed_ || mayTake(again_, placesTakenAgain_) || mayTake(outstanding_, placesTaken_);
    });
    if (mayTake(again_, placesTakenAgain_)) {
        placesTakenAgain_++;
        return again_.take();
    }
    if (!mayTake(outstanding_, placesTaken_)) return nullptr;
    placesTaken_++;
    RingJob* job = outstanding_.take();
    clock_.advance(job->turn);
    return job;
}

RingJob* JobQueues::takeScanning() {
    return scanning_.take();
}

RingJob* JobQueues::takeDigesting() {
    return digesting_.take();
}

JobQueues::Load JobQueues::load() const {
    std::lock_guard lock(mutex_);
    return load_;
}

}  // namespace shredder
