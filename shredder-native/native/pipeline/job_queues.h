// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <mutex>

#include "pipeline/job_list.h"

namespace shredder {

/// The jobs of one device, as CrystalGPU keeps them: outstanding and running, the latter in two steps, before
/// selection and after it. Any thread puts; one launch thread takes the outstanding jobs, one select thread
/// the scanning ones, one store thread the digesting ones. Nothing here throws: a job is never lost.
///
/// Why no job waits for ever. A job waits for a free place (one of the device's workspaces) and, for
/// selection, for the job before it in its stream. Take the earliest submitted job that is not over: places
/// are given in order of submission, so every place that is taken when it waits for one belongs to an
/// earlier job, which is over sooner or later; and the job before it in its stream is over already. Jobs that
/// run again after a failure come out of that order, so they need no place: they are taken at once.
class JobQueues {
  public:
    /// places: jobs that may be under way on the device at once.
    explicit JobQueues(std::size_t places) : places_(places) {}

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
    std::size_t length() const;

  private:
    bool mayTakeOutstanding() const;

    mutable std::mutex mutex_;
    std::condition_variable launchChanged_;
    JobList again_;        // outstanding, taken before the others
    JobList outstanding_;  // in order of submission
    JobQueue scanning_;    // in order of launch
    JobQueue digesting_;   // in order of the digests' start
    std::size_t places_;
    std::size_t placesTaken_ = 0;
    std::size_t jobs_ = 0;
    bool waitForPlaces_ = true;
    bool closed_ = false;
};

}  // namespace shredder
