// SPDX-License-Identifier: Apache-2.0
#include "cpu/memory_cuts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "chunk/fingerprint.h"
#include "tests/guarded_bytes.h"
#include "tests/test_support.h"

namespace shredder::test {
namespace {

std::vector<std::uint32_t> lengthsOf(const std::vector<ChunkValue>& chunks) {
    std::vector<std::uint32_t> lengths;
    lengths.reserve(chunks.size());
    for (const ChunkValue& chunk : chunks) {
        lengths.push_back(chunk.length);
    }
    return lengths;
}

/// Of memory that can be cut: no segments, a min of at least the window.
shredder_params params(std::mt19937_64& random) {
    shredder_params params = paramsOfAverage(6 + random() % 6);
    params.min_bytes = 48 + random() % ((1ULL << params.mask_bits) - 47);
    params.max_bytes = (1ULL << params.mask_bits) * (1 + random() % 5);
    params.compute_digests = 0;
    return params;
}

/// Random bytes, runs of zeros, and a period that gives many candidates.
Bytes input(std::mt19937_64& random) {
    Bytes data = splitmix64(random(), random() % 60'000);
    for (int i = 0; i < 3 && !data.empty(); i++) {
        std::size_t from = random() % data.size();
        std::size_t count = std::min<std::size_t>(random() % 9'000, data.size() - from);
        std::fill_n(data.begin() + static_cast<std::ptrdiff_t>(from), count,
                    static_cast<std::uint8_t>(random() % 2 * 0xA7));
    }
    return data;
}

TEST(MemoryCutsTest, givesTheReferencesChunks) {
    std::mt19937_64 random(randomSeed());
    for (int i = 0; i < 60; i++) {
        shredder_params p = params(random);
        Bytes data = input(random);
        ASSERT_EQ(cutMemory(p, data.data(), data.size(), true), lengthsOf(referenceChunks(p, data)));
    }
}

TEST(MemoryCutsTest, givesTheReferencesChunksOfMemoryThatIsScannedInSeveralSections) {
    std::mt19937_64 random(randomSeed());
    for (int i = 0; i < 4; i++) {
        shredder_params p = params(random);
        Bytes data = splitmix64(random(), 1'500'000 + random() % 1'500'000);
        // Around the end of the first section, every byte is a candidate.
        auto flood = data.begin() + 790'000 + static_cast<std::ptrdiff_t>(random() % 12'000);
        std::fill_n(flood, 9'000, std::uint8_t{0xA7});
        p.marker = windowFingerprint(RollTables(Polynomial(p.polynomial)), &flood[kWindowBytes]);
        ASSERT_EQ(cutMemory(p, data.data(), data.size(), true), lengthsOf(referenceChunks(p, data)));
    }
}

TEST(MemoryCutsTest, goingOnFromAnyCutGivesTheSameCuts) {
    std::mt19937_64 random(randomSeed());
    for (int i = 0; i < 40; i++) {
        shredder_params p = params(random);
        Bytes data = input(random);
        std::vector<std::uint32_t> expected = lengthsOf(referenceChunks(p, data));
        std::vector<std::uint32_t> lengths;
        std::size_t at = 0;
        while (at < data.size()) {
            // Memory of just the longest chunk has a chunk, too.
            std::size_t more = random() % 3 == 0 ? 0 : random() % 9'000;
            std::size_t size = std::min<std::size_t>(p.max_bytes + more, data.size() - at);
            bool last = at + size == data.size();
            std::vector<std::uint32_t> some = cutMemory(p, data.data() + at, size, last);
            ASSERT_FALSE(some.empty());
            // As if only some of them were of use.
            some.resize(1 + random() % some.size());
            for (std::uint32_t length : some) {
                at += length;
                lengths.push_back(length);
            }
        }
        ASSERT_EQ(lengths, expected);
    }
}

TEST(MemoryCutsTest, readsNothingButTheMemory) {
    shredder_params p = paramsOfAverage(8);
    for (std::size_t size : {0, 1, 47, 48, 49, 64, 1'000, 4'096, 5'001}) {
        Bytes data = splitmix64(size, size);
        std::vector<std::uint32_t> expected = lengthsOf(referenceChunks(p, data));
        for (auto guard : {GuardedBytes::Guard::kBefore, GuardedBytes::Guard::kBehind}) {
            GuardedBytes guarded(data, guard);
            EXPECT_EQ(cutMemory(p, guarded.data(), size, true), expected) << size;
        }
    }
}

TEST(MemoryCutsTest, refusesParametersWhoseCutsDependOnWhatIsBefore) {
    Bytes data(100);
    std::size_t count = 0;
    shredder_params p = paramsOfAverage(8);
    p.min_bytes = 47;
    EXPECT_EQ(shredder_cut_memory(&p, data.data(), data.size(), 1, nullptr, 0, &count),
              SHREDDER_INVALID_ARGUMENT);
    EXPECT_STREQ(shredder_last_error(),
                 "memory can be cut with a min of at least 48 and without segments only");
    p.min_bytes = 48;
    EXPECT_EQ(shredder_cut_memory(&p, data.data(), data.size(), 1, nullptr, 0, &count), SHREDDER_OK);
    EXPECT_EQ(count, 1U);
}

}  // namespace
}  // namespace shredder::test
