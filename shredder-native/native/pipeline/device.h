// SPDX-License-Identifier: Apache-2.0
//
// What a device does for a buffer, in the order of the calls:
//
//   scan         copy to the device, candidates             starts it      the device's launch thread
//   candidates   the candidates are in host memory          waits          the device's select thread
//                (the stream selects the cuts, in its order, on the host)
//   digest       the digests of records, carried bytes      starts it      the thread that selected
//   finish       the digests are in the records             waits          the device's store thread
//
// A CPU and a GPU are the same here. Nothing of a stream stays on a device from one buffer to the next, so
// any buffer may go to any device, and again to another one if its device fails.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "chunk/candidates.h"
#include "chunk/chunking_params.h"
#include "shredder.h"

namespace shredder {

class CarriedBytes;

/// Sizes of one ring buffer.
struct BufferGeometry {
    std::size_t payloadBytes;  ///< what the reader fills at once; a multiple of 4 KiB
    std::size_t maxRecords;    ///< chunks that can end in one buffer

    bool operator==(const BufferGeometry&) const = default;
    /// A workspace of this geometry serves buffers of the other one.
    bool covers(const BufferGeometry& other) const {
        return payloadBytes >= other.payloadBytes && maxRecords >= other.maxRecords;
    }
};

/// One stream as devices see it. Does not change while the stream is open.
struct StreamPlan {
    /// No two streams of the process have the same: a device may keep what it derives from scan under it.
    std::uint64_t id;
    ScanSpec scan;
    CutRules rules;
    BufferGeometry geometry;
    bool computeDigests;
    DigestAlgorithm digestAlgorithm;
};

/// One buffer of a stream. Payload and records are host memory of the stream's ring (page-locked where an
/// engine has CUDA devices and was not told otherwise).
struct Job {
    const StreamPlan* plan = nullptr;
    /// plan->geometry.payloadBytes of room. The 48 bytes before it are the stream's bytes before it (zeros at
    /// its start), and 64 may be read.
    std::uint8_t* payload = nullptr;
    std::size_t payloadBytes = 0;
    std::uint64_t streamOffset = 0;  ///< of payload[0]
    bool last = false;

    /// Set by selection: the chunk that earlier buffers began, if there was one when this buffer came.
    /// Devices go on with its digest, by digestCarried, however many of them have a part of it.
    CarriedBytes* carried = nullptr;
    std::size_t carriedBytes = 0;  ///< so many of its bytes are there once this buffer's are
    bool carriedEnds = false;      ///< here: it is the first record, and not in the payload
    bool carriedBefore = false;    ///< jobs before this one have gone on with its digest, or do so now
    /// Room for plan->geometry.maxRecords. Set by selection: offset, length, flags, zeros as digest.
    shredder_record* records = nullptr;
    std::size_t recordCount = 0;

    /// The first of the records whose chunks lie in the payload, one behind the other.
    std::size_t firstInPayload() const { return carriedEnds ? 1 : 0; }
    /// Of those.
    const std::uint8_t* chunk(std::size_t record) const {
        return payload + (records[record].offset - streamOffset);
    }
    bool wantsDigests() const { return plan->computeDigests && (recordCount > 0 || carried != nullptr); }
};

/// Bytes that an object holds.
struct MemoryUse {
    std::size_t hostBytes = 0;    ///< page-locked ones included
    std::size_t pinnedBytes = 0;  ///< page-locked
    std::size_t deviceBytes = 0;
};

/// What a device needs for one job at a time beside the job's own memory: device memory, a CUDA stream, the
/// bitmap. Made by its device and used with no other; taken by the next job when one is over.
class Workspace {
  public:
    virtual ~Workspace() = default;

    const BufferGeometry& geometry() const { return geometry_; }
    /// May grow with each job.
    virtual MemoryUse memory() const = 0;

    MemoryUse metered;  ///< what of it is counted, by whoever counts

  protected:
    explicit Workspace(const BufferGeometry& geometry) : geometry_(geometry) {}

  private:
    BufferGeometry geometry_;
};

/// A piece of host memory, aligned to 4 KiB.
class HostMemory {
  public:
    virtual ~HostMemory() = default;

    virtual std::uint8_t* data() = 0;
    virtual std::size_t size() const = 0;
    virtual bool pinned() const = 0;
    /// Nobody needs what it holds any more, though somebody may still read or write it: gives its pages back
    /// to the system where that can be done.
    virtual void discard() noexcept {}
};

/// A CPU or a GPU. Thread-safe; every call may come from any thread, but those for one workspace come one
/// after the other. A job and its workspace stay where they are from scan to finish or abandon.
/// Any call that may throw says by Error(SHREDDER_DEVICE_ERROR, SHREDDER_DEVICE_LOST or SHREDDER_UNAVAILABLE)
/// that the device is no longer to be used: its jobs then run elsewhere, and only abandon, destructors, name
/// and bytesScanned are called from then on. Any other error is the stream's.
class Device {
  public:
    virtual ~Device() = default;

    /// Such as "cuda:0" or "avx512".
    virtual std::string name() const = 0;
    virtual bool isGpu() const { return false; }
    /// That wait at the device for others than this process, as far as is known.
    virtual std::uint64_t bytesOfOthers() const { return 0; }

    /// Page-locked memory that every device of the machine reads at full speed, if pinned is wanted and this
    /// kind of device knows such memory; else plain memory.
    virtual std::unique_ptr<HostMemory> createHostMemory(std::size_t bytes, bool pinned) = 0;
    virtual std::unique_ptr<Workspace> createWorkspace(const BufferGeometry& geometry) = 0;

    /// Starts the search for candidates in the payload. workspace.geometry() covers the plan's geometry.
    virtual void scan(const Job& job, Workspace& workspace) = 0;
    /// Waits for the scan. What is returned stays valid until the workspace's next scan or its end, also if
    /// the device fails in between.
    virtual Candidates candidates(const Job& job, Workspace& workspace) = 0;
    /// Starts the digests of the job's records and of its carried bytes, by the plan's algorithm. Only after
    /// candidates, and only for a job that wants digests. On a job that is run again, selection and with it
    /// the carried bytes and the records are the first run's.
    virtual void digest(const Job& job, Workspace& workspace) = 0;
    /// Waits for them: each record's digest is filled in. May also do them: those of carried bytes.
    virtual void finish(Job& job, Workspace& workspace) = 0;
    /// Returns once the device no longer touches the memory of the workspace's job, whatever was started and
    /// however it ended; the workspace may then be used for another job or be destroyed.
    virtual void abandon(Workspace& workspace) noexcept = 0;

    /// Digests `count` pieces data[offsets[i] .. offsets[i] + lengths[i]), 32 bytes each, to digests. Blocks.
    virtual void digestBatch(const std::uint8_t* data, const std::uint64_t* offsets,
                             const std::uint32_t* lengths, std::size_t count, DigestAlgorithm algorithm,
                             std::uint8_t* digests) = 0;
    /// By this device's own kernels so far.
    virtual std::uint64_t bytesScanned() const = 0;
};

/// Which devices of a kind to open, and how.
struct DeviceSelection {
    std::int32_t ordinal = -1;  ///< one device by its number, or -1 for all
    std::uint32_t count = 0;    ///< at most so many, 0 for all
    bool naiveScan = false;     ///< SHREDDER_SWITCH_NAIVE_SCAN: the unoptimised kernel
};

}  // namespace shredder
