// SPDX-License-Identifier: Apache-2.0
#include "chunk/polynomial.h"

#include <gtest/gtest.h>

#include "pipeline/error.h"

namespace shredder {
namespace {

TEST(PolynomialTest, theDefaultIsIrreducible) {
    EXPECT_TRUE(Polynomial::isIrreducible(Polynomial::kDefaultBits));
    EXPECT_TRUE(Polynomial(0x1'0000'0000'002DULL).isDefault());
}

TEST(PolynomialTest, productsAreFoundOut) {
    EXPECT_FALSE(Polynomial::isIrreducible(0x1'0000'0000'0000ULL)) << "x^48";
    EXPECT_FALSE(Polynomial::isIrreducible(0x1'0000'0000'0001ULL)) << "(x + 1)^16 (x^2 + x + 1)^16";
    EXPECT_FALSE(Polynomial::isIrreducible(0x1'0000'0000'002EULL)) << "a multiple of x";
    // (x^24 + x^4 + x^3 + x + 1)^2: squaring spreads the bits. Passes x^(2^48) = x only if the gcds are
    // looked at.
    EXPECT_FALSE(Polynomial::isIrreducible(0x1'0000'0000'0145ULL));
}

TEST(PolynomialTest, aProductOfTwoDistinctFactorsWhoseDegreesDivide48IsFoundOutByTheGcds) {
    // x^(2^48) - x is divisible by every irreducible polynomial whose degree divides 48, so a product of
    // distinct ones of degree 24 passes the first half of Rabin's test.
    auto multiply = [](std::uint64_t a, std::uint64_t b) {
        std::uint64_t product = 0;
        for (int i = 0; i < 25; i++) {
            if (((b >> i) & 1) != 0) product ^= a << i;
        }
        return product;
    };
    std::uint64_t a = 0x100'001BULL;  // x^24 + x^4 + x^3 + x + 1
    std::uint64_t b = 0x100'0087ULL;  // x^24 + x^7 + x^2 + x + 1
    EXPECT_FALSE(Polynomial::isIrreducible(multiply(a, b)));
}

TEST(PolynomialTest, otherDegreesAreRefused) {
    EXPECT_FALSE(Polynomial::isIrreducible(0x11B)) << "AES's, of degree 8";
    EXPECT_FALSE(Polynomial::isIrreducible((1ULL << 49) | 0x2D));
    EXPECT_FALSE(Polynomial::isIrreducible(0));
}

TEST(PolynomialTest, aReducibleOneIsRefusedByName) {
    try {
        Polynomial polynomial(0x1'0000'0000'0001ULL);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.status(), SHREDDER_INVALID_ARGUMENT);
        EXPECT_NE(std::string(error.what()).find("0x1000000000001"), std::string::npos);
    }
}

TEST(PolynomialTest, shiftByTheWindowIsTheFrobeniusOfTheSpec) {
    EXPECT_EQ(Polynomial(Polynomial::kDefaultBits).shift(1, 384),
              (1ULL << 40) | (1ULL << 24) | (1ULL << 16) | 1);
}

}  // namespace
}  // namespace shredder
