// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <future>

#include "tests/device_rig.h"

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
    std::vector<shredder_params> params;
    std::vector<Bytes> data;
    std::vector<std::vector<ChunkValue>> expected;
    for (std::uint32_t i = 0; i < 12; i++) {
        params.push_back(paramsOfAverage(7 + i % 3));
        data.push_back(splitmix64(i, 200'000 + 1'000 * i));
        expected.push_back(referenceChunks(params[i], data[i]));
    }
    for (shredder_backend backend : availableBackends()) {
        EnginePtr engine = openEngine(backend, 8192, 2, 3);
        std::vector<std::future<bool>> streams;
        for (std::size_t i = 0; i < data.size(); i++) {
            streams.push_back(std::async(std::launch::async, [&, i] {
                return chunk(engine.get(), params[i], data[i]) == expected[i];
            }));
        }
        for (auto& stream : streams) {
            EXPECT_TRUE(stream.get()) << nameOf(backend);
        }
    }
}

/// The calls at which a device can be busy with a buffer while its stream ends.
constexpr Call kBusyCalls[] = {Call::CreateWorkspace, Call::Scan, Call::Candidates, Call::Digest,
                               Call::Finish};

TEST(StreamLifeCycleTest, aCancelledStreamEndsAtOnceForItsCallersWhateverTheDeviceDoes) {
    for (Call busy : kBusyCalls) {
        Gate gate;
        DeviceRig rig({[&](Call call, int number) {
            if (call == busy && number == 1) gate.pass();
        }});
        auto stream = rig.openStream(paramsOfAverage(8), 3);
        put(*stream, splitmix64(1, 4096), false);
        put(*stream, splitmix64(2, 4096), false);
        gate.awaitReached();
        stream->cancel();
        EXPECT_THROW(stream->next(), Error);
        EXPECT_THROW(stream->acquire(), Error);
        gate.open();
    }
}

TEST(StreamLifeCycleTest, closingWaitsUntilTheDeviceIsDoneWithTheBuffers) {
    for (Call busy : kBusyCalls) {
        Gate gate;
        DeviceRig rig({[&](Call call, int number) {
            if (call == busy && number == 1) gate.pass();
        }});
        auto stream = rig.openStream(paramsOfAverage(8), 3);
        put(*stream, splitmix64(1, 4096), false);
        put(*stream, splitmix64(2, 4096), true);
        gate.awaitReached();
        auto closed = std::async(std::launch::async, [&] { stream.reset(); });
        EXPECT_EQ(closed.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
        gate.open();
        closed.get();
    }
}

TEST(StreamLifeCycleTest, buffersThatWaitForTheirTurnComeBackWhenTheStreamIsClosed) {
    // Device 1 has the first buffer and does not let it go until the others are scanned on device 0.
    Gate first;
    std::promise<void> othersScanned;
    DeviceRig rig({[&](Call call, int number) {
                       if (call == Call::Candidates && number == 2) othersScanned.set_value();
                   },
                   [&](Call call, int number) {
                       if (call == Call::Scan && number == 1) first.pass();
                   }});
    auto stream = rig.openStream(paramsOfAverage(8), 4);
    for (std::uint64_t i = 0; i < 4; i++) {
        put(*stream, splitmix64(i, 4096), false);
    }
    first.awaitReached();
    othersScanned.get_future().wait();
    stream->cancel();
    auto closed = std::async(std::launch::async, [&] { stream.reset(); });
    first.open();
    closed.get();
    Bytes data = splitmix64(9, 20'000);
    EXPECT_EQ(runThrough(*rig.openStream(paramsOfAverage(8), 4), data),
              referenceChunks(paramsOfAverage(8), data));
}

TEST(StreamLifeCycleTest, streamsMayBeCancelledAtAnyTimeOnManyDevices) {
    std::mt19937_64 random(randomSeed());
    DeviceRig rig({nullptr, nullptr, nullptr}, SHREDDER_SHORTEST_QUEUE, 2);
    for (int round = 0; round < 150; round++) {
        auto stream = rig.openStream(paramsOfAverage(8), 1 + random() % 6);
        auto reader = std::async(std::launch::async, [&] {
            try {
                for (;;) {
                    put(*stream, splitmix64(1, 4096), false);
                }
            } catch (const Error& error) {
                return error.status();
            }
        });
        for (std::uint64_t batches = random() % 6; batches > 0; batches--) {
            if (stream->next()) stream->release();
        }
        stream->cancel();
        EXPECT_EQ(reader.get(), SHREDDER_CANCELLED);
    }
}

}  // namespace
}  // namespace shredder::test
