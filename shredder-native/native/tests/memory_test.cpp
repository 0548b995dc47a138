// SPDX-License-Identifier: Apache-2.0
//
// Memory is bounded by the configuration, allocated once, and counted.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <future>

#include "cpu/buffer_scan.h"
#include "tests/device_rig.h"

namespace shredder::test {
namespace {

/// Sanitizers have memory of their own. Under them amounts aren't judged, and less memory goes the same ways.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

constexpr std::uint64_t kEngineBufferBytes = 64 << 10;
constexpr int kMoreStreams = kSanitized ? 3 : 20;

EnginePtr engineOf(shredder_backend backend, std::uint32_t depth, std::uint32_t switches) {
    return openEngine({.backend = backend,
                       .device = -1,
                       .buffer_bytes = kEngineBufferBytes,
                       .pipeline_depth = depth,
                       .cpu_threads = 2,
                       .switches = switches,
                       .device_count = 1});
}

/// What one ring buffer of a stream of paramsOfAverage(12) takes: window, payload, records.
constexpr std::uint64_t kRingBytes =
    4096 + kEngineBufferBytes + (kEngineBufferBytes / 1024 + 3) * sizeof(shredder_record);

TEST(MemoryTest, hostMemoryIsBoundedByDepthAndAllocatedOnce) {
    Bytes data = splitmix64(1, 40 * kEngineBufferBytes);
    for (shredder_backend backend : availableBackends()) {
        for (std::uint32_t depth : {1U, 4U}) {
            EnginePtr engine = engineOf(backend, depth, 0);
            chunk(engine.get(), paramsOfAverage(12), data);
            shredder_engine_info first = infoOf(engine);
            EXPECT_GE(first.host_bytes, depth * kRingBytes);
            EXPECT_LE(first.host_bytes, depth * (kRingBytes + 9 * kEngineBufferBytes)) << nameOf(backend);
            for (int stream = 0; stream < kMoreStreams; ++stream) {
                chunk(engine.get(), paramsOfAverage(12), data);
            }
            // How many buffers have candidates at once depends on the threads.
            EXPECT_LT(infoOf(engine).host_bytes, 2 * first.host_bytes) << "memory was not used again";
            EXPECT_LE(infoOf(engine).host_bytes, depth * (kRingBytes + 9 * kEngineBufferBytes));
            EXPECT_EQ(infoOf(engine).device_bytes, first.device_bytes);
        }
    }
}

TEST(MemoryTest, onlyGpusPinMemoryAndOnlyUnlessToldOtherwise) {
    Bytes data = splitmix64(1, 10 * kEngineBufferBytes);
    for (shredder_backend backend : availableBackends()) {
        EnginePtr pinned = engineOf(backend, 2, 0);
        chunk(pinned.get(), paramsOfAverage(12), data);
        EXPECT_EQ(infoOf(pinned).pinned_bytes >= 2 * kRingBytes, backend == SHREDDER_BACKEND_CUDA);
        EXPECT_EQ(infoOf(pinned).device_bytes > 0, backend == SHREDDER_BACKEND_CUDA);
        EnginePtr pageable = engineOf(backend, 2, SHREDDER_SWITCH_PAGEABLE);
        chunk(pageable.get(), paramsOfAverage(12), data);
        EXPECT_LT(infoOf(pageable).pinned_bytes, 2 * kRingBytes);
    }
}

TEST(MemoryTest, aShortStreamTakesOneBuffer) {
    EnginePtr engine = engineOf(SHREDDER_BACKEND_SCALAR, 4, 0);
    chunk(engine.get(), paramsOfAverage(12), splitmix64(1, 1'000));
    EXPECT_LT(infoOf(engine).host_bytes, 2 * kRingBytes);
}

/// The most memory that this process had at once since the last forgetPeak.
std::uint64_t peakOfProcess() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.rfind("VmHWM:", 0) == 0) return std::stoull(line.substr(6)) << 10;
    }
    throw std::runtime_error("/proc/self/status has no VmHWM");
}

void forgetPeak() {
    std::ofstream("/proc/self/clear_refs") << 5;
}

/// Memory of this process that is not a file's, as its program's code is.
std::uint64_t anonymousBytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.rfind("RssAnon:", 0) == 0) return std::stoull(line.substr(8)) << 10;
    }
    throw std::runtime_error("/proc/self/status has no RssAnon");
}

