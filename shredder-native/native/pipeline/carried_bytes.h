// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "cpu/running_digest.h"
#include "pipeline/memory_meter.h"
#include "pipeline/untouched_memory.h"

namespace shredder {

/// A chunk that several buffers bring: its bytes, back to back, and its digest, which follows them as they
/// come. There is room for the longest chunk from the start, so that the bytes need not move; but what was
/// never filled takes no memory, and is not counted either.
///
/// One thread appends, in the stream's order. The devices' threads digest beside that, in any order and
/// never two at once: who finds another one at it leaves its bytes to that one.
class CarriedBytes {
  public:
    CarriedBytes(std::size_t most, MemoryMeter& meter);
    CarriedBytes(const CarriedBytes&) = delete;
    CarriedBytes& operator=(const CarriedBytes&) = delete;
    ~CarriedBytes();

    /// Another chunk, without bytes yet. Nobody digests.
    void begin(DigestAlgorithm algorithm) noexcept;
    /// At most so many in all as there is room for.
    void append(const std::uint8_t* bytes, std::size_t count) noexcept;
    /// Takes the memory of an idle one for its own, and goes on there. Waits for who digests.
    void moveInto(CarriedBytes& idle) noexcept;

    const std::uint8_t* data() const { return bytes_; }
    std::size_t size() const { return size_; }
    /// Memory that was filled at some time.
    std::size_t takenBytes() const { return touched_; }
    std::shared_ptr<HostMemory> memory() const { return memory_; }

    /// Goes on with the digest, up to the chunk's first `size` bytes.
    void digest(const RunningKernels& kernels, std::size_t size) noexcept;
    /// The digest of the chunk, which has `size` bytes. Waits for who digests. May be called again.
    void finishDigest(const RunningKernels& kernels, std::size_t size, std::uint8_t* digest) noexcept;

  private:
    using Lock = std::unique_lock<std::mutex>;

    void claim(Lock& lock) noexcept;
    void yieldClaim() noexcept;

    std::shared_ptr<UntouchedMemory> memory_;
    std::uint8_t* bytes_;  // of memory_
    MemoryMeter& meter_;
    std::size_t size_ = 0;
    std::size_t touched_ = 0;  // whole pages, from the memory's start

    std::mutex mutex_;
    std::condition_variable free_;
    bool claimed_ = false;      // a thread digests, or moves the bytes
    std::size_t toDigest_ = 0;  // bytes, from the first one
    RunningDigest running_;     // of who has the claim
};

/// One stream's CarriedBytes: those of the unfinished chunk, and of chunks that the consumer does not have
/// yet or has not given back. Thread-safe.
class CarryPool {
  public:
    /// Of at most `most` bytes each; keep: what comes back is kept for the next, at most so many.
    CarryPool(std::size_t most, std::size_t keep, MemoryMeter& meter);

    /// What came back last. Throws std::bad_alloc.
    std::unique_ptr<CarriedBytes> take();
    /// Moves the bytes into idle memory, if there is some of which more was filled before: so a stream fills
    /// one long chunk's memory again and again, and more of it only while its consumer keeps chunks.
    void makeRoom(CarriedBytes& carried) noexcept;
    void giveBack(std::unique_ptr<CarriedBytes> carried) noexcept;

  private:
    using Idle = std::vector<std::unique_ptr<CarriedBytes>>;

    std::unique_ptr<CarriedBytes> takeRoomierThan(std::size_t takenBytes) noexcept;
    std::unique_ptr<CarriedBytes> takeLocked(Idle::iterator place) noexcept;

    std::size_t most_;
    std::size_t keep_;
    MemoryMeter& meter_;
    std::mutex mutex_;
    Idle idle_;
};

/// For devices: what the job brings of its carried chunk's digest, on this thread.
void digestCarried(const Job& job, const RunningKernels& kernels) noexcept;

}  // namespace shredder
