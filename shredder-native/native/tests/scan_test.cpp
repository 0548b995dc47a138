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
std::vector<std::uint64_t> marked(const CpuScan& form, const shredder_params& params,
                                  const std::uint8_t* data, std::size_t size) {
    std::vector<std::uint64_t> bitmap((size + 63) / 64 + 1, kUntouched);
    form.mark(scanSpec(params), data, size, bitmap.data());
    EXPECT_EQ(bitmap.back(), kUntouched);
    return bitmap;
}

/// A list, cut to its length, and how far the scan came. It must leave what is behind the room alone.
std::pair<std::vector<std::uint32_t>, std::size_t> listed(const CpuScan& form, const shredder_params& params,
                                                          const std::uint8_t* data, std::size_t size,
                                                          std::size_t room) {
    constexpr auto kBehind = static_cast<std::uint32_t>(kUntouched);
    std::vector<std::uint32_t> list(room + 1, kBehind);
    Listed listed = form.list(scanSpec(params), data, size, {list.data(), room, 0});
    EXPECT_EQ(list.back(), kBehind);
    EXPECT_LE(listed.candidates, room);
    EXPECT_LE(listed.bytes, size);
    list.resize(std::min(listed.candidates, room));
    return {list, listed.bytes};
}

struct ScanForm {
    const char* name;
    const CpuScan& scan;
    bool available;
};

class VectorScanTest : public testing::TestWithParam<ScanForm> {
  protected:
    void SetUp() override {
        if (!GetParam().available) GTEST_SKIP() << "this CPU can't run " << GetParam().name;
    }

    void expectEqualToScalar(const shredder_params& params, const Bytes& data, std::size_t begin,
                             std::size_t size) {
        SCOPED_TRACE(testing::Message() << "size " << size << " begin " << begin << " mask bits "
                                        << params.mask_bits << " polynomial " << params.polynomial);
        std::vector<std::uint64_t> expected = marked(kScanScalar, params, data.data() + begin, size);
        ASSERT_EQ(marked(GetParam().scan, params, data.data() + begin, size), expected);
        auto [list, bytes] = listed(GetParam().scan, params, data.data() + begin, size, size / 40 + 8);
        ASSERT_EQ(list, listOfBits(expected, bytes));
        // With fewer, one lane in two million has more candidates than it keeps, and the scan gives up.
        if (params.mask_bits >= 9 && !mayGiveUp_) {
            ASSERT_EQ(bytes, size);
        }
    }

    /// The data hold more candidates than mask_bits says.
    bool mayGiveUp_ = false;
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
        EXPECT_NE(marked(GetParam().scan, params, data.data() + kWindowBytes, 299'000),
                  std::vector<std::uint64_t>(299'000 / 64 + 1));
    }
}

TEST_P(VectorScanTest, equalsTheScalarFormAroundTheSizesWhereItsShapeChanges) {
    Bytes data = splitmix64(5, 402'000);
    shredder_params params = paramsOfAverage(6);
    for (std::size_t shape : {0, 64, 2'048, 4'096, 6'144, 12'288, 100'352, 200'704, 401'408}) {
        for (std::size_t size = shape - std::min<std::size_t>(shape, 66); size <= shape + 66; size++) {
            expectEqualToScalar(params, data, 100, size);
        }
    }
}

TEST_P(VectorScanTest, equalsTheScalarFormWhereEveryByteIsACandidate) {
    // Runs of 0x4d have this fingerprint under the default polynomial: docs/formats/chunking.md section 2.
    shredder_params params = paramsOfAverage(8);
    mayGiveUp_ = true;
    Bytes data(600'000, 0x4d);
    expectEqualToScalar(params, data, kWindowBytes, 599'000);
    EXPECT_EQ(marked(GetParam().scan, params, data.data() + kWindowBytes, 599'000)[100], ~0ULL);
}

TEST_P(VectorScanTest, equalsTheScalarFormWhereCandidatesComeInBursts) {
    std::mt19937_64 random(randomSeed());
    shredder_params params = paramsOfAverage(8);
    mayGiveUp_ = true;
    Bytes data = splitmix64(random(), 600'000);
    for (std::size_t at = 0; at < data.size(); at += 1 + random() % 3'000) {
        std::size_t run = std::min<std::size_t>(48 + random() % 100, data.size() - at);
        std::fill_n(data.begin() + static_cast<std::ptrdiff_t>(at), run, std::uint8_t{0x4d});
    }
    expectEqualToScalar(params, data, kWindowBytes, 599'000);
}

TEST_P(VectorScanTest, listsAllOrGivesUpWhateverTheRoom) {
    std::mt19937_64 random(randomSeed());
    shredder_params params = paramsOfAverage(8);
    Bytes data = splitmix64(random(), 600'000);
    std::vector<std::uint64_t> bitmap = marked(kScanScalar, params, data.data() + kWindowBytes, 599'000);
    std::size_t all = listOfBits(bitmap, 599'000).size();
    for (int round = 0; round < 50; round++) {
        std::size_t room = random() % (all + 2);
        auto [list, bytes] = listed(GetParam().scan, params, data.data() + kWindowBytes, 599'000, room);
        ASSERT_EQ(list, listOfBits(bitmap, bytes)) << "room " << room;
        EXPECT_EQ(bytes == 599'000, list.size() == all) << "room " << room;
    }
}

TEST_P(VectorScanTest, readsNothingButTheBytesAndTheWindowBeforeThem) {
    std::mt19937_64 random(randomSeed());
    shredder_params params = paramsOfAverage(6);
    for (std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{4'000}, random() % 400'000}) {
        Bytes data = splitmix64(random(), kWindowBytes + size);
        std::vector<std::uint64_t> expected = marked(kScanScalar, params, data.data() + kWindowBytes, size);
        for (auto guard : {GuardedBytes::Guard::kBefore, GuardedBytes::Guard::kBehind}) {
            GuardedBytes guarded(data, guard);
            EXPECT_EQ(marked(GetParam().scan, params, guarded.data() + kWindowBytes, size), expected);
            auto [list, bytes] = listed(GetParam().scan, params, guarded.data() + kWindowBytes, size, size);
            EXPECT_EQ(list, listOfBits(expected, bytes));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Forms, VectorScanTest,
    testing::Values(ScanForm{"Avx2", kScanAvx2, cpuFeatures().avx2},
                    ScanForm{"Avx2Gfni", kScanAvx2Gfni, cpuFeatures().avx2&& cpuFeatures().gfni},
                    ScanForm{"Avx512", kScanAvx512, cpuFeatures().avx512},
                    ScanForm{"Avx512Gfni", kScanAvx512Gfni, cpuFeatures().avx512&& cpuFeatures().gfni}),
    [](const auto& form) { return form.param.name; });

TEST(ScanTest, aFingerprintDependsOnItsWindowAlone) {
    shredder_params params = paramsOfAverage(6);
    Bytes data = splitmix64(3, 10'000);
    std::vector<std::uint64_t> whole = marked(kScanScalar, params, data.data() + 64, 9'024);
    std::vector<std::uint64_t> late = marked(kScanScalar, params, data.data() + 64 + 4'096, 9'024 - 4'096);
    EXPECT_TRUE(std::equal(late.begin(), late.end(), whole.begin() + 64));
}

}  // namespace
}  // namespace shredder::test
