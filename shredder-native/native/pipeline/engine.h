// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pipeline/backends.h"
#include "pipeline/device_pool.h"
#include "pipeline/host_memory_pool.h"
#include "pipeline/memory_meter.h"
#include "pipeline/scheduler.h"
#include "pipeline/stream.h"
#include "shredder.h"

namespace shredder {

/// The devices that share the streams, their memory, and what was asked of them. Thread-safe.
class Engine {
  public:
    explicit Engine(const shredder_engine_options& options);

    std::unique_ptr<Stream> openStream(const shredder_params& params);
    void digestBatch(const std::uint8_t* data, const std::uint64_t* offsets, const std::uint32_t* lengths,
                     std::size_t count, DigestAlgorithm algorithm, std::uint8_t* digests);
    shredder_engine_info describe() const;
    /// The devices, then what runs instead of them once all have failed.
    std::vector<shredder_device_info> describeDevices() const;

  private:
    Engine(const shredder_engine_options& options, const std::vector<PoolEntry>& pool);
    BufferGeometry geometryFor(const shredder_params& params) const;

    BackendChoice choice_;
    std::size_t bufferBytes_;
    unsigned depth_;
    std::unique_ptr<BufferSizer> sizer_;  ///< null: buffers are filled wholly
    MemoryMeter meter_;
    Scheduler scheduler_;
    HostMemoryPool hostMemory_;
};

}  // namespace shredder
