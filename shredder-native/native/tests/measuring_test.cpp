// SPDX-License-Identifier: Apache-2.0
//
// The measuring programs' parts: a figure is worth what they are.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "cpu/features.h"
#include "cpu/sha256.h"
#include "measure/clocks.h"
#include "measure/core_contenders.h"
#include "measure/generated_input.h"
#include "measure/linear_read.h"
#include "measure/openssl_sha256.h"
#include "measure/rate_run.h"

namespace shredder::tools {
namespace {

testing::AssertionResult contains(const std::string& text, const std::string& part) {
    return (text.find(part) == std::string::npos ? testing::AssertionFailure() : testing::AssertionSuccess())
           << "in: " << text;
}

std::string problemOf(const std::string& settings) {
    try {
        parseRateSettings(settings);
    } catch (const std::invalid_argument& problem) {
        return problem.what();
    }
    return "none";
}

nlohmann::json printed(const JsonLine& line) {
    testing::internal::CaptureStdout();
    line.print();
    return nlohmann::json::parse(testing::internal::GetCapturedStdout());
}

nlohmann::json resultOf(const std::string& settings, const std::vector<std::uint8_t>& input) {
    RateRun run(parseRateSettings(settings), input);
    run.round();
    run.round();
    return printed(run.result());
}

TEST(MeasuringTest, aRowsSettingsAreReadWithTheirUnits) {
    RateSettings row =
        parseRateSettings("name=two words,backend=cpu,bytes=2G,buffer=64K,average=8K,limits=no");
    EXPECT_EQ(row.name, "two words");
    EXPECT_EQ(row.bytes, 2ULL << 30);
    EXPECT_EQ(row.engineOptions().buffer_bytes, 64U << 10);
    EXPECT_EQ(row.params().mask_bits, 13U);
    EXPECT_EQ(row.params().min_bytes, 1U);
    EXPECT_EQ(parseRateSettings("switches=no-overlap+naive-scan").engineOptions().switches,
              SHREDDER_SWITCH_NO_OVERLAP | SHREDDER_SWITCH_NAIVE_SCAN);
    EXPECT_EQ(parseRateSettings("scheduling=round-robin").engineOptions().scheduling, SHREDDER_ROUND_ROBIN);
    EXPECT_EQ(parseRateSettings("digest=blake3").params().digest_algorithm, 2U);
    EXPECT_EQ(parseRateSettings("buffer=1M,blocks=10,streams=2").bytes, 20U << 20);
}

TEST(MeasuringTest, aBadSettingIsNamedWithWhatWouldDo) {
    EXPECT_TRUE(contains(problemOf("colour=red"), "key=colour: use one of average"));
    EXPECT_TRUE(contains(problemOf("backend=abacus"), "backend=abacus: use one of auto"));
    EXPECT_TRUE(contains(problemOf("switches=no-overlap+turbo"), "switches=turbo: use one of auto-buffers"));
    EXPECT_TRUE(contains(problemOf("average=1000"), "power of two"));
    EXPECT_TRUE(contains(problemOf("bytes=12Q"), "12Q"));
    EXPECT_TRUE(contains(problemOf("bytes=many"), "'many' is not a number"));
    EXPECT_TRUE(contains(problemOf("depth"), "'depth' is not key=value"));
    EXPECT_TRUE(contains(problemOf("source=file"), "path"));
    EXPECT_TRUE(contains(problemOf("blocks=10"), "buffer"));
}

TEST(MeasuringTest, aLineOfJsonHoldsWhatWasPutIn) {
    nlohmann::json line = printed(JsonLine()
                                      .text("name", "a \"b\" \\ \n")
                                      .number("rate", 1.5)
                                      .count("bytes", 1ULL << 40)
                                      .numbers("s", {1, 2.5}));
    EXPECT_EQ(line["name"], "a \"b\" \\ \n");
    EXPECT_EQ(line["rate"], 1.5);
    EXPECT_EQ(line["bytes"], 1ULL << 40);
    EXPECT_EQ(line["s"], (std::vector<double>{1, 2.5}));
}

TEST(MeasuringTest, theLinearReadDependsOnEveryByte) {
    CoreInput input("random", 1 << 20);
    LinearRead limit = linearRead();
    std::uint64_t whole = limit.read(input.data(), input.size());
    auto* bytes = const_cast<std::uint8_t*>(input.data());
    for (std::size_t i = 0; i < input.size(); i += 509) {
        bytes[i] ^= 1;
        EXPECT_NE(limit.read(input.data(), input.size()), whole) << "byte " << i;
        bytes[i] ^= 1;
    }
}

TEST(MeasuringTest, theReadInScanOrderReadsTheSameBytes) {
    CoreInput input("random", (1 << 20) + 512);
    LinearRead limit = linearRead();
    EXPECT_EQ(limit.readInScanOrder(input.data(), input.size()), limit.read(input.data(), input.size()));
}

TEST(MeasuringTest, aStreamsChecksumIsItsChunksAndNotItsSetUp) {
    std::vector<std::uint8_t> input = generateInput("random", 4 << 20);
    std::string stream = "backend=cpu,bytes=6M,source=copy";
    std::string checksum = resultOf(stream, input)["checksum"];
    EXPECT_EQ(resultOf(stream + ",threads=2,buffer=64K,depth=2", input)["checksum"], checksum);
    EXPECT_EQ(resultOf(stream + ",backend=scalar", input)["checksum"], checksum);
    for (const char* other : {"pageable", "no-reuse", "no-overlap", "naive-scan", "auto-buffers"}) {
        EXPECT_EQ(resultOf(stream + ",buffer=1M,devices=2,switches=" + other, input)["checksum"], checksum)
            << other;
    }
    std::string longer = "backend=cpu,bytes=96M,source=copy";
    EXPECT_EQ(resultOf(longer + ",buffer=4M,switches=auto-buffers", input)["checksum"],
              resultOf(longer, input)["checksum"]);
    EXPECT_NE(resultOf(stream + ",average=4K", input)["checksum"], checksum);
    EXPECT_NE(resultOf(stream + ",digest=none", input)["checksum"], checksum);
}

TEST(MeasuringTest, aFileGivesTheChunksOfItsBytes) {
    std::vector<std::uint8_t> input = generateInput("random", 4 << 20);
    std::filesystem::path path = testing::TempDir() + "measuring_test_input";
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(input.data()), static_cast<std::streamsize>(input.size()));
    nlohmann::json file = resultOf("backend=cpu,source=file,path=" + path.string(), input);
    std::filesystem::remove(path);
    EXPECT_EQ(file["bytes"], input.size()) << "no more than the file has";
    EXPECT_EQ(file["checksum"], resultOf("backend=cpu,bytes=4M,source=copy", input)["checksum"]);
}

TEST(MeasuringTest, aRowTellsItsRoundsAndTheirMedian) {
    std::vector<std::uint8_t> input = generateInput("random", 1 << 20);
    nlohmann::json row = resultOf("name=n,backend=cpu,bytes=8M,streams=2,buffer=1M", input);
    EXPECT_EQ(row["name"], "n");
    EXPECT_EQ(row["bytes"], 8U << 20);
    ASSERT_EQ(row["roundSeconds"].size(), 2U);
    EXPECT_EQ(row["seconds"], std::min(row["roundSeconds"][0], row["roundSeconds"][1]));
    EXPECT_GT(row["records"], 100U);
    EXPECT_EQ(median({3, 1, 2}), 2);
}

TEST(MeasuringTest, opensslGivesTheSameDigests) {
    std::unique_ptr<OpensslSha256> openssl;
    try {
        openssl = std::make_unique<OpensslSha256>();
    } catch (const std::runtime_error& missing) {
        GTEST_SKIP() << missing.what();
    }
    EXPECT_TRUE(contains(openssl->version(), "SSL"));
    std::vector<std::uint8_t> input = generateInput("random", 1000);
    std::uint8_t theirs[2][kDigestBytes];
    std::uint8_t ours[kDigestBytes];
    DigestMessage messages[] = {{input.data(), 1000, theirs[0]}, {input.data(), 0, theirs[1]}};
    openssl->digestMany(messages, 2);
    for (int i = 0; i < 2; i++) {
        sha256(sha256CompressPortable, input.data(), messages[i].size, ours);
        EXPECT_EQ(std::memcmp(ours, theirs[i], kDigestBytes), 0) << i;
    }
}

std::string namesOfContendersThatRun(const CpuFeatures& cpu) {
    CoreInput input("random", 2 << 20);
    std::string names;
    for (const Contender& contender : coreContenders(input, parseRateSettings("average=8K").params(), cpu)) {
        contender.run();
        names += contender.name + "\n";
    }
    return names;
}

TEST(MeasuringTest, everyContenderRunsOnce) {
    std::string names = namesOfContendersThatRun(cpuFeatures());
    for (const char* name :
         {"linear-read\n", "scan-scalar\n", "cuts\n", "cuts-sha256\n", "cuts-blake3\n", "cuts-of-32KiB\n"}) {
        EXPECT_TRUE(contains(names, name));
    }
}

TEST(MeasuringTest, contendersOfACpuWithLessAreWhatItCouldRun) {
    CpuFeatures cpu = cpuFeatures();
    cpu.avx512 = false;
    cpu.gfni = false;
    std::string names = namesOfContendersThatRun(cpu);
    EXPECT_TRUE(contains(names, "cuts-sha256\n"));
    EXPECT_EQ(contains(names, "scan-avx2\n"), cpu.avx2);
    EXPECT_FALSE(contains(names, "avx512"));
    EXPECT_FALSE(contains(names, "gfni"));
}

TEST(MeasuringTest, anInputThatCannotBeMeasuredIsNamed) {
    EXPECT_THROW(CoreInput("no/such/file", 1 << 20), std::runtime_error);
    EXPECT_THROW(CoreInput("random", 1000), std::runtime_error);
}

}  // namespace
}  // namespace shredder::tools