/// Sends so many bytes of data, or zeros, through the stream; returns the number of chunks.
std::uint64_t chunksOf(shredder_stream* stream, std::uint64_t bytes, const std::uint8_t* data = nullptr) {
    auto reader = std::async(std::launch::async, [&] {
        for (std::uint64_t left = bytes;;) {
            std::uint8_t* payload = nullptr;
            std::uint64_t capacity = 0;
            check(shredder_stream_acquire(stream, &payload, &capacity));
            std::uint64_t size = std::min(left, capacity);
            if (data != nullptr) {
                std::memcpy(payload, data + (bytes - left), size);
            } else {
                std::memset(payload, 0, size);
            }
            left -= size;
            check((left == 0 ? shredder_stream_finish : shredder_stream_submit)(stream, size));
            if (left == 0) return;
        }
    });
    std::uint64_t chunks = 0;
    for (shredder_batch batch{};; check(shredder_stream_release(stream))) {
        check(shredder_stream_next(stream, &batch));
        if (batch.record_count == 0) break;
        chunks += batch.record_count;
    }
    reader.get();
    return chunks;
}

/// Each byte of a chunk is moved once, however many buffers bring it: moving it with each buffer would be six
/// terabytes here.
TEST(MemoryTest, aChunkOfThousandsOfBuffersTakesTheMemoryThatIsReported) {
    constexpr std::uint64_t kMaxBytes = (kSanitized ? 16 : 128) << 20;
    shredder_params params = paramsOfAverage(16);
    params.max_bytes = kMaxBytes;
    params.compute_digests = 0;
    EnginePtr engine = openEngine(SHREDDER_BACKEND_CPU, 4096, 4, 1);
    StreamPtr stream = openStream(engine.get(), params);
    forgetPeak();
    std::uint64_t before = peakOfProcess();
    EXPECT_EQ(chunksOf(stream.get(), 3 * kMaxBytes + 1), 4U);
    auto taken = static_cast<double>(peakOfProcess() - before);
    auto reported = static_cast<double>(infoOf(engine).host_bytes);
    EXPECT_LE(reported, 1.1 * kMaxBytes);
    if (!kSanitized) {
        EXPECT_NEAR(taken, reported, 0.1 * reported);
    }
}

TEST(MemoryTest, longChunksOfAllLengthsTakeTheMemoryThatIsReported) {
    shredder_params params = paramsOfAverage(20);
    params.max_bytes = 1 << 30;
    params.compute_digests = 0;
    EnginePtr engine = openEngine(SHREDDER_BACKEND_CPU, kEngineBufferBytes, 4, 1);
    Bytes data = splitmix64(1, 128 << 20);
    std::uint64_t before = anonymousBytes();
    StreamPtr stream = openStream(engine.get(), params);
    EXPECT_GT(chunksOf(stream.get(), data.size(), data.data()), 60U);
    auto taken = static_cast<double>(anonymousBytes() - before);
    auto reported = static_cast<double>(infoOf(engine).host_bytes);
    EXPECT_LE(reported, 60 << 20);
    if (!kSanitized) {
        EXPECT_NEAR(taken, reported, 0.1 * reported);
    }
}

TEST(MemoryTest, chunksThatAreShorterThanMaxTakeNoMemoryForIt) {
    shredder_params params = paramsOfAverage(12);
    params.max_bytes = 1 << 30;
    EnginePtr engine = engineOf(SHREDDER_BACKEND_CPU, 2, 0);
    chunk(engine.get(), params, splitmix64(1, 20 * kEngineBufferBytes));
    EXPECT_LT(infoOf(engine).host_bytes, 20 * kEngineBufferBytes);
}

shredder_kept keep(shredder_stream* stream, const void* bytes) {
    shredder_kept kept{};
    check(shredder_stream_keep_memory(stream, bytes, &kept));
    return kept;
}

TEST(MemoryTest, whatIsKeptMayBeReadAfterTheEngineIsClosed) {
    Bytes data = splitmix64(1, 3 * kEngineBufferBytes);
    std::vector<shredder_kept> all;
    {
        EnginePtr engine = engineOf(SHREDDER_BACKEND_CPU, 4, 0);
        StreamPtr stream = openStream(engine.get(), paramsOfAverage(14));
        auto reader = std::async(std::launch::async, [&] {
            for (std::size_t at = 0; at < data.size(); at += kEngineBufferBytes) {
                std::uint8_t* payload = nullptr;
                std::uint64_t capacity = 0;
                check(shredder_stream_acquire(stream.get(), &payload, &capacity));
                std::memcpy(payload, &data[at], kEngineBufferBytes);
                bool last = at + kEngineBufferBytes == data.size();
                check((last ? shredder_stream_finish : shredder_stream_submit)(stream.get(),
                                                                               kEngineBufferBytes));
            }
        });
        for (shredder_batch batch{};; check(shredder_stream_release(stream.get()))) {
            check(shredder_stream_next(stream.get(), &batch));
            if (batch.record_count == 0) break;
            all.push_back(keep(stream.get(), batch.data));
            EXPECT_GE(batch.data, all.back().begin);
            EXPECT_LE(batch.data + batch.data_bytes, all.back().begin + all.back().bytes);
            EXPECT_EQ(std::memcmp(batch.data, &data[batch.records[0].offset], batch.data_bytes), 0);
            all.push_back(keep(stream.get(), batch.records));
        }
        reader.get();
        shredder_kept kept{};
        EXPECT_EQ(shredder_stream_keep_memory(stream.get(), data.data(), &kept), SHREDDER_INVALID_ARGUMENT);
    }
    ASSERT_GT(all.size(), 8U);  // with chunks that two buffers brought
    std::uint64_t sum = 0;
    for (const shredder_kept& kept : all) {
        for (std::uint64_t i = 0; i < kept.bytes; i += 64) {
            sum += kept.begin[i];
        }
        shredder_memory_let_go(kept.memory);
    }
    EXPECT_EQ(sum, 0U) << "its pages were not given back";
    shredder_memory_let_go(nullptr);
}

