// SPDX-License-Identifier: Apache-2.0
//
// The coder of the C API.
#include <gtest/gtest.h>

#include <memory>
#include <thread>

#include "coding/form.h"
#include "coding/reference.h"
#include "tests/coding_support.h"

namespace shredder::test {
namespace {

using coding::Code;

struct CoderDelete {
    void operator()(shredder_coder* coder) const { shredder_coder_close(coder); }
};
using CoderPtr = std::unique_ptr<shredder_coder, CoderDelete>;

CoderPtr openCoder(const shredder_coder_options& options) {
    shredder_coder* coder = nullptr;
    check(shredder_coder_open(&options, &coder));
    return CoderPtr(coder);
}

shredder_coder_info infoOf(const CoderPtr& coder) {
    shredder_coder_info info{};
    check(shredder_coder_describe(coder.get(), &info));
    return info;
}

class CoderTest : public testing::Test {
  protected:
    static constexpr std::size_t kBytes = 1'000;

    void SetUp() override {
        shards_.setData(splitmix64(7, 6 * kBytes));
        check(shredder_coder_encode(coder_.get(), shards_.data(), shards_.parity(), kBytes));
    }

    shredder_status decode(const std::vector<std::size_t>& lost, const std::vector<std::uint32_t>& wanted) {
        return shredder_coder_decode(coder_.get(), shards_.without(lost).data(), wanted.data(), wanted.size(),
                                     outputs_.pointers(), kBytes);
    }

