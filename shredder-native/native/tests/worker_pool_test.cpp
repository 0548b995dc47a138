// SPDX-License-Identifier: Apache-2.0
#include "cpu/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <new>
#include <set>

#include "pipeline/error.h"

namespace shredder::test {
namespace {

TEST(WorkerPoolTest, everyPieceRunsOnceOnThePoolsOwnThreads) {
    for (unsigned threads : {1U, 2U, 5U}) {
        WorkerPool pool(threads);
        std::vector<std::atomic<int>> calls(100);
        std::mutex mutex;
        std::set<std::thread::id> seen;
        pool.start(calls.size(),
                   [&](std::size_t piece) {
                       calls[piece]++;
                       std::lock_guard lock(mutex);
                       seen.insert(std::this_thread::get_id());
                   })
            .wait();
        for (const std::atomic<int>& count : calls) {
            EXPECT_EQ(count, 1);
        }
        EXPECT_LE(seen.size(), threads);
        EXPECT_EQ(seen.count(std::this_thread::get_id()), 0U);
    }
}

TEST(WorkerPoolTest, aTaskWithoutPiecesIsDone) {
    WorkerPool pool(1);
    WorkerPool::Task task = pool.start(0, [](std::size_t) { FAIL(); });
    task.wait();
    WorkerPool::Task never;
    never.wait();
}

TEST(WorkerPoolTest, aFreeThreadBeginsTheNextTaskWhileThePieceOfAnotherIsUnderWay) {
    WorkerPool pool(2);
    std::promise<void> secondTaskRan;
    WorkerPool::Task first = pool.start(1, [&](std::size_t) { secondTaskRan.get_future().wait(); });
    WorkerPool::Task second = pool.start(1, [&](std::size_t) { secondTaskRan.set_value(); });
    second.wait();
    first.wait();
}

TEST(WorkerPoolTest, whatAPieceThrowsIsTheTasksFailureAndTheOtherPiecesRun) {
    WorkerPool pool(2);
    std::atomic<int> ran{0};
    WorkerPool::Task task = pool.start(9, [&](std::size_t piece) {
        ran++;
        if (piece == 3) throw std::bad_alloc();
    });
    task.waitForEnd();
    EXPECT_EQ(ran, 9);
    try {
        task.wait();
        FAIL() << "nobody was told";
    } catch (const Error& error) {
        EXPECT_EQ(error.status(), SHREDDER_OUT_OF_MEMORY);
    }
    pool.start(1, [&](std::size_t) { ran++; }).wait();
    EXPECT_EQ(ran, 10);
}

TEST(WorkerPoolTest, tasksOfManyCallersShareTheThreads) {
    WorkerPool pool(3);
    std::atomic<std::uint64_t> sum{0};
    std::vector<std::future<void>> callers(6);
    for (auto& caller : callers) {
        caller = std::async(std::launch::async, [&] {
            for (int round = 0; round < 50; round++) {
                pool.start(7, [&](std::size_t piece) { sum += piece; }).wait();
            }
        });
    }
    for (auto& caller : callers) {
        caller.get();
    }
    EXPECT_EQ(sum, 6U * 50 * 21);
}

}  // namespace
}  // namespace shredder::test
