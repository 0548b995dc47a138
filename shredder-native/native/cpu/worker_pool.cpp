// SPDX-License-Identifier: Apache-2.0
#include "cpu/worker_pool.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>

namespace shredder {

/// Shared by the caller and the workers that got it; a worker that comes too late finds nothing left and
/// never touches piece, which is gone by then.
struct WorkerPool::Task {
    Task(std::size_t count, const std::function<void(std::size_t)>& body) : pieces(count), piece(body) {}

    void run() {
        std::size_t done = 0;
        for (std::size_t i = next++; i < pieces; i = next++) {
            piece(i);
            done++;
        }
        if (done == 0) return;
        std::lock_guard lock(mutex);
        finished += done;
        if (finished == pieces) allFinished.notify_one();
    }

    void wait() {
        std::unique_lock lock(mutex);
        allFinished.wait(lock, [this] { return finished == pieces; });
    }

    const std::size_t pieces;
    const std::function<void(std::size_t)>& piece;
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::condition_variable allFinished;
    std::size_t finished = 0;
};

WorkerPool::WorkerPool(unsigned threads) {
    for (unsigned i = 1; i < threads; i++) {
        threads_.emplace_back([this] { work(); });
        pthread_setname_np(threads_.back().native_handle(), "shredder-cpu");
    }
}

WorkerPool::~WorkerPool() {
    tasks_.close();
    for (std::thread& thread : threads_) {
        thread.join();
    }
}

void WorkerPool::forEach(std::size_t count, const std::function<void(std::size_t)>& piece) {
    if (count == 0) return;
    auto task = std::make_shared<Task>(count, piece);
    for (std::size_t i = 0; i < std::min(threads_.size(), count - 1); i++) {
        tasks_.put(task);
    }
    task->run();
    task->wait();
}

void WorkerPool::work() {
    while (auto task = tasks_.take()) {
        (*task)->run();
    }
}

}  // namespace shredder