TEST(MemoryTest, aBufferThatIsStillWrittenToWhenItsStreamIsClosedGoesToNoOtherStream) {
    EnginePtr engine = engineOf(SHREDDER_BACKEND_CPU, 1, 0);
    StreamPtr stream = openStream(engine.get(), paramsOfAverage(12));
    std::uint8_t* written = nullptr;
    std::uint64_t capacity = 0;
    check(shredder_stream_acquire(stream.get(), &written, &capacity));
    shredder_kept kept = keep(stream.get(), written);
    stream = openStream(engine.get(), paramsOfAverage(12));
    std::uint8_t* payload = nullptr;
    check(shredder_stream_acquire(stream.get(), &payload, &capacity));
    EXPECT_NE(payload, written);
    std::memset(written, 1, capacity);
    stream.reset();
    engine.reset();
    std::memset(written, 2, capacity);
    shredder_memory_let_go(kept.memory);
}

/// Plain memory that counts how many of it there were.
class CountedPool {
  public:
    explicit CountedPool(bool reuse)
        : device_("memory", nullptr),
          pool([this](std::size_t bytes) { return create(bytes); }, reuse, meter) {}

    int created = 0;
    MemoryMeter meter;

  private:
    std::unique_ptr<HostMemory> create(std::size_t bytes) {
        if (bytes == 13) throw Error(SHREDDER_OUT_OF_MEMORY, "full");
        created++;
        return device_.createHostMemory(bytes, true);
    }

    WatchedDevice device_;

  public:
    HostMemoryPool pool;
};

TEST(MemoryTest, thePoolGivesOutAgainWhatCameBack) {
    CountedPool counted(true);
    for (int round = 0; round < 5; round++) {
        HostMemoryLease a = counted.pool.lease(1'000);
        HostMemoryLease b = counted.pool.lease(1'000);
    }
    EXPECT_EQ(counted.created, 2);
    EXPECT_EQ(counted.meter.peak().hostBytes, 2'000U);
}

TEST(MemoryTest, thePoolNeverHoldsMoreThanWasInUseAtOnce) {
    CountedPool counted(true);
    for (std::size_t bytes : {1'000U, 2'000U, 500U, 3'000U, 1'500U, 4'000U, 100U}) {
        HostMemoryLease lease = counted.pool.lease(bytes);
    }
    EXPECT_EQ(counted.meter.peak().hostBytes, 4'000U);
    EXPECT_EQ(counted.created, 7);
}

TEST(MemoryTest, thePoolWithoutReuseMakesNewMemoryEachTime) {
    CountedPool counted(false);
    for (int round = 0; round < 5; round++) {
        HostMemoryLease lease = counted.pool.lease(1'000);
    }
    EXPECT_EQ(counted.created, 5);
    EXPECT_EQ(counted.meter.peak().hostBytes, 1'000U);
}

TEST(MemoryTest, anAllocationThatFailsLeavesThePoolAsItWas) {
    CountedPool counted(true);
    EXPECT_THROW(counted.pool.lease(13), Error);
    HostMemoryLease lease = counted.pool.lease(14);
    EXPECT_EQ(counted.meter.peak().hostBytes, 14U);
}

TEST(MemoryTest, workspacesGrowUntilTheyServeAllStreamsAndAreThenUsedAgain) {
    int created = 0;
    WatchedDevice device("watched",
                         [&](Call call, int) { created += call == Call::CreateWorkspace ? 1 : 0; });
    MemoryMeter meter;
    WorkspacePool pool(device, 1, meter);
    for (int round = 0; round < 4; round++) {
        for (const BufferGeometry& geometry : {BufferGeometry{65536, 10}, BufferGeometry{4096, 20}}) {
            auto workspace = pool.take(geometry);
            EXPECT_TRUE(workspace->geometry().covers(geometry));
            pool.giveBack(std::move(workspace));
        }
    }
    EXPECT_EQ(created, 2);
    EXPECT_EQ(meter.peak().hostBytes, BufferScan(65536, 1).bytes());
}

}  // namespace
}  // namespace shredder::test
