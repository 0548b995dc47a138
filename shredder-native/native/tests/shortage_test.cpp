// SPDX-License-Identifier: Apache-2.0
//
// The engine never takes its process down: whichever allocation or thread start fails, the caller gets a
// status with a text, no chunk is lost without one, and what was opened can be used again and closed.
#include "tests/shortage.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "remote/worker.h"
#include "tests/test_support.h"

namespace shredder::test {
namespace {

constexpr std::size_t kBufferBytes = 16 << 10;
constexpr std::uint32_t kDepth = 4;
constexpr std::uint32_t kDevices = 2;
/// All that a stream gets fits into its ring, so that one thread may fill it, then empty it.
constexpr std::size_t kStreamBytes = 7 * kBufferBytes + 1'000;
constexpr std::size_t kMostChunks = 4096;

/// The statuses of calls. Needs no memory, since there may be none.
class Statuses {
  public:
    /// True if it is OK. Anything else must be what a shortage may lead to, and have a text.
    bool note(shredder_status status) {
        if (status == SHREDDER_OK) return true;
        failures_++;
        bool fair = status == SHREDDER_OUT_OF_MEMORY || status == SHREDDER_CANCELLED;
        if (!fair) wrong_ = status;
        if (shredder_last_error()[0] == '\0') withoutText_ = true;
        return false;
    }

    /// Of a call for which it must be this one.
    void noteExactly(shredder_status expected, shredder_status status) {
        if (status != expected) wrong_ = status;
    }

    void expectFair() const {
        EXPECT_EQ(wrong_, SHREDDER_OK) << "a status that is not a shortage's";
        EXPECT_FALSE(withoutText_);
    }
    bool allOk() const { return failures_ == 0; }

  private:
    int failures_ = 0;
    shredder_status wrong_ = SHREDDER_OK;
    bool withoutText_ = false;
};

/// Data in memory and in a file, and its chunks.
class Input {
  public:
    explicit Input(std::uint32_t digestAlgorithm, std::size_t bytes = kStreamBytes)
        : params(paramsOfAverage(12)), data(splitmix64(3, bytes)) {
        params.max_bytes =
            2 * kBufferBytes + 1'000;  // chunks that go through several buffers, where there are zeros
        params.segment_mask_bits = 14;
        params.segment_min_bytes = 5'000;
        params.segment_max_bytes = 80'000;
        params.digest_algorithm = digestAlgorithm;
        std::fill_n(data.begin() + 30'000, 45'000, std::uint8_t{0});
        expected = referenceChunks(params, data);
        path = (std::filesystem::temp_directory_path() / ("shortage-" + std::to_string(getpid()))).string();
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(data.data()), static_cast<std::streamsize>(data.size()));
    }
    Input(const Input&) = delete;
    Input& operator=(const Input&) = delete;
    ~Input() { std::filesystem::remove(path); }

    shredder_params params;
    Bytes data;
    std::vector<ChunkValue> expected;
    std::string path;
};

/// What a stream gave, in memory of its own.
class Taken {
  public:
    void add(const shredder_batch& batch, const Bytes& data) {
        if (std::memcmp(batch.data, data.data() + batch.records[0].offset, batch.data_bytes) != 0) {
            rightBytes_ = false;
        }
        for (std::uint64_t i = 0; i < batch.record_count && count_ < kMostChunks; i++) {
            records_[count_++] = batch.records[i];
        }
    }

    void expectAll(const std::vector<ChunkValue>& expected) const {
        EXPECT_TRUE(rightBytes_);
        ASSERT_EQ(count_, expected.size());
        for (std::size_t i = 0; i < count_; i++) {
            const shredder_record& record = records_[i];
            ASSERT_EQ(
                (ChunkValue{record.offset, record.length, (record.flags & SHREDDER_RECORD_SEGMENT_END) != 0,
                            hexOf(record.digest, sizeof record.digest)}),
                expected[i]);
        }
    }

