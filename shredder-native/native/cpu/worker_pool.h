// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include "pipeline/named_threads.h"

namespace shredder {

/// Threads that share the pieces of tasks. Only they compute: whoever starts a task goes on, or waits without
/// taking part, so that never more threads are busy than the pool has. When the last pieces of one task are
/// under way, threads that are free begin the next task: so nobody waits for the slowest piece.
class WorkerPool {
  public:
    /// Starts all of them or none: throws if it does not get so many.
    explicit WorkerPool(unsigned threads);
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;
    /// Once no task is under way.
    ~WorkerPool();

    /// Pieces that are under way together; a value that starts empty, which counts as done.
    class Task {
      public:
        /// Until every piece has ended. Throws the Error of a piece that failed.
        void wait() const;
        /// The same, whether or not a piece failed.
        void waitForEnd() const noexcept;

      private:
        friend class WorkerPool;
        struct State;
        std::shared_ptr<State> state_;
    };

    /// Calls piece(0) .. piece(pieces - 1), each once, on the pool's threads. Tasks begin in the order in
    /// which they are started. What a piece throws is the task's failure; the other pieces run all the same.
    Task start(std::size_t pieces, std::function<void(std::size_t)> piece);

    std::size_t threads() const { return threads_.count(); }

  private:
    void work();
    void close();

    std::mutex mutex_;
    std::condition_variable workThere_;
    std::condition_variable taskDone_;
    std::deque<std::shared_ptr<Task::State>> tasks_;  // those with pieces that nobody has begun
    bool closed_ = false;
    NamedThreads threads_;
};

}  // namespace shredder
