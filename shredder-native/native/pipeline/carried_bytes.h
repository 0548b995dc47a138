// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "pipeline/memory_meter.h"
#include "pipeline/plain_memory.h"

namespace shredder {

/// The bytes of a chunk that several buffers bring, back to back. There is room for the longest chunk from
/// the start, so that they never move; but what was never filled takes no memory, and is not counted either.
class CarriedBytes {
  public:
    /// So many bytes before data() may be read: devices copy in units.
    static constexpr std::size_t kReadBehindBytes = 64;

    CarriedBytes(std::size_t most, MemoryMeter& meter);
    CarriedBytes(const CarriedBytes&) = delete;
    CarriedBytes& operator=(const CarriedBytes&) = delete;
    ~CarriedBytes();

    /// At most so many in all as there is room for.
    void append(const std::uint8_t* bytes, std::size_t count) noexcept;
    void clear() noexcept { size_ = 0; }

    const std::uint8_t* data() const { return bytes_; }
    std::size_t size() const { return size_; }
    /// Memory that was filled at some time.
    std::size_t takenBytes() const { return touched_; }
    std::shared_ptr<HostMemory> memory() const { return memory_; }

  private:
    std::shared_ptr<PlainMemory> memory_;
    std::uint8_t* bytes_;  // in it
    MemoryMeter& meter_;
    std::size_t size_ = 0;
    std::size_t touched_ = 0;  // whole pages, from the memory's start
};

/// One stream's CarriedBytes: those of the unfinished chunk, and of chunks that the consumer does not have
/// yet or has not given back. Thread-safe.
class CarryPool {
  public:
    /// Of at most `most` bytes each; keep: what comes back is kept for the next, at most so many.
    CarryPool(std::size_t most, std::size_t keep, MemoryMeter& meter);

    /// Empty ones. Throws std::bad_alloc.
    std::unique_ptr<CarriedBytes> take();
    /// The same bytes in idle memory, if there is some of which more was filled before: so a stream fills one
    /// long chunk's memory again and again, and more of it only while its consumer keeps chunks.
    std::unique_ptr<CarriedBytes> roomier(std::unique_ptr<CarriedBytes> carried) noexcept;
    void giveBack(std::unique_ptr<CarriedBytes> carried) noexcept;

  private:
    std::size_t most_;
    std::size_t keep_;
    MemoryMeter& meter_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<CarriedBytes>> idle_;
};

}  // namespace shredder
