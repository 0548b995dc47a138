// SPDX-License-Identifier: Apache-2.0
//
// A device that fails loses nothing: its buffers run elsewhere, each completes once, the chunks are the same,
// and one line says so.
#include <gtest/gtest.h>

#include <algorithm>
#include <future>

#include "tests/device_rig.h"

namespace shredder::test {
namespace {

constexpr const char* kVariable = "SHREDDER_INJECT_FAULT";

std::ptrdiff_t linesOf(const std::string& text) {
    return std::count(text.begin(), text.end(), '\n');
}

/// Some segments, and chunks that go over many buffers.
shredder_params paramsOfSegments() {
    shredder_params params = paramsOfAverage(9);
    params.segment_mask_bits = 11;
    params.segment_min_bytes = 1'000;
    params.segment_max_bytes = 9'000;
    return params;
}

/// With the fault injected, the chunks are the definition's, and there is a line for each device that failed.
void expectNothingLost(shredder_backend backend, std::uint32_t devices, std::uint32_t scheduling,
                       const std::string& faults, std::uint32_t failed) {
    SCOPED_TRACE(nameOf(backend) + ", " + std::to_string(devices) + " devices, scheduling " +
                 std::to_string(scheduling) + ", " + faults);
    EnvironmentVariable variable(kVariable, faults);
    static const shredder_params params = paramsOfSegments();
    static const Bytes data = splitmix64(5, 150'000);
    static const std::vector<ChunkValue> expected = referenceChunks(params, data);
    EnginePtr engine = openEngine({.backend = backend,
                                   .device = -1,
                                   .buffer_bytes = 4096,
                                   .pipeline_depth = 2,
                                   .cpu_threads = 2,
                                   .switches = 0,
                                   .scheduling = scheduling,
                                   .device_count = devices});
    testing::internal::CaptureStderr();
    std::vector<ChunkValue> chunks = chunk(engine.get(), params, data);
    std::string warnings = testing::internal::GetCapturedStderr();
    EXPECT_EQ(chunks, expected);
    EXPECT_EQ(infoOf(engine).devices_failed, failed);
    EXPECT_EQ(linesOf(warnings), failed) << warnings;
}

TEST(DeviceFailureTest, aFaultAtAnyStageAndCallLosesNothing) {
    for (shredder_backend backend : availableBackends()) {
        for (const char* stage : {"scan", "candidates", "digest", "finish"}) {
            for (int call : {1, 2, 7}) {
                for (std::uint32_t devices : {1U, 2U, 3U}) {
                    std::uint32_t there = std::min(
                        devices,
                        infoOf(openEngine({.backend = backend, .device = -1, .device_count = devices}))
                            .devices);
                    std::string fault = std::to_string(there - 1) + ":" + stage + ":" + std::to_string(call);
                    expectNothingLost(backend, devices, SHREDDER_ROUND_ROBIN, fault, 1);
                    if (call == 1) expectNothingLost(backend, devices, SHREDDER_SHORTEST_QUEUE, fault, 1);
                }
            }
        }
    }
}

TEST(DeviceFailureTest, oneAfterTheOtherMayFailUntilTheCpuTakesOver) {
    expectNothingLost(SHREDDER_BACKEND_SCALAR, 3, SHREDDER_ROUND_ROBIN, "0:scan:2,2:finish:3", 2);
    expectNothingLost(SHREDDER_BACKEND_SCALAR, 3, SHREDDER_ROUND_ROBIN, "0:digest:2,1:candidates:4,2:scan:6",
                      3);
    expectNothingLost(SHREDDER_BACKEND_SCALAR, 2, SHREDDER_SHORTEST_QUEUE, "0:scan:1,1:scan:1", 2);
}

TEST(DeviceFailureTest, theWarningNamesTheDeviceTheErrorAndWhereItsBuffersGo) {
    for (bool alone : {false, true}) {
        EnvironmentVariable variable(kVariable, "0:scan:1");
        EnginePtr engine = openEngine({.backend = SHREDDER_BACKEND_SCALAR,
                                       .device = -1,
                                       .buffer_bytes = 4096,
                                       .scheduling = SHREDDER_ROUND_ROBIN,
                                       .device_count = alone ? 1U : 2U});
        testing::internal::CaptureStderr();
        chunk(engine.get(), paramsOfAverage(8), splitmix64(1, 20'000));
        std::string warning = testing::internal::GetCapturedStderr();
        std::string where = alone ? "go to the CPU (" : "go to scalar:1";
        for (const std::string& part : {std::string("device scalar"), std::string("fault injected"), where}) {
            EXPECT_NE(warning.find(part), std::string::npos) << warning;
        }
    }
}

TEST(DeviceFailureTest, whenNothingIsLeftTheErrorIsReportedOnce) {
    EnvironmentVariable variable(kVariable, "0:finish:2,1:scan:3");
    EnginePtr engine = openEngine({.backend = SHREDDER_BACKEND_SCALAR, .device = -1, .buffer_bytes = 4096});
    testing::internal::CaptureStderr();
    StreamPtr stream = openStream(engine.get(), paramsOfAverage(8));
    Bytes data = splitmix64(1, 1'000'000);
    EXPECT_THROW(runStream(stream.get(), data, {SIZE_MAX}), std::runtime_error);
    shredder_batch batch{};
    EXPECT_EQ(shredder_stream_next(stream.get(), &batch), SHREDDER_CANCELLED);
    EXPECT_EQ(linesOf(testing::internal::GetCapturedStderr()), 2);
}

TEST(DeviceFailureTest, aFaultThatIsNotOneIsRefusedWhenTheEngineOpens) {
    for (const char* text : {"0:scan", "0:transfer:1", "x:scan:1", "0:scan:1x", "0:scan:1,,"}) {
        EnvironmentVariable variable(kVariable, text);
        shredder_engine_options options{.backend = SHREDDER_BACKEND_SCALAR, .device = -1};
        shredder_engine* engine = nullptr;
        EXPECT_EQ(shredder_engine_open(&options, &engine), SHREDDER_INVALID_ARGUMENT) << text;
        EXPECT_NE(std::string(shredder_last_error()).find(kVariable), std::string::npos);
    }
}

/// The errors that the consumer saw, in order, while a reader filled until it was refused.
std::vector<shredder_status> errorsOf(Stream& stream) {
    auto reader = std::async(std::launch::async, [&] {
        try {
            for (;;) {
                put(stream, splitmix64(1, 100), false);
            }
        } catch (const Error& error) {
            return error.status();
        }
    });
    std::vector<shredder_status> errors;
    while (errors.size() < 3) {
        try {
            if (stream.next()) stream.release();
        } catch (const Error& error) {
            errors.push_back(error.status());
        }
    }
    EXPECT_EQ(reader.get(), SHREDDER_CANCELLED);
    return errors;
}

TEST(DeviceFailureTest, anErrorThatIsNotTheDevicesFailsTheStreamOnceAndTheDeviceGoesOn) {
    for (Call failing : {Call::CreateWorkspace, Call::Scan, Call::Candidates, Call::Digest, Call::Finish}) {
        int at = failing == Call::CreateWorkspace ? 1 : 3;
        DeviceRig rig({[&](Call call, int number) {
                           if (call == failing && number == at) throw Error(SHREDDER_OUT_OF_MEMORY, "full");
                       },
                       nullptr});
        shredder_params params = paramsOfAverage(5);
        EXPECT_EQ(errorsOf(*rig.openStream(params, 4)),
                  (std::vector{SHREDDER_OUT_OF_MEMORY, SHREDDER_CANCELLED, SHREDDER_CANCELLED}));
        EXPECT_EQ(rig.scheduler.devicesFailed(), 0U);
        Bytes data = splitmix64(2, 30'000);
        EXPECT_EQ(runThrough(*rig.openStream(params, 4), data), referenceChunks(params, data));
    }
}

TEST(DeviceFailureTest, aBufferThatWaitsForItsTurnIsNotLostWithItsDevice) {
    // Device 1 (which gets the first buffer) is slow; device 0 has scanned the second one, then fails.
    Gate firstScan;
    std::promise<void> failed;
    DeviceRig rig({[&](Call call, int number) {
                       if (call != Call::Scan || number != 2) return;
                       failed.set_value();
                       throw Error(SHREDDER_DEVICE_LOST, "gone");
                   },
                   [&](Call call, int number) {
                       if (call == Call::Scan && number == 1) firstScan.pass();
                   }});
    shredder_params params = paramsOfAverage(8);
    Bytes data = splitmix64(2, 11 * kBufferBytes);
    auto stream = rig.openStream(params, 6);
    testing::internal::CaptureStderr();
    auto chunks = std::async(std::launch::async, [&] { return runThrough(*stream, data); });
    firstScan.awaitReached();
    failed.get_future().wait();
    firstScan.open();
    EXPECT_EQ(chunks.get(), referenceChunks(params, data));
    EXPECT_EQ(linesOf(testing::internal::GetCapturedStderr()), 1);
    EXPECT_EQ(rig.scheduler.devicesFailed(), 1U);
}

TEST(DeviceFailureTest, buffersOfAFailedDeviceNeedNoPlaceThatALaterBufferHolds) {
    // One job at a time on each device. Device 0 holds the second buffer, whose turn comes after the first's,
    // which was on device 1: it must run on device 0 although the only place there is taken.
    std::promise<void> secondScanned;
    DeviceRig rig({[&](Call call, int number) {
                       if (call == Call::Candidates && number == 1) secondScanned.set_value();
                   },
                   [&](Call call, int number) {
                       if (call != Call::Scan || number != 1) return;
                       secondScanned.get_future().wait();
                       throw Error(SHREDDER_DEVICE_ERROR, "gone");
                   }},
                  SHREDDER_ROUND_ROBIN, 1);
    shredder_params params = paramsOfAverage(8);
    Bytes data = splitmix64(2, 7 * kBufferBytes);
    auto stream = rig.openStream(params, 4);
    testing::internal::CaptureStderr();
    EXPECT_EQ(runThrough(*stream, data), referenceChunks(params, data));
    testing::internal::GetCapturedStderr();
}

TEST(DeviceFailureTest, buffersOfAFailedDeviceTakeOnlySoManyPlacesElsewhere) {
    // Device 1 fails at its first buffer, once all streams have filled all of theirs.
    constexpr std::size_t kPlaces = 2;
    constexpr std::size_t kStreams = 8;
    constexpr std::size_t kBuffers = 6;
    Gate filled;
    std::atomic<int> underWay{0};
    std::atomic<int> most{0};
    auto count = [&](Call call, int) {
        if (call == Call::Scan) {
            int now = ++underWay;
            for (int before = most; before < now && !most.compare_exchange_weak(before, now);) {
            }
        }
        if (call == Call::Finish || call == Call::Abandon) underWay--;
    };
    DeviceRig rig({count,
                   [&](Call call, int number) {
                       if (call != Call::Scan || number != 1) return;
                       filled.pass();
                       throw Error(SHREDDER_DEVICE_ERROR, "gone");
                   }},
                  SHREDDER_ROUND_ROBIN, kPlaces);
    shredder_params params = paramsOfAverage(8);
    std::vector<Bytes> data;
    std::vector<std::unique_ptr<Stream>> streams;
    for (std::size_t i = 0; i < kStreams; i++) {
        data.push_back(splitmix64(i, kBuffers * kBufferBytes));
        streams.push_back(rig.openStream(params, kBuffers));
        putAll(*streams[i], data[i]);
    }
    testing::internal::CaptureStderr();
    filled.awaitReached();
    filled.open();
    for (std::size_t i = 0; i < kStreams; i++) {
        EXPECT_EQ(takeAll(*streams[i]), referenceChunks(params, data[i])) << i;
    }
    testing::internal::GetCapturedStderr();
    EXPECT_LE(most, static_cast<int>(2 * kPlaces));
}

TEST(DeviceFailureTest, aBatchIsDigestedElsewhereIfItsDeviceFails) {
    DeviceRig rig({[](Call call, int) {
        if (call == Call::Digest) throw Error(SHREDDER_DEVICE_ERROR, "gone");
    }});
    Bytes data = splitmix64(1, 1'000);
    std::uint64_t offset = 10;
    std::uint32_t length = 900;
    Bytes digest(32);
    testing::internal::CaptureStderr();
    rig.scheduler.digestBatch(data.data(), &offset, &length, 1, DigestAlgorithm::Sha256, digest.data());
    testing::internal::GetCapturedStderr();
    Bytes piece(data.begin() + 10, data.begin() + 910);
    shredder_params params = paramsOfAverage(10);
    params.min_bytes = 1'000;  // so that the piece is one chunk
    EXPECT_EQ(hexOf(digest.data(), 32), referenceChunks(params, piece)[0].digestHex);
    EXPECT_EQ(rig.scheduler.devicesFailed(), 1U);
}

}  // namespace
}  // namespace shredder::test
