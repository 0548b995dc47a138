// SPDX-License-Identifier: Apache-2.0
//
// Pools of devices of several kinds: how they are named, that they give the same chunks whatever is in them
// and whatever fails, and how streams share them.
#include "pipeline/device_pool.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "pipeline/error.h"
#include "tests/device_rig.h"

namespace shredder::test {
namespace {

constexpr std::uint32_t kPolicies = 5;

EnginePtr openPool(const std::string& devices, std::uint32_t scheduling, std::uint32_t depth = 2) {
    return openEngine({.device = -1,
                       .buffer_bytes = 4096,
                       .pipeline_depth = depth,
                       .cpu_threads = 2,
                       .scheduling = scheduling,
                       .devices = devices.c_str()});
}

std::vector<shredder_device_info> devicesOf(const EnginePtr& engine) {
    std::vector<shredder_device_info> infos(80);
    std::size_t count = 0;
    check(shredder_engine_devices(engine.get(), infos.data(), infos.size(), &count));
    infos.resize(count);
    return infos;
}

std::string problemOf(const std::string& pool) {
    try {
        parsePool(pool);
        return "";
    } catch (const Error& error) {
        EXPECT_EQ(error.status(), SHREDDER_INVALID_ARGUMENT);
        return error.what();
    }
}

/// Some pools of what this machine has.
std::vector<std::string> pools() {
    std::vector<std::string> pools;
    std::string all;
    for (shredder_backend backend : availableBackends()) {
        std::string name = nameOf(backend);
        pools.push_back("scalar*1," + name);
        all += (all.empty() ? "" : ",") + name;
    }
    pools.push_back(all);
    pools.push_back("scalar*1,scalar*2,cpu");
    return pools;
}

TEST(DevicePoolTest, aPoolIsReadAsItIsWritten) {
    using Pool = std::vector<PoolEntry>;
    EXPECT_EQ(parsePool("cuda"), Pool({{.backend = SHREDDER_BACKEND_CUDA}}));
    EXPECT_EQ(parsePool("cuda:1,cpu*4,scalar"), Pool({{.backend = SHREDDER_BACKEND_CUDA, .ordinal = 1},
                                                      {.backend = SHREDDER_BACKEND_CPU, .threads = 4},
                                                      {.backend = SHREDDER_BACKEND_SCALAR}}));
}

TEST(DevicePoolTest, whatIsNoPoolIsRefusedByName) {
    const std::map<std::string, std::string> problems = {
        {"", "device ''"},          {"cpu,", "device ''"},
        {"gpu", "use cuda"},        {"cpu:1", "*THREADS"},
        {"cuda*2", ":NUMBER"},      {"cuda:x", "0 and up"},
        {"cpu*0", "1 and up"},      {"cpu*99999999999", "1 and up"},
        {"cuda,cuda:0", "already"}, {"cuda:1,cuda:1", "already"},
        {"cuda:-1", "0 and up"},    {"auto", "use cuda"}};
    for (const auto& [pool, problem] : problems) {
        EXPECT_NE(problemOf(pool).find(problem), std::string::npos) << pool << ": " << problemOf(pool);
    }
}

TEST(DevicePoolTest, aPoolGoesWithoutABackend) {
    shredder_engine_options options{.backend = SHREDDER_BACKEND_CPU, .device = -1, .devices = "cpu"};
    shredder_engine* engine = nullptr;
    EXPECT_EQ(shredder_engine_open(&options, &engine), SHREDDER_INVALID_ARGUMENT);
    options.backend = SHREDDER_BACKEND_AUTO;
    options.device_count = 2;
    EXPECT_EQ(shredder_engine_open(&options, &engine), SHREDDER_INVALID_ARGUMENT);
}

TEST(DevicePoolTest, everyMixAndPolicyGivesTheSameChunks) {
    std::mt19937_64 random(randomSeed());
    for (const std::string& pool : pools()) {
        for (std::uint32_t policy = 0; policy < kPolicies; policy++) {
            shredder_params params = randomParams(random);
            Bytes data = splitmix64(random(), 100'000 + random() % 50'000);
            EnginePtr engine = openPool(pool, policy, 1 + random() % 4);
            ASSERT_EQ(chunk(engine.get(), params, data), referenceChunks(params, data))
                << pool << ", " << policy;
            EXPECT_EQ(infoOf(engine).bytes_scanned, data.size());
        }
    }
}

TEST(DevicePoolTest, theEngineTellsWhatEachDeviceDoes) {
    EnginePtr engine = openPool("scalar*1,cpu*1", SHREDDER_ROUND_ROBIN);
    chunk(engine.get(), paramsOfAverage(8), splitmix64(1, std::size_t{20} * 4096));
    std::vector<shredder_device_info> devices = devicesOf(engine);
    ASSERT_EQ(devices.size(), 2U);
    EXPECT_STREQ(devices[0].name, "scalar");
    for (const shredder_device_info& device : devices) {
        EXPECT_EQ(device.failed, 0U);
        EXPECT_EQ(device.bytes_scanned, 10 * 4096U);
        EXPECT_GT(device.bytes_per_second, 0);
    }
    EXPECT_EQ(infoOf(engine).devices, 2U);
}

/// SHREDDER_TEST_MOMENTS in the environment: how many.
TEST(DevicePoolTest, aDeviceThatFailsAtAnyMomentLosesNothing) {
    const char* asked = std::getenv("SHREDDER_TEST_MOMENTS");
    int moments = asked == nullptr ? 40 : std::stoi(asked);
    std::mt19937_64 random(randomSeed());
    shredder_params params = paramsOfAverage(8);
    constexpr const char* kStages[] = {"scan", "candidates", "digest", "finish"};
    for (int i = 0; i < moments; i++) {
        Bytes data = splitmix64(random(), std::size_t{20} * 4096 + random() % 4096);
        std::uint32_t policy = i % kPolicies;
        std::string fault = std::to_string(random() % 2) + ":" + kStages[random() % 4] + ":" +
                            std::to_string(1 + random() % 12);
        EnvironmentVariable variable("SHREDDER_INJECT_FAULT", fault);
        EnginePtr engine = openPool("scalar*1,cpu*1", policy);
        ASSERT_EQ(chunk(engine.get(), params, data), referenceChunks(params, data))
            << policy << ", " << fault;
    }
}

/// Streams with buffers that wait, while the device is held up by the first one.
TEST(DevicePoolTest, streamsShareADeviceByTheirWeights) {
    constexpr std::size_t kBuffers = 12;
    Gate first;
    DeviceRig rig({[&](Call call, int number) {
                      if (call == Call::Scan && number == 1) first.pass();
                  }},
                  SHREDDER_SHORTEST_QUEUE, 1);
    shredder_params params = paramsOfAverage(8);
    auto blocker = rig.openStream(params, 1);
    put(*blocker, splitmix64(9, kBufferBytes), true);
    first.awaitReached();
    std::vector<std::unique_ptr<Stream>> streams;
    for (std::uint32_t weight : {1, 2, 4}) {
        streams.push_back(rig.openStream(params, kBuffers));
        streams.back()->setWeight(weight);
        for (std::uint64_t i = 0; i < kBuffers; i++) {
            put(*streams.back(), splitmix64(i, kBufferBytes), i == kBuffers - 1);
        }
    }
    first.open();
    for (auto& stream : streams) {
        while (stream->next()) {
            stream->release();
        }
    }
    std::vector<std::uint64_t> order = rig.log.plans();
    ASSERT_EQ(order.size(), 1 + 3 * kBuffers);
    std::uint64_t lightest = order[0] + 1;  // ids are given in order
    std::map<std::uint64_t, int> early;
    for (std::size_t i = 1; i <= 14; i++) {
        early[order[i] - lightest]++;
    }
    EXPECT_EQ(early[0], 2);
    EXPECT_EQ(early[1], 4);
    EXPECT_EQ(early[2], 8);
}

TEST(DevicePoolTest, aWeightIsCheckedAndAStreamThatWasIdleSavesNothingUp) {
    EnginePtr engine = openEngine(SHREDDER_BACKEND_SCALAR);
    StreamPtr stream = openStream(engine.get(), paramsOfAverage(8));
    EXPECT_EQ(shredder_stream_set_weight(stream.get(), 0), SHREDDER_INVALID_ARGUMENT);
    EXPECT_EQ(shredder_stream_set_weight(stream.get(), 1001), SHREDDER_INVALID_ARGUMENT);
    EXPECT_EQ(shredder_stream_set_weight(stream.get(), 1000), SHREDDER_OK);
    EXPECT_EQ(shredder_stream_set_weight(nullptr, 1), SHREDDER_INVALID_ARGUMENT);

    FairShare share;
    EXPECT_EQ(share.take(0, 10), 0U);
    EXPECT_EQ(share.take(0, 10), 10 * FairShare::kMostWeight + 1);
    EXPECT_EQ(share.take(1'000'000'000, 10), 1'000'000'000U);
    share.setWeight(FairShare::kMostWeight);
    EXPECT_EQ(share.take(0, 10), 1'000'000'000 + 10 * FairShare::kMostWeight + 1);
    EXPECT_EQ(share.take(0, 10), 1'000'000'000 + 10 * FairShare::kMostWeight + 1 + 11);
}

/// Two devices, many streams of other weights, rings so small that each job waits for others: the proof that
/// no turn is waited for in a circle, by trying.
TEST(DevicePoolTest, noStreamWaitsForEver) {
    shredder_params params = paramsOfAverage(8);
    std::vector<Bytes> data;
    std::vector<std::vector<ChunkValue>> expected;
    for (std::uint32_t i = 0; i < 12; i++) {
        data.push_back(splitmix64(i, (i % 4 + std::size_t{1}) * 30'000));
        expected.push_back(referenceChunks(params, data[i]));
    }
    for (std::uint32_t policy = 0; policy < kPolicies; policy++) {
        EnginePtr engine = openPool("scalar*1,cpu*1", policy, 1);
        std::vector<std::future<bool>> streams;
        for (std::uint32_t i = 0; i < data.size(); i++) {
            streams.push_back(std::async(std::launch::async, [&, i] {
                StreamPtr stream = openStream(engine.get(), params);
                check(shredder_stream_set_weight(stream.get(), 1 + i * i));
                return runStream(stream.get(), data[i], {4096}) == expected[i];
            }));
        }
        for (auto& stream : streams) {
            EXPECT_TRUE(stream.get()) << policy;
        }
    }
}

}  // namespace
}  // namespace shredder::test
