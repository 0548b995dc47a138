// SPDX-License-Identifier: Apache-2.0
//
// Calls that make no sense are refused before they have done anything.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <future>

#include "shredder_region.h"
#include "tests/test_support.h"

namespace shredder::test {
namespace {

class MisuseTest : public testing::Test {
  protected:
    EnginePtr engine_ = openEngine(SHREDDER_BACKEND_SCALAR, 4096);
    shredder_params params_ = paramsOfAverage(8);
    StreamPtr stream_ = openStream(engine_.get(), params_);
};

TEST_F(MisuseTest, anAcquireWithoutAPlaceForTheBufferKeepsNone) {
    std::uint8_t* payload = nullptr;
    std::uint64_t capacity = 0;
    EXPECT_EQ(shredder_stream_acquire(stream_.get(), nullptr, &capacity), SHREDDER_INVALID_ARGUMENT);
    EXPECT_STREQ(shredder_last_error(), "payload is NULL");
    EXPECT_EQ(shredder_stream_acquire(stream_.get(), &payload, nullptr), SHREDDER_INVALID_ARGUMENT);
    EXPECT_EQ(shredder_stream_acquire(stream_.get(), &payload, &capacity), SHREDDER_OK);
}

TEST_F(MisuseTest, aNextWithoutAPlaceForTheBatchLosesNone) {
    std::uint8_t* payload = nullptr;
    std::uint64_t capacity = 0;
    check(shredder_stream_acquire(stream_.get(), &payload, &capacity));
    std::memset(payload, 0, capacity);
    check(shredder_stream_finish(stream_.get(), capacity));
    EXPECT_EQ(shredder_stream_next(stream_.get(), nullptr), SHREDDER_INVALID_ARGUMENT);
    shredder_batch batch{};
    EXPECT_EQ(shredder_stream_next(stream_.get(), &batch), SHREDDER_OK);
    EXPECT_EQ(batch.data_bytes, capacity);
}

TEST_F(MisuseTest, openingWithoutAPlaceForTheHandleOpensNothing) {
    std::array<std::uint8_t, SHREDDER_DIGEST_BYTES> key{};
    EXPECT_EQ(shredder_engine_open(nullptr, nullptr), SHREDDER_INVALID_ARGUMENT);
    EXPECT_EQ(shredder_stream_open(engine_.get(), &params_, nullptr), SHREDDER_INVALID_ARGUMENT);
    EXPECT_EQ(shredder_region_reader_open(key.data(), key.data(), 1, nullptr), SHREDDER_INVALID_ARGUMENT);
    stream_.reset();
    EXPECT_EQ(shredder_engine_close(engine_.release()), SHREDDER_OK);
}

TEST_F(MisuseTest, backendsWithoutAPlaceForThemAreCountedOrRefused) {
    std::size_t count = 0;
    EXPECT_EQ(shredder_backends(nullptr, 0, &count), SHREDDER_OK);
    EXPECT_EQ(count, 4U);
    count = 9;
    EXPECT_EQ(shredder_backends(nullptr, 3, &count), SHREDDER_INVALID_ARGUMENT);
    EXPECT_STREQ(shredder_last_error(), "infos is NULL");
    EXPECT_EQ(count, 9U);
    shredder_backend_info info{};
    EXPECT_EQ(shredder_backends(&info, 1, nullptr), SHREDDER_INVALID_ARGUMENT);
}

TEST_F(MisuseTest, everyOtherPointerIsNeeded) {
    shredder_engine_info info{};
    std::size_t count = 0;
    std::uint32_t length = 0;
    std::array<std::uint8_t, 300> data{};
    EXPECT_EQ(shredder_engine_describe(nullptr, &info), SHREDDER_INVALID_ARGUMENT);
    EXPECT_EQ(shredder_engine_describe(engine_.get(), nullptr), SHREDDER_INVALID_ARGUMENT);
    EXPECT_EQ(shredder_stream_next(nullptr, nullptr), SHREDDER_INVALID_ARGUMENT);
    EXPECT_EQ(shredder_stream_release(nullptr), SHREDDER_INVALID_ARGUMENT);
    EXPECT_EQ(shredder_stream_submit(nullptr, 0), SHREDDER_INVALID_ARGUMENT);
    EXPECT_EQ(shredder_stream_fill_path(nullptr, "/dev/null", nullptr, nullptr), SHREDDER_INVALID_ARGUMENT);
    EXPECT_EQ(shredder_cut_memory(&params_, data.data(), data.size(), 1, &length, 1, nullptr),
              SHREDDER_INVALID_ARGUMENT);
    EXPECT_EQ(shredder_cut_memory(&params_, data.data(), data.size(), 1, nullptr, 1, &count),
              SHREDDER_INVALID_ARGUMENT);
    EXPECT_EQ(shredder_cut_memory(nullptr, data.data(), data.size(), 1, &length, 1, &count),
              SHREDDER_INVALID_ARGUMENT);
    EXPECT_EQ(shredder_digest_pieces(nullptr, 1, 1, data.data()), SHREDDER_INVALID_ARGUMENT);
    EXPECT_EQ(shredder_engine_close(nullptr), SHREDDER_OK);
    shredder_stream_cancel(nullptr);
    shredder_stream_close(nullptr);
    shredder_region_reader_close(nullptr);
}

TEST_F(MisuseTest, aFillWithoutAPathCancelsTheStreamAsEveryFailedFillDoes) {
    auto consumer = std::async(std::launch::async, [&] {
        shredder_batch batch{};
        return shredder_stream_next(stream_.get(), &batch);
    });
    EXPECT_EQ(shredder_stream_fill_path(stream_.get(), nullptr, nullptr, nullptr), SHREDDER_INVALID_ARGUMENT);
    EXPECT_EQ(consumer.get(), SHREDDER_CANCELLED);
}

TEST_F(MisuseTest, segmentLimitsThatJavaCannotHaveAreRefused) {
    params_.segment_mask_bits = 10;
    params_.segment_min_bytes = 1;
    params_.segment_max_bytes = 0x7FFF'FFFF'FFFF'FFFF;
    shredder_stream* stream = nullptr;
    ASSERT_EQ(shredder_stream_open(engine_.get(), &params_, &stream), SHREDDER_OK);
    shredder_stream_close(stream);
    params_.segment_min_bytes = 0;
    params_.segment_max_bytes = 0xFFFF'FFFF'FFFF'FFFF;
    EXPECT_EQ(shredder_stream_open(engine_.get(), &params_, &stream), SHREDDER_INVALID_ARGUMENT);
    EXPECT_STREQ(shredder_last_error(),
                 "invalid chunking parameters: segment min is 0; "
                 "segment max 18446744073709551615 is above 2^63 - 1");
}

}  // namespace
}  // namespace shredder::test
