// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "pipeline/pipeline.h"
#include "tests/test_support.h"

namespace shredder::test {
namespace {

/// Acquires and submits full buffers of zeros until the stream says no; returns what it said.
shredder_status fillUntilRefused(shredder_stream* stream) {
    for (;;) {
        std::uint8_t* payload = nullptr;
        std::uint64_t capacity = 0;
        shredder_status status = shredder_stream_acquire(stream, &payload, &capacity);
        if (status != SHREDDER_OK) return status;
        std::fill_n(payload, capacity, std::uint8_t{0});
        status = shredder_stream_submit(stream, capacity);
        if (status != SHREDDER_OK) return status;
    }
}

TEST(StreamLifeCycleTest, cancelWakesAReaderThatWaitsForABuffer) {
    for (shredder_backend backend : availableBackends()) {
        EnginePtr engine = openEngine(backend, 4096, 2);
        StreamPtr stream = openStream(engine.get(), paramsOfAverage(8));
        // Nobody consumes, so the reader fills the ring and then waits, or is about to.
        auto reader = std::async(std::launch::async, [&] { return fillUntilRefused(stream.get()); });
        shredder_batch batch{};
        check(shredder_stream_next(stream.get(), &batch));
        shredder_stream_cancel(stream.get());
        EXPECT_EQ(reader.get(), SHREDDER_CANCELLED);
    }
}

TEST(StreamLifeCycleTest, cancelWakesAConsumerThatWaitsForChunks) {
    for (shredder_backend backend : availableBackends()) {
        EnginePtr engine = openEngine(backend, 4096, 2);
        StreamPtr stream = openStream(engine.get(), paramsOfAverage(8));
        auto consumer = std::async(std::launch::async, [&] {
            shredder_batch batch{};
            return shredder_stream_next(stream.get(), &batch);
        });
        shredder_stream_cancel(stream.get());
        EXPECT_EQ(consumer.get(), SHREDDER_CANCELLED);
    }
}

TEST(StreamLifeCycleTest, aStreamMayBeClosedWithBuffersInFlightAndAnUnreleasedBatch) {
    for (shredder_backend backend : availableBackends()) {
        EnginePtr engine = openEngine(backend, 1 << 20, 4);
        for (int round = 0; round < 10; round++) {
            StreamPtr stream = openStream(engine.get(), paramsOfAverage(10));
            for (int buffer = 0; buffer < 4; buffer++) {
                std::uint8_t* payload = nullptr;
                std::uint64_t capacity = 0;
                check(shredder_stream_acquire(stream.get(), &payload, &capacity));
                std::fill_n(payload, capacity, std::uint8_t{0});
                check(shredder_stream_submit(stream.get(), capacity));
            }
            shredder_batch batch{};
            if (round % 2 == 0) check(shredder_stream_next(stream.get(), &batch));
        }
    }
}

TEST(StreamLifeCycleTest, callsOutOfTurnAreRefused) {
    EnginePtr engine = openEngine(SHREDDER_BACKEND_SCALAR, 4096);
    StreamPtr stream = openStream(engine.get(), paramsOfAverage(8));
    std::uint8_t* payload = nullptr;
    std::uint64_t capacity = 0;
    EXPECT_EQ(shredder_stream_submit(stream.get(), 1), SHREDDER_WRONG_STATE);
    EXPECT_EQ(shredder_stream_release(stream.get()), SHREDDER_WRONG_STATE);
    check(shredder_stream_acquire(stream.get(), &payload, &capacity));
    EXPECT_EQ(shredder_stream_acquire(stream.get(), &payload, &capacity), SHREDDER_WRONG_STATE);
    EXPECT_EQ(shredder_stream_submit(stream.get(), capacity + 1), SHREDDER_INVALID_ARGUMENT);
    check(shredder_stream_finish(stream.get(), 0));
    EXPECT_EQ(shredder_stream_acquire(stream.get(), &payload, &capacity), SHREDDER_WRONG_STATE);
    shredder_batch batch{};
    check(shredder_stream_next(stream.get(), &batch));
    EXPECT_EQ(batch.record_count, 0U);
}

TEST(StreamLifeCycleTest, anEngineWithOpenStreamsRefusesToClose) {
    EnginePtr engine = openEngine(SHREDDER_BACKEND_SCALAR, 4096);
    StreamPtr stream = openStream(engine.get(), paramsOfAverage(8));
    EXPECT_EQ(shredder_engine_close(engine.get()), SHREDDER_WRONG_STATE);
}

TEST(StreamLifeCycleTest, manyStreamsRunAtOnce) {
    for (shredder_backend backend : availableBackends()) {
        EnginePtr engine = openEngine(backend, 8192, 2, 3);
        std::vector<std::future<bool>> streams;
        for (std::uint64_t i = 0; i < 12; i++) {
            streams.push_back(std::async(std::launch::async, [&engine, i] {
                shredder_params params = paramsOfAverage(7 + static_cast<std::uint32_t>(i % 3));
                Bytes data = splitmix64(i, 200'000 + 1'000 * i);
                return chunk(engine.get(), params, data) == referenceChunks(params, data);
            }));
        }
        for (auto& stream : streams) {
            EXPECT_TRUE(stream.get()) << nameOf(backend);
        }
    }
}

/// A device whose kernel or store fails at a given job. The rest does nothing.
class FailingDevice final : public Device {
  public:
    FailingDevice(int failingKernel, int failingStore)
        : failingKernel_(failingKernel), failingStore_(failingStore) {}

