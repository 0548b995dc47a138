// SPDX-License-Identifier: Apache-2.0
//
// The field, the matrices, and the reference that all forms are compared with.
#include "coding/reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "coding/field.h"
#include "pipeline/error.h"
#include "tests/coding_support.h"

namespace shredder::test {
namespace {

using namespace shredder::coding;

TEST(CodingFieldTest, everyElementButZeroHasOneInverseAndTwoGeneratesAll) {
    std::vector<bool> seen(kFieldSize);
    std::uint8_t power = 1;
    for (unsigned i = 0; i < kFieldSize - 1; i++) {
        EXPECT_FALSE(seen[power]);
        seen[power] = true;
        EXPECT_EQ(product(power, inverse(power)), 1);
        EXPECT_EQ(inverses()[power], inverse(power));
        power = product(power, 2);
    }
    EXPECT_EQ(power, 1);
    EXPECT_FALSE(seen[0]);
}

TEST(CodingFieldTest, theTableOfProductsHasTheDefinitionsOnes) {
    for (unsigned a = 0; a < kFieldSize; a++) {
        for (unsigned b = 0; b < kFieldSize; b++) {
            auto expected = product(static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b));
            ASSERT_EQ(products()[a][b], expected);
            ASSERT_EQ(expected, product(static_cast<std::uint8_t>(b), static_cast<std::uint8_t>(a)));
        }
    }
}

TEST(CodingMatrixTest, aMatrixTimesItsInverseIsTheIdentity) {
    for (std::size_t size : {1, 2, 7, 64, 128}) {
        Matrix square = parityRows({SHREDDER_CODE_RS, size, size});
        EXPECT_EQ(square.times(square.inverted()), Matrix::identity(size));
        EXPECT_EQ(square.inverted().times(square), Matrix::identity(size));
    }
}

TEST(CodingMatrixTest, aMatrixWithoutAnInverseIsABug) {
    Matrix twice(2, 2);
    std::fill_n(twice.row(0), 4, std::uint8_t{7});
    EXPECT_THROW(twice.inverted(), Error);
}

TEST(CodingReferenceTest, givesTheVectorsThatAnotherProgramComputed) {
    std::vector<CodingVector> vectors = codingVectors();
    ASSERT_GE(vectors.size(), 20U);
    for (const CodingVector& vector : vectors) {
        Shards shards(vector.code, vector.bytes);
        shards.setData(vector.data);
        encodeReference(vector.code, shards.data(), shards.parity(), vector.bytes);
        EXPECT_EQ(hexOf(shards.parityBytes()), vector.parityHex) << text(vector.code);
    }
}

TEST(CodingReferenceTest, getsEveryLossOfSmallCodesBack) {
    for (const Code& code : {Code{SHREDDER_CODE_RS, 6, 3}, Code{SHREDDER_CODE_RS, 3, 5},
                             Code{SHREDDER_CODE_RS_LEGACY, 6, 3}, Code{SHREDDER_CODE_XOR, 5, 1}}) {
        Shards shards(code, 11);
        shards.setData(splitmix64(code.data, 11 * code.data));
        encodeReference(code, shards.data(), shards.parity(), 11);
        for (unsigned lost = 1; lost < (1U << code.shards()); lost++) {
            std::vector<std::size_t> wanted = bitsOf(lost);
            if (wanted.size() > code.parity) continue;
            Outputs outputs(wanted.size(), 11);
            decodeReference(code, shards.without(wanted).data(), wanted, outputs.pointers(), 11);
            for (std::size_t i = 0; i < wanted.size(); i++) {
                ASSERT_EQ(outputs.bytes(i), shards.bytes(wanted[i])) << text(code) << " without " << lost;
            }
        }
    }
}

/// The quick way to a recovery's matrix inverts a small one, the reference the whole one.
TEST(CodingReferenceTest, theQuickRecoveryHasTheReferencesMatrix) {
    std::mt19937_64 random(randomSeed());
    for (int round = 0; round < 300; round++) {
        Code code = randomCode(random);
        std::vector<std::size_t> order(code.shards());
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), random);
        std::size_t lost = 1 + random() % code.parity;
        std::vector<bool> present(code.shards(), true);
        for (std::size_t i = 0; i < lost; i++) {
            present[order[i]] = false;
        }
        std::vector<std::size_t> wanted = order;
        wanted.resize(1 + random() % lost);
        Recovery found = recovery(code, parityRows(code), sourcesOf(code, present), wanted);
        Matrix generator = generatorMatrix(code);
        // rows * generator[sources] == generator[wanted]
        Matrix sources(code.data, code.data);
        for (std::size_t i = 0; i < code.data; i++) {
            std::copy_n(generator.row(found.sources[i]), code.data, sources.row(i));
        }
        Matrix product = found.rows.times(sources);
        for (std::size_t i = 0; i < wanted.size(); i++) {
            ASSERT_TRUE(std::equal(product.row(i), product.row(i) + code.data, generator.row(wanted[i])))
                << text(code);
        }
    }
}

TEST(CodingReferenceTest, codesThatAreNoneAreRefused) {
    for (const Code& code :
         {Code{0, 6, 3}, Code{4, 6, 3}, Code{SHREDDER_CODE_RS, 0, 3}, Code{SHREDDER_CODE_RS, 3, 0},
          Code{SHREDDER_CODE_RS, 254, 3}, Code{SHREDDER_CODE_RS, SIZE_MAX, 2},
          Code{SHREDDER_CODE_RS_LEGACY, 253, 3}, Code{SHREDDER_CODE_XOR, 3, 2}}) {
        EXPECT_THROW(validate(code), Error) << text(code);
    }
    EXPECT_NO_THROW(coding::validate({SHREDDER_CODE_RS, 253, 3}));
    EXPECT_NO_THROW(coding::validate({SHREDDER_CODE_RS_LEGACY, 252, 3}));
}

}  // namespace
}  // namespace shredder::test
