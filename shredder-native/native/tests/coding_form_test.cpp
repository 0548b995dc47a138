// SPDX-License-Identifier: Apache-2.0
//
// Every form gives what the reference gives: whatever the matrix, the length, the place in memory, the order.
#include "coding/form.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "coding/erasure_coder.h"
#include "coding/field.h"
#include "coding/prepared_matrix.h"
#include "coding/recovery_transform.h"
#include "coding/reference.h"
#include "coding/transform.h"
#include "pipeline/error.h"
#include "tests/coding_support.h"
#include "tests/guarded_bytes.h"

namespace shredder::test {
namespace {

using namespace shredder::coding;

struct Form {
    const char* name;
    const CodingForm* form;
    bool available;
};

std::vector<Form> forms() {
    const CpuFeatures& cpu = cpuFeatures();
    return {{"Scalar", &kCodingScalar, true},
            {"Avx2", &kCodingAvx2, cpu.avx2},
            {"Avx2Gfni", &kCodingAvx2Gfni, cpu.avx2 && cpu.gfni},
            {"Avx512", &kCodingAvx512, cpu.avx512},
            {"Avx512Gfni", &kCodingAvx512Gfni, cpu.avx512 && cpu.gfni}};
}

class CodingFormTest : public testing::TestWithParam<Form> {
  protected:
    void SetUp() override {
        if (!GetParam().available) GTEST_SKIP() << "this CPU can't run " << GetParam().name;
    }

    const CodingForm& form() const { return *GetParam().form; }

    /// Rows of random elements, zeros and ones among them.
    static Matrix randomMatrix(std::mt19937_64& random, std::size_t rows, std::size_t columns) {
        Matrix matrix(rows, columns);
        for (std::size_t i = 0; i < rows * columns; i++) {
            matrix.row(0)[i] = static_cast<std::uint8_t>(random() % 8 == 0 ? random() % 2 : random());
        }
        return matrix;
    }

    static void fill(Buffers& buffers, std::size_t bytes, std::uint64_t seed) {
        Bytes random = splitmix64(seed, bytes * buffers.count());
        for (std::size_t i = 0; i < buffers.count(); i++) {
            std::copy_n(random.begin() + static_cast<std::ptrdiff_t>(i * bytes), bytes, buffers.pointer(i));
        }
    }

    /// As many losses as there is parity or nearly, in any order: of the first shards, of all, of the data.
    static std::vector<std::vector<std::size_t>> largeLosses(const Code& code, std::mt19937_64& random) {
        std::vector<std::size_t> order(code.shards());
        std::iota(order.begin(), order.end(), 0);
        std::size_t most = std::min(code.data, code.parity);
        auto first = [&](std::size_t count) {
            return std::vector<std::size_t>(order.begin(),
                                            order.begin() + static_cast<std::ptrdiff_t>(count));
        };
        std::vector<std::vector<std::size_t>> all{first(most), first(most - 1)};
        std::shuffle(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(code.data), random);
        all.push_back(first(most));
        all.push_back(first(most - most / 8));
        std::shuffle(order.begin(), order.end(), random);
        all.push_back(first(code.parity));
        return all;
    }

