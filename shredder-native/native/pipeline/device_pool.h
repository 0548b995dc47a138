// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pipeline/backends.h"

namespace shredder {

/// Part of a pool: shredder_engine_options.devices lists them.
struct PoolEntry {
    shredder_backend backend;   ///< CUDA, CPU or a form of it; AUTO for a worker
    std::int32_t ordinal = -1;  ///< of a CUDA device; -1: all of them
    unsigned threads = 0;       ///< of a CPU device; 0: its share of what GPUs leave
    std::string worker = {};    ///< its socket; empty: none
    std::uint32_t weight = 1;   ///< there, beside the worker's other clients

    bool operator==(const PoolEntry&) const = default;
};

/// Reads "cuda,cpu*4,worker:PATH". Throws Error(SHREDDER_INVALID_ARGUMENT) that names what is wrong with
/// which entry.
std::vector<PoolEntry> parsePool(const std::string& text);

/// Whether it has devices of several kinds: GPUs, CPUs, workers.
bool isMixed(const std::vector<PoolEntry>& pool);

/// The name and the reason of a pool. Throws Error(SHREDDER_UNAVAILABLE) if one of its backends is not there.
BackendChoice choosePool(const std::vector<PoolEntry>& pool);

/// GPUs first, whatever the order of the entries: what they page-lock, all read. Workers last.
std::vector<std::unique_ptr<Device>> openPool(const std::vector<PoolEntry>& pool,
                                              const shredder_engine_options& options);

}  // namespace shredder
