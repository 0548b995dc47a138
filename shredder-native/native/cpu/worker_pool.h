// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace shredder {

/// Threads that share the pieces of tasks. Only they compute: whoever starts a task goes on, or waits without
/// taking part, so that never more threads are busy than the pool has. When the last pieces of one task are
/// under way, threads that are free begin the next task: so nobody waits for the slowest piece.
class WorkerPool {
  public:
    explicit WorkerPool(unsigned threads);
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;
    /// Once no task is under way.
    ~WorkerPool();

    /// Pieces that are under way together; a value that starts empty, which counts as done.
    class Task {
      public:
        void wait() const;

      private:
        friend class WorkerPool;
        struct State;
        std::shared_ptr<State> state_;
    };

    /// Calls piece(0) .. piece(pieces - 1), each once, on the pool's threads. Tasks begin in the order in
    /// which they are started. piece must not throw.
    Task start(std::size_t pieces, std::function<void(std::size_t)> piece);

    std::size_t threads() const { return threads_.size(); }

  private:
    void work();

    std::mutex mutex_;
    std::condition_variable workThere_;
    std::condition_variable taskDone_;
    std::deque<std::shared_ptr<Task::State>> tasks_;  // those with pieces that nobody has begun
    bool closed_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace shredder
