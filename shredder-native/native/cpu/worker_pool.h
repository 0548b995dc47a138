// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "pipeline/blocking_queue.h"

namespace shredder {

/// Threads that share the pieces of one task. The calling thread takes part, so a pool of 1 has no extra
/// thread.
class WorkerPool {
  public:
    explicit WorkerPool(unsigned threads);
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;
    ~WorkerPool();

    /// Calls piece(0) .. piece(count - 1), each once, on any of the threads; returns when all have returned.
    /// piece must not throw.
    void forEach(std::size_t count, const std::function<void(std::size_t)>& piece);

  private:
    struct Task;
    void work();

    BlockingQueue<std::shared_ptr<Task>> tasks_;
    std::vector<std::thread> threads_;
};

}  // namespace shredder
