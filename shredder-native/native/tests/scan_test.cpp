// SPDX-License-Identifier: Apache-2.0
#include "cpu/scan.h"

#include <gtest/gtest.h>

#include "chunk/chunking_params.h"
#include "cpu/features.h"
#include "tests/test_support.h"

namespace shredder::test {
namespace {

std::vector<std::uint64_t> scanned(ScanFunction scan, const shredder_params& params, const Bytes& data,
                                   std::size_t begin, std::size_t size) {
    std::vector<std::uint64_t> bitmap((size + 63) / 64, ~0ULL);
    scan(scanSpec(params), data.data() + begin, size, bitmap.data());
    return bitmap;
}

struct Form {
    const char* name;
    ScanFunction scan;
    bool available;
};

class VectorScanTest : public testing::TestWithParam<Form> {
  protected:
    void SetUp() override {
        if (!GetParam().available) GTEST_SKIP() << "this CPU has no " << GetParam().name;
    }
};

TEST_P(VectorScanTest, equalsTheScalarFormAtEverySizeAndPolynomial) {
    std::mt19937_64 random(randomSeed());
    Bytes data = splitmix64(random(), 1'002'000);
    for (int round = 0; round < 60; round++) {
        shredder_params params = randomParams(random);
        std::size_t size = random() % 3 == 0 ? random() % 1'000'000 : random() % 5'000;
        std::size_t begin = kWindowBytes + random() % 1'000;
        ASSERT_EQ(scanned(GetParam().scan, params, data, begin, size),
                  scanned(scanScalar, params, data, begin, size))
            << "size " << size << " begin " << begin << " polynomial " << params.polynomial;
    }
}

TEST_P(VectorScanTest, equalsTheScalarFormWhereEveryByteIsACandidate) {
    // Runs of 0x4d have this fingerprint under the default polynomial: docs/formats/chunking.md section 2.
    shredder_params params = paramsOfAverage(8);
    Bytes data(600'000, 0x4d);
    std::vector<std::uint64_t> bitmap = scanned(GetParam().scan, params, data, kWindowBytes, 599'000);
    EXPECT_EQ(bitmap, scanned(scanScalar, params, data, kWindowBytes, 599'000));
    EXPECT_EQ(bitmap[100], ~0ULL);
}

INSTANTIATE_TEST_SUITE_P(Forms, VectorScanTest,
                         testing::Values(Form{"AVX2", scanAvx2, cpuFeatures().avx2},
                                         Form{"AVX-512 with GFNI", scanAvx512, cpuFeatures().avx512Gfni}),
                         [](const auto& form) { return form.index == 0 ? "avx2" : "avx512"; });

TEST(ScanTest, aFingerprintDependsOnItsWindowAlone) {
    shredder_params params = paramsOfAverage(6);
    Bytes data = splitmix64(3, 10'000);
    std::vector<std::uint64_t> whole = scanned(scanScalar, params, data, 64, 9'000);
    std::vector<std::uint64_t> late = scanned(scanScalar, params, data, 64 + 4'096, 9'000 - 4'096);
    EXPECT_TRUE(std::equal(late.begin(), late.end(), whole.begin() + 64));
}

}  // namespace
}  // namespace shredder::test
