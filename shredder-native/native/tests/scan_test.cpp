// SPDX-License-Identifier: Apache-2.0
#include "cpu/scan.h"

#include <gtest/gtest.h>

#include "chunk/chunking_params.h"
#include "cpu/features.h"
#include "tests/guarded_bytes.h"
#include "tests/test_support.h"

namespace shredder::test {
namespace {

constexpr std::uint64_t kUntouched = 0xA5A5'A5A5'A5A5'A5A5;

/// The bitmap of size bytes, and a word behind it that a scan must leave alone.
std::vector<std::uint64_t> scanned(ScanFunction scan, const shredder_params& params, const std::uint8_t* data,
                                   std::size_t size) {
    std::vector<std::uint64_t> bitmap((size + 63) / 64 + 1, kUntouched);
    scan(scanSpec(params), data, size, bitmap.data());
    EXPECT_EQ(bitmap.back(), kUntouched);
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
        if (!GetParam().available) GTEST_SKIP() << "this CPU can't run " << GetParam().name;
    }

    void expectEqualToScalar(const shredder_params& params, const Bytes& data, std::size_t begin,
                             std::size_t size) {
        ASSERT_EQ(scanned(GetParam().scan, params, data.data() + begin, size),
                  scanned(scanScalar, params, data.data() + begin, size))
            << "size " << size << " begin " << begin << " mask bits " << params.mask_bits << " polynomial "
            << params.polynomial;
    }
};

TEST_P(VectorScanTest, equalsTheScalarFormAtEverySizeAndPolynomial) {
    std::mt19937_64 random(randomSeed());
    Bytes data = splitmix64(random(), 1'002'000);
    for (int round = 0; round < 100; round++) {
        shredder_params params = randomParams(random);
        std::size_t size = random() % 3 == 0 ? random() % 1'000'000 : random() % 20'000;
        expectEqualToScalar(params, data, kWindowBytes + random() % 1'000, size);
    }
}

TEST_P(VectorScanTest, equalsTheScalarFormAtEveryNumberOfMaskBits) {
    std::mt19937_64 random(randomSeed());
    Bytes data = splitmix64(random(), 300'000);
    for (std::uint32_t maskBits = 4; maskBits <= 30; maskBits++) {
        shredder_params params = randomParams(random);
        params.mask_bits = maskBits;
        // A fingerprint of the data as marker, so that wide masks have hits as well.
        ScanSpec spec = scanSpec(params);
        params.marker = windowFingerprint(spec.tables, data.data() + 150'000 + random() % 1'000);
        expectEqualToScalar(params, data, kWindowBytes, 299'000);
        EXPECT_NE(scanned(GetParam().scan, params, data.data() + kWindowBytes, 299'000),
                  std::vector<std::uint64_t>(299'000 / 64 + 1));
    }
}

TEST_P(VectorScanTest, equalsTheScalarFormAroundTheSizesWhereItsShapeChanges) {
    Bytes data = splitmix64(5, 300'000);
    shredder_params params = paramsOfAverage(6);
    for (std::size_t shape : {0, 64, 2'048, 4'096, 6'144, 12'288, 67'584, 135'168, 270'336}) {
        for (std::size_t size = shape - std::min<std::size_t>(shape, 66); size <= shape + 66; size++) {
            expectEqualToScalar(params, data, 100, size);
        }
    }
}

TEST_P(VectorScanTest, equalsTheScalarFormWhereEveryByteIsACandidate) {
    // Runs of 0x4d have this fingerprint under the default polynomial: docs/formats/chunking.md section 2.
    shredder_params params = paramsOfAverage(8);
    Bytes data(600'000, 0x4d);
    expectEqualToScalar(params, data, kWindowBytes, 599'000);
    EXPECT_EQ(scanned(GetParam().scan, params, data.data() + kWindowBytes, 599'000)[100], ~0ULL);
}

TEST_P(VectorScanTest, equalsTheScalarFormWhereCandidatesComeInBursts) {
    std::mt19937_64 random(randomSeed());
    shredder_params params = paramsOfAverage(8);
    Bytes data = splitmix64(random(), 600'000);
    for (std::size_t at = 0; at < data.size(); at += 1 + random() % 3'000) {
        std::size_t run = std::min<std::size_t>(48 + random() % 100, data.size() - at);
        std::fill_n(data.begin() + static_cast<std::ptrdiff_t>(at), run, std::uint8_t{0x4d});
    }
    expectEqualToScalar(params, data, kWindowBytes, 599'000);
}

TEST_P(VectorScanTest, readsNothingButTheBytesAndTheWindowBeforeThem) {
    std::mt19937_64 random(randomSeed());
    shredder_params params = paramsOfAverage(6);
    for (std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{4'000}, random() % 400'000}) {
        Bytes data = splitmix64(random(), kWindowBytes + size);
        std::vector<std::uint64_t> expected = scanned(scanScalar, params, data.data() + kWindowBytes, size);
        for (auto guard : {GuardedBytes::Guard::kBefore, GuardedBytes::Guard::kBehind}) {
            GuardedBytes guarded(data, guard);
            EXPECT_EQ(scanned(GetParam().scan, params, guarded.data() + kWindowBytes, size), expected);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Forms, VectorScanTest,
    testing::Values(Form{"Avx2", scanAvx2, cpuFeatures().avx2},
                    Form{"Avx2Gfni", scanAvx2Gfni, cpuFeatures().avx2&& cpuFeatures().gfni},
                    Form{"Avx512", scanAvx512, cpuFeatures().avx512},
                    Form{"Avx512Gfni", scanAvx512Gfni, cpuFeatures().avx512&& cpuFeatures().gfni}),
    [](const auto& form) { return form.param.name; });

TEST(ScanTest, aFingerprintDependsOnItsWindowAlone) {
    shredder_params params = paramsOfAverage(6);
    Bytes data = splitmix64(3, 10'000);
    std::vector<std::uint64_t> whole = scanned(scanScalar, params, data.data() + 64, 9'024);
    std::vector<std::uint64_t> late = scanned(scanScalar, params, data.data() + 64 + 4'096, 9'024 - 4'096);
    EXPECT_TRUE(std::equal(late.begin(), late.end(), whole.begin() + 64));
}

}  // namespace
}  // namespace shredder::test
