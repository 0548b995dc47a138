// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <vector>

#include "chunk/chunking_params.h"
#include "pipeline/scheduler.h"
#include "pipeline/stream.h"
#include "tests/test_support.h"

namespace shredder::test {

/// The calls of a device that a test can look into.
enum class Call { CreateWorkspace, Scan, Candidates, Digest, Finish, Abandon };
inline constexpr std::size_t kCalls = 6;

/// The plans' ids of the jobs that a rig's devices have scanned, in that order. Thread-safe.
class ScanLog {
  public:
    void add(std::uint64_t plan) {
        std::lock_guard lock(mutex_);
        plans_.push_back(plan);
    }
    std::vector<std::uint64_t> plans() const {
        std::lock_guard lock(mutex_);
        return plans_;
    }

  private:
    mutable std::mutex mutex_;
    std::vector<std::uint64_t> plans_;
};

/// A CPU device that tells a test of each call before it does it; the test may wait there, or throw.
class WatchedDevice final : public Device {
  public:
    using Watch = std::function<void(Call call, int number)>;  // number: 1 is the first such call

    /// log: null for none
    WatchedDevice(std::string name, Watch watch, ScanLog* log = nullptr);

    std::string name() const override { return name_; }
    std::unique_ptr<HostMemory> createHostMemory(std::size_t bytes, bool pinned) override;
    std::unique_ptr<Workspace> createWorkspace(const BufferGeometry& geometry) override;
    void scan(const Job& job, Workspace& workspace) override;
    Candidates candidates(const Job& job, Workspace& workspace) override;
    void digest(const Job& job, Workspace& workspace) override;
    void finish(Job& job, Workspace& workspace) override;
    void abandon(Workspace& workspace) noexcept override;
    void digestBatch(const std::uint8_t* data, const std::uint64_t* offsets, const std::uint32_t* lengths,
                     std::size_t count, DigestAlgorithm algorithm, std::uint8_t* digests) override;
    std::uint64_t bytesScanned() const override { return device_->bytesScanned(); }

  private:
    void tell(Call call);

    std::string name_;
    Watch watch_;
    ScanLog* log_;
    std::unique_ptr<Device> device_;
    std::array<std::atomic<int>, kCalls> numbers_{};
};

/// Of a rig's streams.
inline constexpr std::size_t kBufferBytes = 4096;

/// Devices with what an engine puts around them.
class DeviceRig {
  public:
    /// One device a watch, in turn. The substitute for failed ones is a device without a watch.
    explicit DeviceRig(const std::vector<WatchedDevice::Watch>& watches,
                       shredder_scheduling policy = SHREDDER_ROUND_ROBIN, std::size_t jobsUnderWay = 4);

    std::unique_ptr<Stream> openStream(const shredder_params& params, std::size_t buffers);

    MemoryMeter meter;
    ScanLog log;
    Scheduler scheduler;
    HostMemoryPool memory;
};

/// Where a device's thread waits until the test lets it go on.
class Gate {
  public:
    /// From the device: tells the test, then waits.
    void pass() {
        reached_.set_value();
        open_.get_future().wait();
    }
    void awaitReached() { reached_.get_future().wait(); }
    void open() { open_.set_value(); }

  private:
    std::promise<void> reached_;
    std::promise<void> open_;
};

/// Acquires and submits one buffer of these bytes.
void put(Stream& stream, const Bytes& bytes, bool last);

/// Puts data in full buffers, of which one may be partly filled.
void putAll(Stream& stream, const Bytes& data);
/// Takes the chunks up to the stream's end.
std::vector<ChunkValue> takeAll(Stream& stream);
/// Puts data, from a thread of its own, and takes the chunks.
std::vector<ChunkValue> runThrough(Stream& stream, const Bytes& data);

}  // namespace shredder::test
