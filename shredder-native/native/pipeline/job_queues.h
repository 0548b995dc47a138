// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <mutex>

#include "pipeline/fair_clock.h"
#include "pipeline/job_list.h"

namespace shredder {

/// The jobs of one device, as CrystalGPU keeps them: outstanding and running, the latter in two steps, before
/// selection and after it. Any thread puts; one launch thread takes the outstanding jobs, one select thread
/// the scanning ones, one store thread the digesting ones. Nothing here throws: a job is never lost.
///
/// Places are given by turn, which is what makes streams share the devices by their weights (start-time fair
/// queueing: Goyal, Vin, Cheng, SIGCOMM 1996). A stream's job has its turn where the stream's job before it
/// would end if the stream had the devices to itself at a speed of its weight; but not before the latest turn
/// that was given a place anywhere, so that no stream saves up what it did not use.
///
/// Why no job waits for ever. A job waits for a free place (one of the device's workspaces) and, for
/// selection, for the job before it in its stream. Take the job with the first turn that is not over: who
/// comes has no turn before one that has a place, and of those who wait the first gets it, so every place
/// that is taken when it waits for one belongs to a job with an earlier turn, which is over sooner or later;
/// and the job before it in its stream is over already. Jobs that run again after a failure come out of that
/// order, so they have places of their own, as many. Such a job comes once it waits for no other one of its
/// stream (Stream::mayRunAgain), so it gives its place back whatever others do.
class JobQueues {
  public:
    /// places: jobs that may be under way on the device at once. Queues whose streams are the same have one
    /// clock.
    JobQueues(std::size_t places, FairClock& clock) : places_(places), clock_(clock) {}

    void putOutstanding(RingJob& job);
    void putScanning(RingJob& job);
    void putDigesting(RingJob& job);
    /// The job is over on this device; frees its place.
    void leave(RingJob& job);
    /// From now on outstanding jobs are taken without a place, since they only pass on.
    void stopWaitingForPlaces();
    /// Once no jobs are left.
    void close();

    /// For the launch thread: blocks until there is a job and a place for it; null once closed.
    RingJob* takeOutstanding();

    /// For the select thread: blocks until a job's scan is started; null once closed.
    RingJob* takeScanning();
    /// For the store thread: blocks until a job's digests are started; null once closed.
    RingJob* takeDigesting();

    /// Jobs that have not left.
    struct Load {
        std::size_t jobs = 0;
        std::uint64_t bytes = 0;
    };
    Load load() const;

  private:
    bool mayTake(const JobList& jobs, std::size_t placesTaken) const;

    mutable std::mutex mutex_;
    std::condition_variable launchChanged_;
    JobList again_;        // outstanding, taken before the others
    JobList outstanding_;  // by turn
    JobQueue scanning_;    // in order of launch
    JobQueue digesting_;   // in order of the digests' start
    std::size_t places_;
    FairClock& clock_;
    std::size_t placesTaken_ = 0;
    std::size_t placesTakenAgain_ = 0;
    Load load_;
    bool waitForPlaces_ = true;
    bool closed_ = false;
};

}  // namespace shredder