    static void expectSame(const Buffers& buffers, const Buffers& expected) {
        for (std::size_t i = 0; i < buffers.count(); i++) {
            ASSERT_EQ(buffers.bytes(i), expected.bytes(i)) << "output " << i;
        }
        ASSERT_TRUE(buffers.isUntouchedAround());
    }
};

TEST_P(CodingFormTest, givesTheVectorsThatAnotherProgramComputed) {
    for (const CodingVector& vector : codingVectors()) {
        Shards shards(vector.code, vector.bytes, {1, 77, 3});
        shards.setData(vector.data);
        ErasureCoder(vector.code, form(), 1).encode(shards.data(), shards.parity(), vector.bytes);
        EXPECT_EQ(hexOf(shards.parityBytes()), vector.parityHex) << text(vector.code);
    }
}

TEST_P(CodingFormTest, multipliesEveryByteByEveryFactor) {
    Bytes all(kFieldSize);
    std::iota(all.begin(), all.end(), std::uint8_t{0});
    for (unsigned factor = 0; factor < kFieldSize; factor++) {
        Matrix one(1, 1);
        one.at(0, 0) = static_cast<std::uint8_t>(factor);
        const std::uint8_t* input = all.data();
        Buffers output(1, all.size());
        PreparedMatrix(one, form()).apply(&input, output.pointers(), 0, all.size());
        ASSERT_TRUE(std::equal(all.begin(), all.end(), output.pointer(0),
                               [&](std::uint8_t in, std::uint8_t out) {
                                   return product(static_cast<std::uint8_t>(factor), in) == out;
                               }))
            << factor;
    }
}

TEST_P(CodingFormTest, everyLengthAtAnyPlaceIsTheReferences) {
    std::mt19937_64 random(randomSeed());
    for (std::size_t bytes = 1; bytes <= 600; bytes++) {
        Matrix matrix = randomMatrix(random, 1 + random() % 4, 1 + random() % 5);
        std::vector<std::size_t> offsets{random() % 128, random() % 128, random() % 128};
        Buffers inputs(matrix.columns(), bytes, offsets);
        Buffers outputs(matrix.rows(), bytes, {random() % 128, random() % 128});
        Buffers expected(matrix.rows(), bytes);
        fill(inputs, bytes, random());
        combineReference(matrix, inputs.pointers(), expected.pointers(), bytes);
        PreparedMatrix(matrix, form()).apply(inputs.pointers(), outputs.pointers(), 0, bytes);
        expectSame(outputs, expected);
    }
}

TEST_P(CodingFormTest, everyShapeInEveryOrderIsTheReferences) {
    std::mt19937_64 random(randomSeed());
    for (std::size_t rows = 1; rows <= 20; rows++) {
        for (std::size_t columns = 1; columns <= 64; columns += columns < 24 ? 1 : 20) {
            std::size_t bytes = 1 + random() % 700;
            Matrix matrix = randomMatrix(random, rows, columns);
            Buffers inputs(columns, bytes, {random() % 64});
            Buffers expected(rows, bytes);
            fill(inputs, bytes, random());
            combineReference(matrix, inputs.pointers(), expected.pointers(), bytes);
            PreparedMatrix prepared(matrix, form());
            for (const Traversal& traversal : {kFlat, Traversal{256, SIZE_MAX}, Traversal{192, 6},
                                               Traversal{SIZE_MAX, 1}, Traversal{100, 5}}) {
                Buffers outputs(rows, bytes, {random() % 64});
                prepared.apply(inputs.pointers(), outputs.pointers(), 0, bytes, traversal);
                expectSame(outputs, expected);
            }
            Buffers outputs(rows, bytes, {random() % 64});
            prepared.apply(inputs.pointers(), outputs.pointers(), 0, bytes);
            expectSame(outputs, expected);
        }
    }
}

TEST_P(CodingFormTest, theOrderForLongBuffersOfManyShardsGivesTheSame) {
    constexpr std::size_t kBytes = 70'001;
    for (const Code& code : {Code{SHREDDER_CODE_RS, 24, 4}, Code{SHREDDER_CODE_RS, 40, 12}}) {
        Shards shards(code, kBytes, {16});
        shards.setData(splitmix64(3, kBytes * code.data));
        PreparedMatrix prepared(parityRows(code), form());
        Traversal inTiles = prepared.traversalFor(1 << 20);
        EXPECT_LT(inTiles.columns, code.data);
        EXPECT_LT(inTiles.tileBytes, kBytes);
        prepared.apply(shards.data(), shards.parity(), 0, kBytes, inTiles);
        Outputs expected(code.parity, kBytes);
        prepared.apply(shards.data(), expected.pointers(), 0, kBytes, kFlat);
        for (std::size_t i = 0; i < code.parity; i++) {
            ASSERT_TRUE(shards.bytes(code.data + i) == expected.bytes(i)) << text(code);
        }
    }
}

TEST_P(CodingFormTest, computesTheRangeThatItIsToldAndNoMore) {
    std::mt19937_64 random(randomSeed());
    Matrix matrix = randomMatrix(random, 3, 6);
    PreparedMatrix prepared(matrix, form());
    Buffers inputs(6, 1'000, {5});
    Buffers expected(3, 1'000);
    fill(inputs, 1'000, random());
    combineReference(matrix, inputs.pointers(), expected.pointers(), 1'000);
    Buffers outputs(3, 1'000, {9});
    for (std::size_t at = 0; at < 1'000;) {
        std::size_t bytes = std::min<std::size_t>(1'000 - at, random() % 150);
        prepared.apply(inputs.pointers(), outputs.pointers(), at, bytes);
        at += bytes;
    }
    expectSame(outputs, expected);
}

TEST_P(CodingFormTest, readsNothingButTheInputs) {
    Matrix matrix = parityRows({SHREDDER_CODE_RS, 3, 2});
    PreparedMatrix prepared(matrix, form());
    for (std::size_t size : {1, 31, 32, 33, 63, 64, 65, 127, 128, 129, 500, 4'095, 4'096, 4'097}) {
        for (auto guard : {GuardedBytes::Guard::kBefore, GuardedBytes::Guard::kBehind}) {
            GuardedBytes a(splitmix64(1, size), guard);
            GuardedBytes b(splitmix64(2, size), guard);
            GuardedBytes c(splitmix64(3, size), guard);
            const std::uint8_t* inputs[] = {a.data(), b.data(), c.data()};
            Buffers outputs(2, size, {0, 7});
            Buffers expected(2, size);
            prepared.apply(inputs, outputs.pointers(), 0, size);
            combineReference(matrix, inputs, expected.pointers(), size);
            expectSame(outputs, expected);
        }
    }
}

TEST_P(CodingFormTest, sumsRowsOfOnes) {
    std::mt19937_64 random(randomSeed());
    for (std::size_t columns : {1, 2, 5, 6, 19, 20, 21, 255}) {
        for (std::size_t bytes : {1, 63, 64, 300, 5'000}) {
            Code code{SHREDDER_CODE_XOR, columns, 1};
            Buffers inputs(columns, bytes, {random() % 64, random() % 64});
            Buffers outputs(1, bytes, {random() % 64});
            Buffers expected(1, bytes);
            fill(inputs, bytes, random());
            combineReference(parityRows(code), inputs.pointers(), expected.pointers(), bytes);
            ErasureCoder(code, form(), 1).encode(inputs.pointers(), outputs.pointers(), bytes);
            expectSame(outputs, expected);
        }
    }
}

TEST_P(CodingFormTest, getsAnyLossesOfAnyCodeBack) {
    std::mt19937_64 random(randomSeed());
    for (int round = 0; round < 150; round++) {
        Code code = randomCode(random);
        std::size_t bytes = 1 + random() % 300;
        Shards shards(code, bytes, {random() % 64, random() % 64});
        shards.setData(splitmix64(random(), bytes * code.data));
        ErasureCoder coder(code, form(), 1);
        coder.encode(shards.data(), shards.parity(), bytes);
        std::vector<std::size_t> order(code.shards());
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), random);
        std::vector<std::size_t> lost = order;
        lost.resize(1 + random() % code.parity);
        std::vector<std::size_t> wanted = lost;
        wanted.resize(1 + random() % lost.size());
        Outputs outputs(wanted.size(), bytes, {random() % 64});
        coder.decode(shards.without(lost).data(), wanted, outputs.pointers(), bytes);
        for (std::size_t i = 0; i < wanted.size(); i++) {
            ASSERT_EQ(outputs.bytes(i), shards.bytes(wanted[i])) << text(code);
        }
        ASSERT_TRUE(outputs.isUntouchedAround() && shards.isUntouchedAround());
    }
}

TEST_P(CodingFormTest, severalThreadsGiveWhatOneGives) {
    Code code{SHREDDER_CODE_RS, 6, 3};
    ErasureCoder coder(code, form(), 3);
    for (std::size_t bytes : {1U, 16'384U, 16'385U, 50'000U, 300'001U}) {
        Shards shards(code, bytes, {16});
        shards.setData(splitmix64(bytes, bytes * code.data));
        Outputs expected(3, bytes);
        PreparedMatrix(parityRows(code), form()).apply(shards.data(), expected.pointers(), 0, bytes, kFlat);
        coder.encode(shards.data(), shards.parity(), bytes);
        for (std::size_t i = 0; i < 3; i++) {
            ASSERT_EQ(shards.bytes(6 + i), expected.bytes(i));
        }
        Outputs outputs(2, bytes);
        coder.decode(shards.without({7, 2}).data(), {7, 2}, outputs.pointers(), bytes);
        EXPECT_EQ(outputs.bytes(0), shards.bytes(7));
        EXPECT_EQ(outputs.bytes(1), shards.bytes(2));
    }
}

TEST_P(CodingFormTest, theTransformIsTheMatrixAtEveryShapeThatHasOne) {
    std::mt19937_64 random(randomSeed());
    std::size_t shapes = 0;
    for (std::size_t data = 1; data < kMostShards; data++) {
        for (std::size_t parity = 1; data + parity <= kMostShards; parity++) {
            Code code{SHREDDER_CODE_RS, data, parity};
            std::optional<CauchyTransform> transform = CauchyTransform::of(code, form());
            if (!transform) continue;
            shapes++;
            std::size_t bytes = 1 + random() % 200;
            Shards shards(code, bytes, {random() % 64, random() % 64});
            shards.setData(splitmix64(random(), bytes * data));
            Outputs expected(parity, bytes);
            PreparedMatrix(parityRows(code), form()).apply(shards.data(), expected.pointers(), 0, bytes);
            transform->apply(shards.data(), shards.parity(), 0, bytes);
            for (std::size_t i = 0; i < parity; i++) {
                ASSERT_EQ(shards.bytes(data + i), expected.bytes(i)) << text(code) << ", parity " << i;
            }
            // Each so often: under a sanitizer this costs more than the coding.
            ASSERT_TRUE(shapes % 16 != 0 || shards.isUntouchedAround());
        }
    }
    if (form().transform != nullptr) {
        EXPECT_GT(shapes, 1'000U);
    }
}

TEST_P(CodingFormTest, theTransformServesLargeAlignedCodesAndNoOthers) {
    bool has = form().transform != nullptr;
    for (const Code& code :
         {Code{SHREDDER_CODE_RS, 64, 128}, Code{SHREDDER_CODE_RS, 192, 64}, Code{SHREDDER_CODE_RS, 128, 128},
          Code{SHREDDER_CODE_RS, 16, 16}, Code{SHREDDER_CODE_RS, 64, 50}}) {
        EXPECT_EQ(CauchyTransform::of(code, form()).has_value(), has) << text(code);
    }
    for (const Code& code :
         {Code{SHREDDER_CODE_RS, 6, 3}, Code{SHREDDER_CODE_RS, 64, 8}, Code{SHREDDER_CODE_RS, 63, 64},
          Code{SHREDDER_CODE_RS_LEGACY, 64, 64}, Code{SHREDDER_CODE_XOR, 64, 1}}) {
        EXPECT_FALSE(CauchyTransform::of(code, form())) << text(code);
    }
}

TEST_P(CodingFormTest, theTransformComputesTheRangeThatItIsToldAndNoMore) {
    Code code{SHREDDER_CODE_RS, 64, 50};
    std::optional<CauchyTransform> transform = CauchyTransform::of(code, form());
    if (!transform) GTEST_SKIP() << "no transform";
    Shards shards(code, 1'000, {7});
    shards.setData(splitmix64(9, 64'000));
    Outputs expected(50, 1'000);
    PreparedMatrix(parityRows(code), form()).apply(shards.data(), expected.pointers(), 0, 1'000);
    std::mt19937_64 random(randomSeed());
    for (std::size_t at = 0; at < 1'000;) {
        std::size_t bytes = std::min<std::size_t>(1'000 - at, random() % 150);
        transform->apply(shards.data(), shards.parity(), at, bytes);
        at += bytes;
    }
    for (std::size_t i = 0; i < 50; i++) {
        ASSERT_EQ(shards.bytes(64 + i), expected.bytes(i));
    }
    EXPECT_TRUE(shards.isUntouchedAround());
}

TEST_P(CodingFormTest, lossesThatAreMendedByTransformsAreThoseOfTheMatrix) {
    std::mt19937_64 random(randomSeed());
    std::size_t transforms = 0;
    for (const Code& code :
         {Code{SHREDDER_CODE_RS, 16, 16}, Code{SHREDDER_CODE_RS, 32, 40}, Code{SHREDDER_CODE_RS, 48, 24},
          Code{SHREDDER_CODE_RS, 64, 64}, Code{SHREDDER_CODE_RS, 64, 128}, Code{SHREDDER_CODE_RS, 128, 64},
          Code{SHREDDER_CODE_RS, 128, 128}, Code{SHREDDER_CODE_RS, 192, 64}}) {
        std::size_t bytes = 1 + random() % 1'500;
        Shards shards(code, bytes, {random() % 64, random() % 64});
        shards.setData(splitmix64(random(), bytes * code.data));
        ErasureCoder(code, form(), 1).encode(shards.data(), shards.parity(), bytes);
        for (const std::vector<std::size_t>& lost : largeLosses(code, random)) {
            std::vector<bool> present(code.shards(), true);
            std::vector<std::size_t> wanted;
            for (std::size_t shard : lost) {
                present[shard] = false;
                if (shard < code.data) wanted.push_back(shard);
            }
            std::vector<std::size_t> sources = sourcesOf(code, present);
            auto transform = RecoveryTransform::of(code, sources, wanted, form());
            if (!transform) continue;
            transforms++;
            std::vector<const std::uint8_t*> inputs;
            inputs.reserve(sources.size());
            for (std::size_t source : sources) {
                inputs.push_back(shards.data()[source]);
            }
            Outputs outputs(wanted.size(), bytes, {random() % 64});
            std::size_t first = random() % bytes;
            ASSERT_TRUE(transform->apply(inputs.data(), outputs.pointers(), first, bytes - first));
            ASSERT_TRUE(transform->apply(inputs.data(), outputs.pointers(), 0, first));
            for (std::size_t i = 0; i < wanted.size(); i++) {
                ASSERT_EQ(outputs.bytes(i), shards.bytes(wanted[i])) << text(code) << ", " << wanted[i];
            }
            ASSERT_TRUE(outputs.isUntouchedAround() && shards.isUntouchedAround());
        }
    }
    EXPECT_TRUE(form().transform == nullptr ? transforms == 0 : transforms > 12) << transforms;
}

INSTANTIATE_TEST_SUITE_P(Forms, CodingFormTest, testing::ValuesIn(forms()),
                         [](const auto& form) { return form.param.name; });

/// Every subset of the features that a choice looks at.
std::vector<CpuFeatures> subsets() {
    std::vector<CpuFeatures> all;
    for (unsigned bits = 0; bits < 8; bits++) {
        CpuFeatures features{};
        features.avx2 = (bits & 1) != 0;
        features.gfni = (bits & 2) != 0;
        features.avx512 = (bits & 4) != 0;
        all.push_back(features);
    }
    return all;
}

constexpr shredder_backend kBackends[] = {SHREDDER_BACKEND_SCALAR, SHREDDER_BACKEND_AVX2,
                                          SHREDDER_BACKEND_AVX512};

TEST(CodingChoiceTest, everySubsetOfFeaturesGetsTheFormThatUsesThemAll) {
    for (const CpuFeatures& features : subsets()) {
        EXPECT_EQ(codingForm(SHREDDER_BACKEND_SCALAR, features), &kCodingScalar);
        const CodingForm* narrow = features.gfni ? &kCodingAvx2Gfni : &kCodingAvx2;
        const CodingForm* wide = features.gfni ? &kCodingAvx512Gfni : &kCodingAvx512;
        EXPECT_EQ(codingForm(SHREDDER_BACKEND_AVX2, features), features.avx2 ? narrow : nullptr);
        EXPECT_EQ(codingForm(SHREDDER_BACKEND_AVX512, features), features.avx512 ? wide : nullptr);
        EXPECT_EQ(codingForm(SHREDDER_BACKEND_CUDA, features), nullptr);
        const CodingForm* best = features.avx512 ? wide : features.avx2 ? narrow : &kCodingScalar;
        EXPECT_EQ(&chooseCodingForm(SHREDDER_BACKEND_AUTO, features), best);
        EXPECT_EQ(&chooseCodingForm(SHREDDER_BACKEND_CPU, features), best);
    }
}

TEST(CodingChoiceTest, everySubsetOfThisCpusFeaturesGivesTheReferencesResults) {
    const CpuFeatures& here = cpuFeatures();
    Code code{SHREDDER_CODE_RS, 10, 4};
    Shards shards(code, 3'000, {16});
    shards.setData(splitmix64(1, 30'000));
    Outputs expected(4, 3'000);
    encodeReference(code, shards.data(), expected.pointers(), 3'000);
    for (const CpuFeatures& features : subsets()) {
        bool runsHere = (here.avx2 || !features.avx2) && (here.gfni || !features.gfni) &&
                        (here.avx512 || !features.avx512);
        for (shredder_backend backend : kBackends) {
            const CodingForm* form = codingForm(backend, features);
            if (!runsHere || form == nullptr) continue;
            ErasureCoder(code, *form, 1).encode(shards.data(), shards.parity(), 3'000);
            for (std::size_t i = 0; i < 4; i++) {
                EXPECT_EQ(shards.bytes(10 + i), expected.bytes(i)) << form->name;
            }
        }
    }
}

TEST(CodingChoiceTest, theEnvironmentForcesABackendAndUnknownNamesAreRefused) {
    CpuFeatures all{};
    all.avx2 = all.gfni = all.avx512 = true;
    CpuFeatures none{};
    {
        EnvironmentVariable forced("SHREDDER_CODER_BACKEND", "avx2");
        EXPECT_EQ(&chooseCodingForm(SHREDDER_BACKEND_AUTO, all), &kCodingAvx2Gfni);
        EXPECT_EQ(&chooseCodingForm(SHREDDER_BACKEND_SCALAR, all), &kCodingScalar);
        EXPECT_THROW(chooseCodingForm(SHREDDER_BACKEND_AUTO, none), Error);
    }
    for (const char* name : {"auto", "cpu", ""}) {
        EnvironmentVariable open("SHREDDER_CODER_BACKEND", name);
        EXPECT_EQ(&chooseCodingForm(SHREDDER_BACKEND_AUTO, all), &kCodingAvx512Gfni);
    }
    for (const char* name : {"sse", "cuda", "AVX2"}) {
        EnvironmentVariable wrong("SHREDDER_CODER_BACKEND", name);
        EXPECT_THROW(chooseCodingForm(SHREDDER_BACKEND_AUTO, all), Error) << name;
    }
    EXPECT_THROW(chooseCodingForm(SHREDDER_BACKEND_CUDA, all), Error);
    EXPECT_THROW(chooseCodingForm(99, all), Error);
}

}  // namespace
}  // namespace shredder::test
