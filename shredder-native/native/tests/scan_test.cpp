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

TEST(ScanTest, theVectorFormEqualsTheScalarAtEverySizeAndPolynomial) {
    if (!cpuFeatures().avx2) GTEST_SKIP() << "this CPU has no AVX2";
    std::mt19937_64 random(randomSeed());
    Bytes data = splitmix64(random(), 200'000);
    for (int round = 0; round < 60; round++) {
        shredder_params params = randomParams(random);
        std::size_t size = random() % 3 == 0 ? random() % 150'000 : random() % 5'000;
        std::size_t begin = kWindowBytes + random() % 1'000;
        ASSERT_EQ(scanned(scanAvx2, params, data, begin, size),
                  scanned(scanScalar, params, data, begin, size))
            << "size " << size << " begin " << begin << " polynomial " << params.polynomial;
    }
}

TEST(ScanTest, aFingerprintDependsOnItsWindowAlone) {
    shredder_params params = paramsOfAverage(6);
    Bytes data = splitmix64(3, 10'000);
    std::vector<std::uint64_t> whole = scanned(scanScalar, params, data, 64, 9'000);
    std::vector<std::uint64_t> late = scanned(scanScalar, params, data, 64 + 4'096, 9'000 - 4'096);
    EXPECT_TRUE(std::equal(late.begin(), late.end(), whole.begin() + 64));
}

}  // namespace
}  // namespace shredder::test
