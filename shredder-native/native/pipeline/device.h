// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "chunk/chunking_params.h"
#include "shredder.h"

namespace shredder {

/// Sizes of one ring buffer. Slots of equal geometry are interchangeable.
struct SlotGeometry {
    std::size_t carryBytes;    ///< room before the payload for the unfinished chunk of the previous buffer
    std::size_t payloadBytes;  ///< what the reader fills at once
    std::size_t maxRecords;    ///< chunks that can end in one buffer

    bool operator==(const SlotGeometry&) const = default;
};

/// A ring buffer's memory: host [carry area][payload], results, and what its device needs beside them.
class Slot {
  public:
    virtual ~Slot() = default;

    virtual std::uint8_t* payload() = 0;
    virtual shredder_record* records() = 0;
    const SlotGeometry& geometry() const { return geometry_; }

  protected:
    explicit Slot(const SlotGeometry& geometry) : geometry_(geometry) {}

  private:
    SlotGeometry geometry_;
};

/// One stream as its device sees it.
struct StreamPlan {
    ScanSpec scan;
    CutRules rules;
    SlotGeometry geometry;
    bool computeDigests;
};

/// One buffer of a stream on its way through the device.
/// The 48 bytes before slot->payload() hold the stream's bytes before it (zeros at its start).
struct Job {
    Slot* slot = nullptr;
    std::size_t payloadBytes = 0;
    std::uint64_t streamOffset = 0;  ///< of the payload's first byte
    bool last = false;
    std::size_t recordCount = 0;  ///< result; the records and their bytes are in the slot
};

/// One stream's state on one device. Jobs pass transfer and kernel on the launch thread and store on the
/// store thread, in stream order at each; store of one job may run beside transfer and kernel of later ones.
class Lane {
  public:
    virtual ~Lane() = default;

    /// Starts the copy of the payload to the device.
    virtual void transfer(Job& job) = 0;
    /// Starts scan, selection and digests.
    virtual void kernel(Job& job) = 0;
    /// Waits for the results: sets recordCount, fills the slot's records, and makes the chunks' bytes
    /// contiguous.
    virtual void store(Job& job) = 0;
    /// Instead of store, after an error: returns once the device no longer touches the slot.
    virtual void abandon(Job& job) noexcept = 0;
};

/// A CPU or a GPU. Thread-safe.
class Device {
  public:
    virtual ~Device() = default;

    virtual std::unique_ptr<Slot> createSlot(const SlotGeometry& geometry) = 0;
    virtual std::unique_ptr<Lane> createLane(const StreamPlan& plan) = 0;
    virtual void digestBatch(const std::uint8_t* data, const std::uint64_t* offsets,
                             const std::uint32_t* lengths, std::size_t count, std::uint8_t* digests) = 0;
    /// Called once on each thread that will use the device's lanes.
    virtual void attachThread() {}
    virtual std::uint64_t bytesScanned() const = 0;
};

}  // namespace shredder