  private:
    bool rightBytes_ = true;
    std::size_t count_ = 0;
    std::array<shredder_record, kMostChunks> records_{};
};

shredder_engine_options optionsOf(shredder_backend backend) {
    return {.backend = backend,
            .device = -1,
            .buffer_bytes = kBufferBytes,
            .pipeline_depth = kDepth,
            .cpu_threads = 3,
            .device_count = kDevices};
}

bool fillByHand(shredder_stream* stream, const Bytes& data, Statuses& statuses) {
    for (std::size_t at = 0;;) {
        std::uint8_t* payload = nullptr;
        std::uint64_t capacity = 0;
        if (!statuses.note(shredder_stream_acquire(stream, &payload, &capacity))) return false;
        std::size_t bytes = std::min<std::size_t>(capacity, data.size() - at);
        std::memcpy(payload, data.data() + at, bytes);
        at += bytes;
        bool last = at == data.size();
        auto submit = last ? shredder_stream_finish : shredder_stream_submit;
        if (!statuses.note(submit(stream, bytes))) return false;
        if (last) return true;
    }
}

void empty(shredder_stream* stream, const Input& input, Statuses& statuses, Taken& taken) {
    for (;;) {
        shredder_batch batch{};
        if (!statuses.note(shredder_stream_next(stream, &batch))) break;
        if (batch.record_count == 0) return;
        taken.add(batch, input.data);
        if (!statuses.note(shredder_stream_release(stream))) break;
    }
    // Whatever happened is told once.
    shredder_batch batch{};
    statuses.noteExactly(SHREDDER_CANCELLED, shredder_stream_next(stream, &batch));
}

void useStream(shredder_engine* engine, const Input& input, bool byHand, Statuses& statuses, Taken& taken) {
    shredder_stream* stream = nullptr;
    if (!statuses.note(shredder_stream_open(engine, &input.params, &stream))) return;
    bool filled =
        byHand ? fillByHand(stream, input.data, statuses)
               : statuses.note(shredder_stream_fill_path(stream, input.path.c_str(), nullptr, nullptr));
    if (!filled) shredder_stream_cancel(stream);
    empty(stream, input, statuses, taken);
    shredder_stream_close(stream);
}

void useMemory(shredder_engine* engine, const Input& input, Statuses& statuses) {
    static constexpr std::array<std::uint64_t, 3> kOffsets{0, 30'000, 110'000};
    static constexpr std::array<std::uint32_t, 3> kLengths{25'000, 70'001, 0};
    static constexpr std::array<std::uint8_t, SHREDDER_TAG_BYTES> kKey{1};
    std::array<std::uint8_t, std::size_t{3} * SHREDDER_DIGEST_BYTES> results{};
    const std::uint8_t* data = input.data.data();
    std::uint32_t algorithm = input.params.digest_algorithm;
    statuses.note(shredder_digest_batch(engine, data, kOffsets.data(), kLengths.data(), kLengths.size(),
                                        algorithm, results.data()));
    const std::array<shredder_piece, 2> pieces{{{data, 25'000}, {data + 30'000, 70'001}}};
    statuses.note(shredder_digest_pieces(pieces.data(), pieces.size(), algorithm, results.data()));
    statuses.note(shredder_tag_chunks(kKey.data(), data, kLengths.data(), kLengths.size(), results.data()));
    shredder_params params = input.params;
    params.segment_mask_bits = 0;
    params.segment_min_bytes = params.segment_max_bytes = 0;
    std::array<std::uint32_t, 16> lengths{};
    std::size_t count = 0;
    statuses.note(
        shredder_cut_memory(&params, data, input.data.size(), 1, lengths.data(), lengths.size(), &count));
}

/// Five shards of the input's bytes, of which two are lost.
void useCoder(const Input& input, Statuses& statuses) {
    static constexpr std::size_t kBytes = 20'000;
    shredder_coder_options options{
        .code = SHREDDER_CODE_RS, .data_shards = 3, .parity_shards = 2, .threads = 2};
    shredder_coder* coder = nullptr;
    if (!statuses.note(shredder_coder_open(&options, &coder))) return;
    std::array<std::array<std::uint8_t, kBytes>, 4> room;
    const std::uint8_t* data = input.data.data();
    std::array<const std::uint8_t*, 5> shards{data, data + kBytes, data + 2 * kBytes, room[0].data(),
                                              room[1].data()};
    std::array<std::uint8_t*, 2> parity{room[0].data(), room[1].data()};
    if (statuses.note(shredder_coder_encode(coder, shards.data(), parity.data(), kBytes))) {
        static constexpr std::array<std::uint32_t, 2> kWanted{2, 0};
        shards[0] = shards[2] = nullptr;
        std::array<std::uint8_t*, 2> outputs{room[2].data(), room[3].data()};
        if (statuses.note(shredder_coder_decode(coder, shards.data(), kWanted.data(), kWanted.size(),
                                                outputs.data(), kBytes))) {
            EXPECT_EQ(std::memcmp(room[2].data(), data + 2 * kBytes, kBytes), 0);
            EXPECT_EQ(std::memcmp(room[3].data(), data, kBytes), 0);
        }
    }
    shredder_coder_close(coder);
}

struct Session {
    Statuses statuses;
    Taken byHand;
    Taken ofFile;

    void use(shredder_engine* engine, const Input& input) {
        useStream(engine, input, true, statuses, byHand);
        useStream(engine, input, false, statuses, ofFile);
        useMemory(engine, input, statuses);
        useCoder(input, statuses);
    }

    /// With an engine of its own.
    void run(const shredder_engine_options& options, const Input& input) {
        std::array<shredder_backend_info, 8> backends{};
        std::size_t count = 0;
        statuses.note(shredder_backends(backends.data(), backends.size(), &count));
        shredder_engine* engine = nullptr;
        if (!statuses.note(shredder_engine_open(&options, &engine))) return;
        shredder_engine_info info{};
        statuses.note(shredder_engine_describe(engine, &info));
        use(engine, input);
        statuses.noteExactly(SHREDDER_OK, shredder_engine_close(engine));
    }

    void expectFair(const Input& input) const {
        statuses.expectFair();
        if (!statuses.allOk()) return;
        byHand.expectAll(input.expected);
        ofFile.expectAll(input.expected);
    }
};

/// Runs the session with the first request failing, then with the second, until there are no more of them.
template <typename Run>
std::uint64_t failEach(Resource resource, Duration duration, const Input& input, Run run) {
    for (std::uint64_t number = 1;; number++) {
        SCOPED_TRACE("request " + std::to_string(number));
        auto session = std::make_unique<Session>();
        bool struck = false;
        {
            Shortage shortage(resource, number, duration);
            run(*session);
            struck = shortage.struck();
        }
        session->expectFair(input);
        if (!struck) {
            EXPECT_TRUE(session->statuses.allOk());
            return number;
        }
        if (testing::Test::HasFailure()) return number;
    }
}

class ShortageTest : public testing::TestWithParam<Resource> {
  protected:
    static void failEachOfEngines(shredder_backend backend, std::uint32_t digestAlgorithm) {
        Input input(digestAlgorithm);
        for (Duration duration : {Duration::Once, Duration::Lasting}) {
            std::uint64_t requests = failEach(GetParam(), duration, input, [&](Session& session) {
                session.run(optionsOf(backend), input);
            });
            EXPECT_GT(requests, 9U);
        }
    }
};

INSTANTIATE_TEST_SUITE_P(Of, ShortageTest, testing::Values(Resource::Memory, Resource::Thread),
                         [](const auto& info) {
                             return info.param == Resource::Memory ? "memory" : "threads";
                         });

TEST_P(ShortageTest, anywhereInTheLifeOfAnEngineIsAStatus) {
    failEachOfEngines(SHREDDER_BACKEND_CPU, 1);
}

TEST_P(ShortageTest, anywhereInTheLifeOfAnEngineWithBlake3IsAStatus) {
    failEachOfEngines(SHREDDER_BACKEND_CPU, 2);
}

TEST_P(ShortageTest, anywhereInTheLifeOfAScalarEngineIsAStatus) {
    failEachOfEngines(SHREDDER_BACKEND_SCALAR, 1);
}

TEST_P(ShortageTest, anEngineIsUsableAfterIt) {
    Input input(1);
    EnginePtr engine = openEngine(optionsOf(SHREDDER_BACKEND_CPU));
    for (Duration duration : {Duration::Once, Duration::Lasting}) {
        failEach(GetParam(), duration, input, [&](Session& session) { session.use(engine.get(), input); });
        EXPECT_EQ(chunk(engine.get(), input.params, input.data), input.expected);
    }
}

/// The worker's threads are of this process, too: whichever end of the connection lacks memory, the other
/// device goes on.
TEST(ShortageOfAWorkerTest, anEngineIsUsableAfterIt) {
    Input input(1);
    TemporaryFolder folder;
    std::string pool = "scalar*1,worker:" + folder.path() + "/worker";
    Worker worker({.socket = folder.path() + "/worker", .devices = "scalar*1", .cpuThreads = 1});
    shredder_engine_options options{.device = -1,
                                    .buffer_bytes = kBufferBytes,
                                    .pipeline_depth = kDepth,
                                    .cpu_threads = 1,
                                    .scheduling = SHREDDER_ROUND_ROBIN,
                                    .devices = pool.c_str()};
    testing::internal::CaptureStderr();
    bool struck = true;
    for (std::uint64_t number = 1; struck; number++) {
        SCOPED_TRACE("request " + std::to_string(number));
        EnginePtr engine = openEngine(options);
        auto session = std::make_unique<Session>();
        {
            Shortage shortage(Resource::Memory, number, Duration::Once);
            useStream(engine.get(), input, true, session->statuses, session->byHand);
            struck = shortage.struck();
        }
        session->statuses.expectFair();
        if (session->statuses.allOk()) session->byHand.expectAll(input.expected);
        ASSERT_EQ(chunk(engine.get(), input.params, input.data), input.expected);
        if (HasFailure()) break;
    }
    testing::internal::GetCapturedStderr();
}

/// The thread that fills is one of the readers.
TEST(ShortageOfReadersTest, aFileIsReadByTheThreadsThatTheSystemGives) {
    Input input(1, 900'000);
    EnginePtr engine = openEngine(
        {.backend = SHREDDER_BACKEND_CPU, .device = -1, .buffer_bytes = 128 << 10, .pipeline_depth = 8});
    bool struck = true;
    for (std::uint64_t number = 1; struck; number++) {
        auto session = std::make_unique<Session>();
        {
            Shortage shortage(Resource::Thread, number, Duration::Lasting);
            useStream(engine.get(), input, false, session->statuses, session->ofFile);
            struck = shortage.struck();
        }
        EXPECT_TRUE(session->statuses.allOk());
        session->ofFile.expectAll(input.expected);
        ASSERT_TRUE(struck || number > 1) << "nobody asked for a thread";
    }
}

/// Half of many data shards are lost, for which transforms want tiles.
TEST(ShortageOfTilesTest, lossesAreMendedByTheMatrix) {
    constexpr std::size_t kShards = 128;
    constexpr std::size_t kBytes = 700;
    const Bytes data = splitmix64(1, kShards * kBytes);
    Bytes parity(kShards * kBytes);
    Bytes found(kShards / 2 * kBytes);
    std::array<const std::uint8_t*, 2 * kShards> shards{};
    std::array<std::uint8_t*, kShards> parities{};
    std::array<std::uint8_t*, kShards / 2> outputs{};
    std::array<std::uint32_t, kShards / 2> wanted{};
    for (std::size_t i = 0; i < kShards; i++) {
        shards[i] = data.data() + i * kBytes;
        parities[i] = parity.data() + i * kBytes;
    }
    shredder_coder_options options{
        .code = SHREDDER_CODE_RS, .data_shards = kShards, .parity_shards = kShards, .threads = 1};
    shredder_coder* coder = nullptr;
    ASSERT_EQ(shredder_coder_open(&options, &coder), SHREDDER_OK);
    ASSERT_EQ(shredder_coder_encode(coder, shards.data(), parities.data(), kBytes), SHREDDER_OK);
    for (std::size_t i = 0; i < kShards; i++) {
        shards[kShards + i] = i % 2 == 0 ? nullptr : parities[i];
        if (i % 2 == 0) {
            shards[i] = nullptr;
            wanted[i / 2] = static_cast<std::uint32_t>(i);
            outputs[i / 2] = found.data() + i / 2 * kBytes;
        }
    }
    auto decode = [&] {
        return shredder_coder_decode(coder, shards.data(), wanted.data(), wanted.size(), outputs.data(),
                                     kBytes);
    };
    ASSERT_EQ(decode(), SHREDDER_OK);  // Which finds the plan.
    bool struck = true;
    bool mended = false;
    for (std::uint64_t number = 1; struck; number++) {
        std::fill(found.begin(), found.end(), std::uint8_t{0});
        int status = SHREDDER_OK;
        {
            Shortage shortage(Resource::Memory, number, Duration::Once);
            status = decode();
            struck = shortage.struck();
        }
        if (status != SHREDDER_OK) continue;
        mended = mended || struck;
        for (std::size_t i = 0; i < wanted.size(); i++) {
            ASSERT_EQ(std::memcmp(outputs[i], data.data() + wanted[i] * kBytes, kBytes), 0) << i;
        }
    }
    EXPECT_TRUE(mended) << "nobody wanted tiles";
    shredder_coder_close(coder);
}

/// Every device fails, the substitute is opened meanwhile, and the buffers move on.
TEST_P(ShortageTest, whileDevicesFailIsAStatus) {
    Input input(1);
    EnvironmentVariable faults("SHREDDER_INJECT_FAULT", "0:digest:1,1:candidates:2");
    testing::internal::CaptureStderr();
    for (Duration duration : {Duration::Once, Duration::Lasting}) {
        failEach(GetParam(), duration, input,
                 [&](Session& session) { session.run(optionsOf(SHREDDER_BACKEND_CPU), input); });
    }
    testing::internal::GetCapturedStderr();
}

}  // namespace
}  // namespace shredder::test