    Code code_{SHREDDER_CODE_RS, 6, 3};
    CoderPtr coder_ = openCoder({.code = SHREDDER_CODE_RS, .data_shards = 6, .parity_shards = 3});
    Shards shards_{code_, kBytes, {16}};
    Outputs outputs_{3, kBytes};
};

TEST_F(CoderTest, encodesAndDecodesAsTheReferenceDoes) {
    coding::encodeReference(code_, shards_.data(), outputs_.pointers(), kBytes);
    for (std::size_t i = 0; i < 3; i++) {
        EXPECT_EQ(shards_.bytes(6 + i), outputs_.bytes(i));
    }
    check(decode({8, 0, 5}, {8, 0, 5}));
    EXPECT_EQ(outputs_.bytes(0), shards_.bytes(8));
    EXPECT_EQ(outputs_.bytes(1), shards_.bytes(0));
    EXPECT_EQ(outputs_.bytes(2), shards_.bytes(5));
}

TEST_F(CoderTest, aPlanThatWasForgottenIsMadeAgain) {
    for (int round = 0; round < 2; round++) {
        for (std::uint32_t a = 0; a < 9; a++) {
            for (std::uint32_t b = a + 1; b < 9; b++) {
                check(decode({a, b}, {b, a}));
                ASSERT_EQ(outputs_.bytes(0), shards_.bytes(b));
                ASSERT_EQ(outputs_.bytes(1), shards_.bytes(a));
            }
        }
    }
}

TEST_F(CoderTest, manyThreadsMayUseOneCoder) {
    std::vector<std::thread> threads;
    std::vector<int> wrong(4);
    for (std::size_t t = 0; t < wrong.size(); t++) {
        threads.emplace_back([&, t] {
            Outputs outputs(1, kBytes);
            for (std::uint32_t i = 0; i < 200; i++) {
                std::uint32_t wanted = (i + static_cast<std::uint32_t>(t)) % 9;
                std::uint32_t other = (wanted + 1 + i / 9 % 8) % 9;
                auto left = shards_.without({wanted, other});
                check(
                    shredder_coder_decode(coder_.get(), left.data(), &wanted, 1, outputs.pointers(), kBytes));
                if (outputs.bytes(0) != shards_.bytes(wanted)) wrong[t]++;
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(wrong, std::vector<int>(wrong.size()));
}

TEST_F(CoderTest, whatMakesNoSenseIsRefused) {
    EXPECT_EQ(decode({0, 1, 2, 3}, {0}), SHREDDER_INVALID_ARGUMENT);
    EXPECT_STREQ(shredder_last_error(), "5 shards are there, 6 are needed");
    EXPECT_EQ(decode({0}, {1}), SHREDDER_INVALID_ARGUMENT);
    EXPECT_STREQ(shredder_last_error(), "shard 1 is wanted, but it is there");
    EXPECT_EQ(decode({0}, {9}), SHREDDER_INVALID_ARGUMENT);
    EXPECT_EQ(decode({0, 1}, {1, 1}), SHREDDER_INVALID_ARGUMENT);
    EXPECT_STREQ(shredder_last_error(), "shard 1 is wanted twice");
    EXPECT_EQ(shredder_coder_decode(coder_.get(), shards_.without({0}).data(), nullptr, 1,
                                    outputs_.pointers(), kBytes),
              SHREDDER_INVALID_ARGUMENT);
    EXPECT_EQ(shredder_coder_encode(coder_.get(), nullptr, shards_.parity(), kBytes),
              SHREDDER_INVALID_ARGUMENT);
    std::uint8_t* none[3] = {};
    EXPECT_EQ(shredder_coder_encode(coder_.get(), shards_.data(), none, kBytes), SHREDDER_INVALID_ARGUMENT);
    EXPECT_STREQ(shredder_last_error(), "parity[0] is NULL");
    EXPECT_EQ(shredder_coder_encode(nullptr, shards_.data(), shards_.parity(), kBytes),
              SHREDDER_INVALID_ARGUMENT);
}

TEST_F(CoderTest, nothingIsCodedOfNoBytes) {
    check(shredder_coder_encode(coder_.get(), nullptr, nullptr, 0));
    check(decode({0}, {}));
    std::uint32_t wanted = 0;
    check(shredder_coder_decode(coder_.get(), shards_.without({0}).data(), &wanted, 1, nullptr, 0));
    EXPECT_TRUE(outputs_.isUntouchedAround());
}

TEST(CoderOpenTest, tellsWhatItCodesWith) {
    shredder_coder_info info =
        infoOf(openCoder({.code = SHREDDER_CODE_XOR, .data_shards = 9, .parity_shards = 1, .threads = 2}));
    EXPECT_EQ(info.code, static_cast<std::uint32_t>(SHREDDER_CODE_XOR));
    EXPECT_EQ(info.data_shards, 9U);
    EXPECT_EQ(info.parity_shards, 1U);
    EXPECT_EQ(info.threads, 2U);
    EXPECT_STREQ(info.form, coding::chooseCodingForm(SHREDDER_BACKEND_CPU, cpuFeatures()).name);
}

TEST(CoderOpenTest, theEnvironmentForcesABackend) {
    shredder_coder_options options{.code = SHREDDER_CODE_RS, .data_shards = 6, .parity_shards = 3};
    EnvironmentVariable forced("SHREDDER_CODER_BACKEND", "scalar");
    EXPECT_STREQ(infoOf(openCoder(options)).form, "scalar");
    if (!cpuFeatures().avx2) return;
    options.backend = SHREDDER_BACKEND_AVX2;
    EXPECT_STREQ(infoOf(openCoder(options)).form, cpuFeatures().gfni ? "avx2-gfni" : "avx2");
}

TEST(CoderOpenTest, whatIsNotThereIsRefused) {
    shredder_coder* coder = nullptr;
    auto open = [&](const shredder_coder_options& options) { return shredder_coder_open(&options, &coder); };
    EXPECT_EQ(open({.code = 9, .data_shards = 6, .parity_shards = 3}), SHREDDER_INVALID_ARGUMENT);
    EXPECT_EQ(open({.code = SHREDDER_CODE_RS, .data_shards = 200, .parity_shards = 57}),
              SHREDDER_INVALID_ARGUMENT);
    EXPECT_STREQ(shredder_last_error(), "200 data and 57 parity shards: at most 256 in all");
    EXPECT_EQ(open({.code = SHREDDER_CODE_RS, .data_shards = 6, .parity_shards = 3, .threads = 5'000}),
              SHREDDER_INVALID_ARGUMENT);
    EnvironmentVariable wrong("SHREDDER_CODER_BACKEND", "mmx");
    EXPECT_EQ(open({.code = SHREDDER_CODE_RS, .data_shards = 6, .parity_shards = 3}),
              SHREDDER_INVALID_ARGUMENT);
    EXPECT_EQ(shredder_coder_open(nullptr, &coder), SHREDDER_INVALID_ARGUMENT);
    EXPECT_EQ(coder, nullptr);
    shredder_coder_close(nullptr);
}

}  // namespace
}  // namespace shredder::test
