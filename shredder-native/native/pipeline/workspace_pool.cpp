// SPDX-License-Identifier: Apache-2.0
#include "pipeline/workspace_pool.h"

#include <algorithm>

namespace shredder {
namespace {

BufferGeometry unitedWith(const BufferGeometry& a, const BufferGeometry& b) {
    return {.payloadBytes = std::max(a.payloadBytes, b.payloadBytes),
            .maxRecords = std::max(a.maxRecords, b.maxRecords)};
}

}  // namespace

WorkspacePool::WorkspacePool(Device& device, std::size_t maxIdle, MemoryMeter& meter)
    : device_(device), maxIdle_(maxIdle), meter_(meter) {
    idle_.reserve(maxIdle);
}

WorkspacePool::~WorkspacePool() {
    for (auto& workspace : idle_) {
        destroy(std::move(workspace));
    }
}

std::unique_ptr<Workspace> WorkspacePool::take(const BufferGeometry& geometry) {
    BufferGeometry wanted = geometry;
    if (auto idle = takeIdle(geometry)) {
        if (idle->geometry().covers(geometry)) return idle;
        wanted = unitedWith(idle->geometry(), geometry);
        destroy(std::move(idle));
    }
    auto workspace = device_.createWorkspace(wanted);
    meter(*workspace);
    return workspace;
}

/// One that covers the geometry, else the one that has been idle longest, else null.
std::unique_ptr<Workspace> WorkspacePool::takeIdle(const BufferGeometry& geometry) {
    std::lock_guard lock(mutex_);
    if (idle_.empty()) return nullptr;
    auto covers = [&](const auto& workspace) { return workspace->geometry().covers(geometry); };
    auto found = std::find_if(idle_.begin(), idle_.end(), covers);
    if (found == idle_.end()) found = idle_.begin();
    std::unique_ptr<Workspace> workspace = std::move(*found);
    idle_.erase(found);
    return workspace;
}

void WorkspacePool::giveBack(std::unique_ptr<Workspace> workspace) noexcept {
    if (!workspace) return;
    meter(*workspace);
    {
        std::lock_guard lock(mutex_);
        if (idle_.size() < maxIdle_) {
            idle_.push_back(std::move(workspace));
            return;
        }
    }
    destroy(std::move(workspace));
}

void WorkspacePool::destroy(std::unique_ptr<Workspace> workspace) noexcept {
    meter_.remove(workspace->metered);
}

void WorkspacePool::meter(Workspace& workspace) noexcept {
    MemoryUse now = workspace.memory();
    meter_.change(workspace.metered, now);
    workspace.metered = now;
}

}  // namespace shredder
