// SPDX-License-Identifier: Apache-2.0
//
// How many devices share the buffers, how they are chosen and how they are used makes no difference to the
// chunks.
#include <gtest/gtest.h>

#include <future>

#include "tests/device_rig.h"

namespace shredder::test {
namespace {

struct EngineSetup {
    std::uint32_t devices;
    std::uint32_t scheduling;
    std::uint32_t depth;
    std::uint32_t switches;
};

std::ostream& operator<<(std::ostream& out, const EngineSetup& s) {
    return out << s.devices << " devices, scheduling " << s.scheduling << ", depth " << s.depth
               << ", switches " << s.switches;
}

EnginePtr openSetup(shredder_backend backend, const EngineSetup& setup) {
    return test::openEngine({.backend = backend,
                             .device = -1,
                             .buffer_bytes = 4096,
                             .pipeline_depth = setup.depth,
                             .cpu_threads = 2,
                             .switches = setup.switches,
                             .scheduling = setup.scheduling,
                             .device_count = setup.devices});
}

constexpr EngineSetup kSetups[] = {{1, 0, 1, 0},  {2, 0, 1, 0},  {2, 1, 4, 0}, {3, 0, 2, 0},
                                   {4, 1, 1, 0},  {2, 0, 4, 1},  {2, 1, 2, 2}, {3, 1, 2, 4},
                                   {2, 0, 3, 15}, {1, 0, 4, 15}, {2, 0, 3, 16}};

TEST(ManyDevicesTest, oneStreamGivesTheSameChunksOnEverySetup) {
    std::mt19937_64 random(randomSeed());
    for (const EngineSetup& setup : kSetups) {
        for (int round = 0; round < 3; round++) {
            shredder_params params = randomParams(random);
            Bytes data = splitmix64(random(), random() % 150'000);
            std::vector<ChunkValue> expected = referenceChunks(params, data);
            for (shredder_backend backend : availableBackends()) {
                EnginePtr engine = openSetup(backend, setup);
                ASSERT_EQ(chunk(engine.get(), params, data), expected) << nameOf(backend) << ", " << setup;
                ASSERT_EQ(chunk(engine.get(), params, data), expected)
                    << nameOf(backend) << ", " << setup << ", once more";
            }
        }
    }
}

TEST(ManyDevicesTest, severalStreamsShareTheDevices) {
    std::vector<shredder_params> params;
    std::vector<Bytes> data;
    std::vector<std::vector<ChunkValue>> expected;
    for (std::uint32_t i = 0; i < 8; i++) {
        params.push_back(paramsOfAverage(7 + i % 4));
        data.push_back(splitmix64(i, 60'000 + 7'000 * i));
        expected.push_back(referenceChunks(params[i], data[i]));
    }
    for (shredder_backend backend : availableBackends()) {
        for (const EngineSetup& setup :
             {EngineSetup{3, 0, 1, 0}, EngineSetup{2, 1, 2, 0}, EngineSetup{3, 1, 1, 4}}) {
            EnginePtr engine = openSetup(backend, setup);
            std::vector<std::future<bool>> streams;
            for (std::size_t i = 0; i < data.size(); i++) {
                streams.push_back(std::async(std::launch::async, [&, i] {
                    return chunk(engine.get(), params[i], data[i]) == expected[i];
                }));
            }
            for (auto& stream : streams) {
                EXPECT_TRUE(stream.get()) << nameOf(backend) << ", " << setup;
            }
        }
    }
}

TEST(ManyDevicesTest, theEngineTellsHowManyDevicesShareTheBuffers) {
    EnginePtr engine = openSetup(SHREDDER_BACKEND_SCALAR, {3, 1, 2, 0});
    EXPECT_EQ(infoOf(engine).devices, 3U);
    EXPECT_EQ(infoOf(engine).devices_failed, 0U);
    EXPECT_EQ(infoOf(engine).pipeline_depth, 2U);
    chunk(engine.get(), paramsOfAverage(8), splitmix64(1, 50'000));
    EXPECT_EQ(infoOf(engine).bytes_scanned, 50'000U);
}

TEST(ManyDevicesTest, roundRobinGivesEachDeviceItsTurn) {
    std::array<std::atomic<int>, 3> scans{};
    auto counting = [&](std::size_t device) {
        return [&scans, device](Call call, int) {
            if (call == Call::Scan) scans[device]++;
        };
    };
    DeviceRig rig({counting(0), counting(1), counting(2)});
    shredder_params params = paramsOfAverage(8);
    Bytes data = splitmix64(1, 9 * kBufferBytes);
    auto stream = rig.openStream(params, 6);
    EXPECT_EQ(runThrough(*stream, data), referenceChunks(params, data));
    for (const std::atomic<int>& count : scans) {
        EXPECT_EQ(count, 3);
    }
}

TEST(ManyDevicesTest, aBufferWhoseTurnItIsNotWaitsWithTheStreamAndNotInAThread) {
    // Device 0 holds the first buffer back; device 1 goes on to scan all of its own.
    Gate firstScan;
    std::promise<void> othersScanned;
    DeviceRig rig({[&](Call call, int number) {
                       if (call == Call::Scan && number == 1) firstScan.pass();
                   },
                   [&](Call call, int number) {
                       if (call == Call::Candidates && number == 2) othersScanned.set_value();
                   }});
    shredder_params params = paramsOfAverage(8);
    Bytes data = splitmix64(2, 4 * kBufferBytes);
    auto stream = rig.openStream(params, 4);
    auto chunks = std::async(std::launch::async, [&] { return runThrough(*stream, data); });
    firstScan.awaitReached();
    othersScanned.get_future().wait();
    firstScan.open();
    EXPECT_EQ(chunks.get(), referenceChunks(params, data));
}

TEST(ManyDevicesTest, theShortestQueueGetsTheNextBuffer) {
    // Whichever device gets the first buffer holds it back; all others must go to the other one.
    Gate gate;
    std::atomic<int> busy{-1};
    std::array<std::atomic<int>, 2> scans{};
    auto watch = [&](int device) {
        return [&, device](Call call, int) {
            if (call != Call::Scan) return;
            scans[static_cast<std::size_t>(device)]++;
            int nobody = -1;
            if (busy.compare_exchange_strong(nobody, device)) gate.pass();
        };
    };
    DeviceRig rig({watch(0), watch(1)}, SHREDDER_SHORTEST_QUEUE);
    auto held = rig.openStream(paramsOfAverage(8), 1);
    put(*held, splitmix64(1, 4096), true);
    gate.awaitReached();
    for (std::uint64_t i = 0; i < 5; i++) {
        auto stream = rig.openStream(paramsOfAverage(8), 1);
        put(*stream, splitmix64(i, 4096), true);
        while (stream->next()) {
            stream->release();
        }
    }
    EXPECT_EQ(scans[static_cast<std::size_t>(1 - busy)], 5);
    gate.open();
}

}  // namespace
}  // namespace shredder::test