    std::unique_ptr<Slot> createSlot(const SlotGeometry& geometry) override {
        return std::make_unique<MemorySlot>(geometry);
    }
    std::unique_ptr<Lane> createLane(const StreamPlan&) override {
        return std::make_unique<FailingLane>(*this);
    }
    void digestBatch(const std::uint8_t*, const std::uint64_t*, const std::uint32_t*, std::size_t,
                     std::uint8_t*) override {}
    std::uint64_t bytesScanned() const override { return 0; }

    std::atomic<int> abandoned{0};

  private:
    class MemorySlot final : public Slot {
      public:
        explicit MemorySlot(const SlotGeometry& geometry)
            : Slot(geometry), memory_(geometry.carryBytes + geometry.payloadBytes) {}
        std::uint8_t* payload() override { return memory_.data() + geometry().carryBytes; }
        shredder_record* records() override { return nullptr; }

      private:
        Bytes memory_;
    };

    class FailingLane final : public Lane {
      public:
        explicit FailingLane(FailingDevice& device) : device_(device) {}
        void transfer(Job&) override {}
        void kernel(Job&) override {
            if (kernels_++ == device_.failingKernel_) throw Error(SHREDDER_DEVICE_ERROR, "kernel failed");
        }
        void store(Job& job) override {
            if (stores_++ == device_.failingStore_) throw Error(SHREDDER_DEVICE_LOST, "store failed");
            job.recordCount = 0;
        }
        void abandon(Job&) noexcept override { device_.abandoned++; }

      private:
        FailingDevice& device_;
        int kernels_ = 0;
        int stores_ = 0;
    };

    int failingKernel_;
    int failingStore_;
};

/// The errors that the consumer saw, in order, while a reader filled until it was refused.
std::vector<shredder_status> errorsOf(int failingKernel, int failingStore) {
    Pipeline pipeline(std::make_unique<FailingDevice>(failingKernel, failingStore));
    shredder_params params = paramsOfAverage(8);
    StreamPlan plan{.scan = scanSpec(params),
                    .rules = cutRules(params),
                    .geometry = {4096, 4096, 100},
                    .computeDigests = true};
    auto stream = pipeline.openStream(plan, 3);
    auto reader = std::async(std::launch::async, [&] {
        try {
            for (;;) {
                stream->acquire();
                stream->submit(100, false);
            }
        } catch (const Error& error) {
            return error.status();
        }
    });
    std::vector<shredder_status> errors;
    for (int i = 0; i < 3; i++) {
        try {
            stream->next();
        } catch (const Error& error) {
            errors.push_back(error.status());
        }
    }
    EXPECT_EQ(reader.get(), SHREDDER_CANCELLED);
    return errors;
}

TEST(StreamLifeCycleTest, aDeviceErrorIsReportedExactlyOnceAndNothingHangs) {
    for (int at : {0, 1, 5}) {
        EXPECT_EQ(errorsOf(at, -1),
                  (std::vector{SHREDDER_DEVICE_ERROR, SHREDDER_CANCELLED, SHREDDER_CANCELLED}));
        EXPECT_EQ(errorsOf(-1, at),
                  (std::vector{SHREDDER_DEVICE_LOST, SHREDDER_CANCELLED, SHREDDER_CANCELLED}));
    }
}

}  // namespace
}  // namespace shredder::test
