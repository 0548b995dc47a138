// SPDX-License-Identifier: Apache-2.0
#include "cpu/worker_pool.h"

#include <pthread.h>

namespace shredder {

/// Its counters are guarded by the pool's mutex.
struct WorkerPool::Task::State {
    State(WorkerPool& owner, std::size_t count, std::function<void(std::size_t)> body)
        : pool(owner), pieces(count), piece(std::move(body)) {}

    WorkerPool& pool;
    const std::size_t pieces;
    const std::function<void(std::size_t)> piece;
    std::size_t begun = 0;
    std::size_t ended = 0;
};

void WorkerPool::Task::wait() const {
    if (!state_) return;
    std::unique_lock lock(state_->pool.mutex_);
    state_->pool.taskDone_.wait(lock, [this] { return state_->ended == state_->pieces; });
}

WorkerPool::WorkerPool(unsigned threads) {
    for (unsigned i = 0; i < threads; i++) {
        threads_.emplace_back([this] { work(); });
        pthread_setname_np(threads_.back().native_handle(), "shredder-cpu");
    }
}

WorkerPool::~WorkerPool() {
    {
        std::lock_guard lock(mutex_);
        closed_ = true;
    }
    workThere_.notify_all();
    for (std::thread& thread : threads_) {
        thread.join();
    }
}

WorkerPool::Task WorkerPool::start(std::size_t pieces, std::function<void(std::size_t)> piece) {
    Task task;
    if (pieces == 0) return task;
    task.state_ = std::make_shared<Task::State>(*this, pieces, std::move(piece));
    {
        std::lock_guard lock(mutex_);
        tasks_.push_back(task.state_);
    }
    if (pieces == 1) {
        workThere_.notify_one();
    } else {
        workThere_.notify_all();
    }
    return task;
}

void WorkerPool::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        workThere_.wait(lock, [this] { return closed_ || !tasks_.empty(); });
        if (tasks_.empty()) return;
        std::shared_ptr<Task::State> task = tasks_.front();
        std::size_t piece = task->begun++;
        if (task->begun == task->pieces) tasks_.pop_front();
        lock.unlock();
        task->piece(piece);
        lock.lock();
        if (++task->ended == task->pieces) taskDone_.notify_all();
    }
}

}  // namespace shredder
