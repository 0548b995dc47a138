// SPDX-License-Identifier: Apache-2.0
#include "cpu/worker_pool.h"

#include <optional>

#include "pipeline/error.h"

namespace shredder {
namespace {

std::optional<Error> failureOf(const std::function<void(std::size_t)>& piece, std::size_t number) noexcept {
    try {
        piece(number);
        return std::nullopt;
    } catch (...) {
        return Error::current();
    }
}

}  // namespace

/// Its counters and its failure are guarded by the pool's mutex.
struct WorkerPool::Task::State {
    State(WorkerPool& owner, std::size_t count, std::function<void(std::size_t)> body)
        : pool(owner), pieces(count), piece(std::move(body)) {}

    WorkerPool& pool;
    const std::size_t pieces;
    const std::function<void(std::size_t)> piece;
    std::size_t begun = 0;
    std::size_t ended = 0;
    std::optional<Error> failure;  // the first one
};

void WorkerPool::Task::wait() const {
    waitForEnd();
    if (state_ && state_->failure) throw Error(*state_->failure);
}

void WorkerPool::Task::waitForEnd() const noexcept {
    if (!state_) return;
    std::unique_lock lock(state_->pool.mutex_);
    state_->pool.taskDone_.wait(lock, [this] { return state_->ended == state_->pieces; });
}

WorkerPool::WorkerPool(unsigned threads) {
    try {
        for (unsigned i = 0; i < threads; i++) {
            threads_.start("shredder-cpu", [this] { work(); });
        }
    } catch (...) {
        close();
        throw;
    }
}

WorkerPool::~WorkerPool() {
    close();
}

void WorkerPool::close() {
    {
        std::lock_guard lock(mutex_);
        closed_ = true;
    }
    workThere_.notify_all();
    threads_.join();
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
        std::optional<Error> failure = failureOf(task->piece, piece);
        lock.lock();
        if (failure && !task->failure) task->failure = failure;
        if (++task->ended == task->pieces) taskDone_.notify_all();
    }
}

}  // namespace shredder
