// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/test_support.h"

namespace shredder::test {
namespace {

shredder_status openStatus(shredder_engine_options options) {
    shredder_engine* engine = nullptr;
    shredder_status status = shredder_engine_open(&options, &engine);
    if (status == SHREDDER_OK) check(shredder_engine_close(engine));
    return status;
}

TEST(BackendsTest, theScalarBackendIsAlwaysThere) {
    std::vector<shredder_backend> backends = availableBackends();
    EXPECT_NE(std::find(backends.begin(), backends.end(), SHREDDER_BACKEND_SCALAR), backends.end());
}

TEST(BackendsTest, theBackendThatWasAskedForIsTheOneThatScans) {
    for (shredder_backend backend : availableBackends()) {
        EnginePtr engine = openEngine(backend, 4096);
        chunk(engine.get(), paramsOfAverage(8), splitmix64(1, 50'000));
        shredder_engine_info info = infoOf(engine);
        EXPECT_EQ(info.backend, nameOf(backend));
        EXPECT_EQ(info.bytes_scanned, 50'000U) << info.choice;
    }
}

TEST(BackendsTest, theEnvironmentForcesABackendWhereNoneIsAskedFor) {
    EnvironmentVariable variable("SHREDDER_BACKEND", "scalar");
    EXPECT_STREQ(infoOf(openEngine(SHREDDER_BACKEND_AUTO)).backend, "scalar");
    EXPECT_NE(std::string(infoOf(openEngine(SHREDDER_BACKEND_AUTO)).choice).find("SHREDDER_BACKEND"),
              std::string::npos);
}

TEST(BackendsTest, anUnknownNameInTheEnvironmentFailsAndIsNamed) {
    EnvironmentVariable variable("SHREDDER_BACKEND", "avx9");
    EXPECT_EQ(openStatus({.backend = SHREDDER_BACKEND_AUTO,
                          .device = -1,
                          .buffer_bytes = 0,
                          .pipeline_depth = 0,
                          .cpu_threads = 1}),
              SHREDDER_INVALID_ARGUMENT);
    EXPECT_NE(std::string(shredder_last_error()).find("avx9"), std::string::npos);
}

TEST(BackendsTest, aBackendThatIsNotThereIsNeverReplacedByAnother) {
    for (shredder_backend backend : {SHREDDER_BACKEND_AVX2, SHREDDER_BACKEND_AVX512, SHREDDER_BACKEND_CUDA}) {
        std::vector<shredder_backend> there = availableBackends();
        if (std::find(there.begin(), there.end(), backend) != there.end()) continue;
        EXPECT_EQ(openStatus({.backend = static_cast<std::uint32_t>(backend),
                              .device = -1,
                              .buffer_bytes = 0,
                              .pipeline_depth = 0,
                              .cpu_threads = 1}),
                  SHREDDER_UNAVAILABLE);
        EXPECT_NE(std::string(shredder_last_error()).find(nameOf(backend)), std::string::npos);
    }
}

TEST(BackendsTest, badOptionsAreRefused) {
    EXPECT_EQ(
        openStatus({.backend = 9, .device = -1, .buffer_bytes = 0, .pipeline_depth = 0, .cpu_threads = 1}),
        SHREDDER_INVALID_ARGUMENT);
    EXPECT_EQ(
        openStatus({.backend = 2, .device = -2, .buffer_bytes = 0, .pipeline_depth = 0, .cpu_threads = 1}),
        SHREDDER_INVALID_ARGUMENT);
    EXPECT_EQ(
        openStatus({.backend = 2, .device = -1, .buffer_bytes = 100, .pipeline_depth = 0, .cpu_threads = 1}),
        SHREDDER_INVALID_ARGUMENT);
    EXPECT_EQ(
        openStatus({.backend = 2, .device = -1, .buffer_bytes = 0, .pipeline_depth = 9, .cpu_threads = 1}),
        SHREDDER_INVALID_ARGUMENT);
    EXPECT_EQ(shredder_engine_open(nullptr, nullptr), SHREDDER_INVALID_ARGUMENT);
}

TEST(BackendsTest, everyBrokenRuleOfTheParametersIsNamedAtOnce) {
    EnginePtr engine = openEngine(SHREDDER_BACKEND_SCALAR);
    shredder_params params = paramsOfAverage(13);
    params.polynomial = 3;
    params.min_bytes = 1 << 14;
    params.max_bytes = 1 << 12;
    params.digest_algorithm = 3;
    shredder_stream* stream = nullptr;
    EXPECT_EQ(shredder_stream_open(engine.get(), &params, &stream), SHREDDER_INVALID_ARGUMENT);
    std::string text = shredder_last_error();
    for (const char* part : {"polynomial", "min 16384", "max 4096", "digest algorithm 3"}) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
    }
}

TEST(BackendsTest, theAbiVersionIsTheHeaders) {
    EXPECT_EQ(shredder_abi_version(), SHREDDER_ABI_VERSION);
}

}  // namespace
}  // namespace shredder::test
