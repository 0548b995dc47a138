// SPDX-License-Identifier: Apache-2.0
#include "chunk/fingerprint.h"

#include <gtest/gtest.h>

#include "tests/test_support.h"

namespace shredder::test {
namespace {

TEST(FingerprintTest, theTablesHoldTheProductsOfEveryByte) {
    std::mt19937_64 random(randomSeed());
    for (int round = 0; round < 20; round++) {
        Polynomial polynomial(randomParams(random).polynomial);
        RollTables tables(polynomial);
        for (unsigned value = 0; value < 256; value++) {
            ASSERT_EQ(tables.append[value], polynomial.shift(value, 48)) << polynomial.bits();
            ASSERT_EQ(tables.remove[value], polynomial.shift(value, 384)) << polynomial.bits();
        }
    }
}

TEST(FingerprintTest, aWindowsFingerprintIsItsRemainder) {
    std::mt19937_64 random(randomSeed());
    Polynomial polynomial(randomParams(random).polynomial);
    Bytes window = splitmix64(random(), kWindowBytes);
    std::uint64_t remainder = 0;
    for (std::uint8_t byte : window) {
        remainder = polynomial.shift(remainder, 8) ^ byte;
    }
    EXPECT_EQ(windowFingerprint(RollTables(polynomial), window.data() + window.size()), remainder);
}

}  // namespace
}  // namespace shredder::test
