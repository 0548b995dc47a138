// SPDX-License-Identifier: Apache-2.0
//
// How a stream is split into buffers, and who scans it, makes no difference to its chunks.
#include <gtest/gtest.h>

#include "tests/test_support.h"

namespace shredder::test {
namespace {

/// Random bytes with runs of zeros and repeats, so that forced cuts occur as well.
Bytes mixedInput(std::mt19937_64& random) {
    Bytes data = splitmix64(random(), random() % 60'000);
    for (int run = 0; run < 3 && !data.empty(); run++) {
        std::size_t begin = random() % data.size();
        std::size_t size = std::min<std::size_t>(random() % 20'000, data.size() - begin);
        auto value = static_cast<std::uint8_t>(run == 0 ? 0 : random());
        std::fill_n(data.begin() + static_cast<std::ptrdiff_t>(begin), size, value);
    }
    return data;
}

std::vector<std::size_t> randomPieces(std::mt19937_64& random) {
    std::vector<std::size_t> sizes;
    for (std::size_t i = 0; i < 1 + random() % 40; i++) {
        sizes.push_back(random() % 4 == 0 ? random() % 50 : 1 + random() % 4096);
    }
    sizes.push_back(1 + random() % 4096);  // not 0: the last repeats
    return sizes;
}

TEST(SplitTest, everyBackendAndSplitGivesTheChunksOfTheDefinition) {
    std::mt19937_64 random(randomSeed());
    for (std::uint32_t depth : {1U, 2U, 4U}) {
        std::vector<EnginePtr> engines;
        for (shredder_backend backend : availableBackends()) {
            engines.push_back(openEngine(backend, 4096, depth));
        }
        for (int round = 0; round < 12; round++) {
            shredder_params params = randomParams(random);
            Bytes data = mixedInput(random);
            std::vector<ChunkValue> expected = referenceChunks(params, data);
            for (std::size_t i = 0; i < engines.size(); i++) {
                SCOPED_TRACE(nameOf(availableBackends()[i]) + ", depth " + std::to_string(depth) +
                             ", round " + std::to_string(round));
                StreamPtr stream = openStream(engines[i].get(), params);
                ASSERT_EQ(runStream(stream.get(), data, randomPieces(random)), expected);
            }
        }
    }
}

TEST(SplitTest, everyWayToSplitAShortStreamInTwoGivesTheSameChunks) {
    shredder_params params = paramsOfAverage(6);
    params.segment_mask_bits = 8;
    params.segment_min_bytes = 100;
    params.segment_max_bytes = 1'000;
    Bytes data = splitmix64(11, 700);
    std::vector<ChunkValue> expected = referenceChunks(params, data);
    for (shredder_backend backend : availableBackends()) {
        EnginePtr engine = openEngine(backend, 4096, 2);
        for (std::size_t first = 0; first <= data.size(); first++) {
            StreamPtr stream = openStream(engine.get(), params);
            ASSERT_EQ(runStream(stream.get(), data, {first, 4096}), expected)
                << nameOf(backend) << " " << first;
        }
    }
}

TEST(SplitTest, aChunkMayBeLongerThanManyBuffers) {
    shredder_params params = paramsOfAverage(16);
    Bytes data = splitmix64(12, 500'000);
    std::fill(data.begin() + 100'000, data.begin() + 400'000, std::uint8_t{0});
    std::vector<ChunkValue> expected = referenceChunks(params, data);
    for (shredder_backend backend : availableBackends()) {
        EnginePtr engine = openEngine(backend, 4096, 3);
        EXPECT_EQ(chunk(engine.get(), params, data), expected) << nameOf(backend);
    }
}

TEST(SplitTest, aSegmentMayEndWhereTheStreamEndsOnACandidate) {
    shredder_params params = paramsOfAverage(5);
    params.segment_mask_bits = 12;
    params.segment_min_bytes = 1;
    params.segment_max_bytes = 8'000;
    Bytes data = splitmix64(13, 3'000);
    std::vector<ChunkValue> whole = referenceChunks(params, data);
    for (shredder_backend backend : availableBackends()) {
        EnginePtr engine = openEngine(backend, 4096, 2);
        for (const ChunkValue& last : whole) {
            std::size_t end = last.offset + last.length;
            Bytes head(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(end));
            StreamPtr stream = openStream(engine.get(), params);
            // The stream's end is told with an empty last buffer.
            ASSERT_EQ(runStream(stream.get(), head, {end - 1, 1, 1}), referenceChunks(params, head));
        }
    }
}

}  // namespace
}  // namespace shredder::test
