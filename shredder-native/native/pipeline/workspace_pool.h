// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "pipeline/device.h"
#include "pipeline/memory_meter.h"

namespace shredder {

/// CrystalGPU's idle queue: a device's workspaces that no job has. Thread-safe.
class WorkspacePool {
  public:
    /// Keeps at most maxIdle; 0: each job has its own made and freed.
    WorkspacePool(Device& device, std::size_t maxIdle, MemoryMeter& meter);
    WorkspacePool(const WorkspacePool&) = delete;
    WorkspacePool& operator=(const WorkspacePool&) = delete;
    ~WorkspacePool();

    /// One that covers the geometry. Where none is idle that does, one that is idle gives way to a larger
    /// one, so that after a while all streams are served by the same few.
    std::unique_ptr<Workspace> take(const BufferGeometry& geometry);
    void giveBack(std::unique_ptr<Workspace> workspace) noexcept;

  private:
    std::unique_ptr<Workspace> takeIdle(const BufferGeometry& geometry);
    void meter(Workspace& workspace) noexcept;
    void destroy(std::unique_ptr<Workspace> workspace) noexcept;

    Device& device_;
    std::size_t maxIdle_;
    MemoryMeter& meter_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Workspace>> idle_;  // longest idle first
};

}  // namespace shredder
