// SPDX-License-Identifier: Apache-2.0
#include "cuda/shared_sums.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "tests/test_support.h"

namespace shredder::test {
namespace {

/// The inputs that a term adds up to, a bit each.
std::uint32_t inputsOf(const SharedSums& shared, std::uint32_t terms) {
    std::uint32_t inputs = terms & 0xFF;
    for (std::size_t i = 0; i < shared.parts.size(); i++) {
        if ((terms >> (8 + i) & 1) != 0) inputs ^= inputsOf(shared, shared.parts[i]);
    }
    return inputs;
}

std::size_t instructions(const std::vector<std::uint32_t>& sums, int own) {
    std::size_t count = 0;
    for (std::uint32_t sum : sums) {
        int terms = std::popcount(sum) + own;
        count += static_cast<std::size_t>(terms < 2 ? 1 : terms / 2);
    }
    return count;
}

TEST(SharedSumsTest, partsAddUpToTheSumsAndSpareInstructions) {
    std::mt19937_64 random(randomSeed());
    std::size_t before = 0;
    std::size_t after = 0;
    for (int round = 0; round < 300; round++) {
        std::vector<std::uint32_t> sums(8);
        for (std::uint32_t& sum : sums) {
            sum = static_cast<std::uint32_t>(1 + random() % 255);
        }
        int own = round % 2;
        SharedSums shared = sharedSums(sums, own == 1);
        ASSERT_EQ(shared.sums.size(), sums.size());
        for (std::size_t i = 0; i < sums.size(); i++) {
            ASSERT_EQ(inputsOf(shared, shared.sums[i]), sums[i]);
        }
        for (std::size_t i = 0; i < shared.parts.size(); i++) {
            ASSERT_LT(std::bit_width(shared.parts[i]), 9 + i);  // of those before it alone
        }
        std::size_t plain = instructions(sums, own);
        std::size_t withParts = instructions(shared.sums, own) + shared.parts.size();
        ASSERT_LE(withParts, plain);
        before += plain;
        after += withParts;
    }
    EXPECT_LT(after * 10, before * 9);
}

}  // namespace
}  // namespace shredder::test
