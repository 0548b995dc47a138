// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "pipeline/carried_bytes.h"
#include "pipeline/device.h"
#include "pipeline/host_memory_pool.h"

namespace shredder {

class Pipeline;
class Stream;

/// Where a ring buffer is. Each state names who may touch the buffer.
enum class JobState {
    Idle,         ///< nobody
    Filling,      ///< the reader
    Outstanding,  ///< nobody: queued for a device
    Running,      ///< the device; between candidates and digest the stream, which selects
    Done,         ///< the consumer, from next to release
};

/// One buffer of a stream's ring with all that belongs to it on its way. It never moves.
struct RingJob : Job {
    Stream* stream = nullptr;
    HostMemoryLease memory;
    std::unique_ptr<CarriedBytes> ended;  // what is carried, if it ends here
    JobState state = JobState::Idle;      // guarded by the stream's mutex
    bool scanned = false;                 // guarded by the stream's mutex: with the stream, for its turn
    bool waitsAgain = false;              // guarded by it, too: to run again, with the stream, for its turn
    std::size_t handedOut = 0;            // records that the consumer has had, or has

    /// Set once, by selection; a job that runs again keeps it.
    bool selected = false;
    /// Given to its present device by another one that failed.
    bool again = false;
    /// Of scan or digest, which its device is at.
    bool onDevice = false;
    std::uint64_t turn = 0;  // see JobQueues
    Pipeline* pipeline = nullptr;
    RingJob* following = nullptr;  // in the list that the job is in
    std::unique_ptr<Workspace> workspace;
    Candidates candidates;  // in the workspace
};

}  // namespace shredder
