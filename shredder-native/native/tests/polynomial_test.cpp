// SPDX-License-Identifier: Apache-2.0
#include "chunk/polynomial.h"

#include <gtest/gtest.h>

#include <bit>

#include "pipeline/error.h"
#include "tests/test_support.h"

namespace shredder::test {
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

/// Whether no polynomial of a degree up to 24 divides bits. x^(2^k) - x is the product of all irreducible
/// polynomials whose degree divides k.
bool hasNoFactor(std::uint64_t bits) {
    auto degree = [](std::uint64_t a) { return static_cast<int>(std::bit_width(a)) - 1; };
    auto square = [&](std::uint64_t a) {
        std::uint64_t product = 0;
        for (int i = 47; i >= 0; i--) {
            product <<= 1;
            if (degree(product) == 48) product ^= bits;
            if (((a >> i) & 1) != 0) product ^= a;
        }
        return product;
    };
    std::uint64_t power = 2;
    for (int k = 1; k <= 24; k++) {
        power = square(power);
        std::uint64_t a = bits;
        std::uint64_t b = power ^ 2;
        while (b != 0) {
            while (degree(a) >= degree(b)) {
                a ^= b << (degree(a) - degree(b));
            }
            std::swap(a, b);
        }
        if (a != 1) return false;
    }
    return true;
}

TEST(PolynomialTest, theIrreducibleOnesAreThoseWithoutFactors) {
    std::mt19937_64 random(randomSeed());
    int irreducible = 0;
    for (int i = 0; i < 2'000; i++) {
        std::uint64_t bits = (1ULL << 48) | (random() & ((1ULL << 48) - 1)) | 1;
        ASSERT_EQ(Polynomial::isIrreducible(bits), hasNoFactor(bits)) << bits;
        irreducible += hasNoFactor(bits) ? 1 : 0;
    }
    EXPECT_GT(irreducible, 20) << "one in 24 of those that end in 1";
}

}  // namespace
}  // namespace shredder::test
