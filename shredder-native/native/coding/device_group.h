// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "coding/coding_device.h"
#include "cpu/worker_pool.h"
#include "pipeline/error.h"
#include "pipeline/fault_injection.h"

namespace shredder::coding {

/// A range of the bytes of all shards.
struct ByteRange {
    std::size_t from;
    std::size_t bytes;
};

/// The devices of a coder, which share the bytes of each call. One that fails is named in one line on
/// standard error and used no more; one that has no memory for a call is named once, and asked again for the
/// next one. Thread-safe.
class DeviceGroup {
  public:
    /// @param devices one at least
    explicit DeviceGroup(std::vector<std::unique_ptr<CodingDevice>> devices);

    /// As CodingDevice::apply over all bytes. Returns what no device has computed, since devices failed.
    std::vector<ByteRange> apply(const Matrix& rows, const std::uint8_t* const* inputs,
                                 std::uint8_t* const* outputs, std::size_t bytes);

    std::size_t failed() const;

  private:
    struct Member {
        std::unique_ptr<CodingDevice> device;
        std::atomic<bool> failed{false};
        std::atomic<bool> lackedMemory{false};
    };

    std::vector<Member*> working();
    bool tried(Member& member, const Matrix& rows, const std::uint8_t* const* inputs,
               std::uint8_t* const* outputs, const ByteRange& range);
    static void warn(Member& member, const Error& error) noexcept;

    std::vector<std::unique_ptr<Member>> members_;
    std::unique_ptr<WorkerPool> pool_;  ///< a thread for each device; null if there is one device
};

/// The device, which fails in the middle of those calls that the faults name by the stage Code; itself if
/// none is its own.
std::unique_ptr<CodingDevice> withFaults(std::unique_ptr<CodingDevice> device, std::size_t number,
                                         const std::vector<Fault>& faults);

}  // namespace shredder::coding
