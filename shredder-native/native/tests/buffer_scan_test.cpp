// SPDX-License-Identifier: Apache-2.0
#include "cpu/buffer_scan.h"

#include <gtest/gtest.h>

#include "chunk/chunking_params.h"
#include "cpu/cpu_kernels.h"
#include "tests/test_support.h"

namespace shredder::test {
namespace {

constexpr std::size_t kMostBytes = 6 * kScanBlockBytes + 1'000;

class BufferScanTest : public testing::TestWithParam<shredder_backend> {
  protected:
    void SetUp() override {
        auto kernels = cpuKernels(GetParam(), cpuFeatures());
        if (!kernels) GTEST_SKIP() << "this CPU can't run " << nameOf(GetParam());
        form_ = kernels->scan;
    }

    /// What the scan of all pieces finds, as a list, and in which form it came.
    std::vector<std::uint32_t> found(BufferScan& scan, const std::uint8_t* data, std::size_t size) {
        ScanSpec spec = scanSpec(params_);
        for (std::size_t piece = scan.begin(data, size); piece-- > 0;) {
            scan.scan(form_, spec, piece);
        }
        Candidates candidates = scan.candidates();
        listed_ = candidates.bitmap == nullptr;
        if (listed_) return {candidates.list, candidates.list + candidates.count};
        return listOfBits({candidates.bitmap, candidates.bitmap + (size + 63) / 64}, size);
    }

    std::vector<std::uint32_t> expected(const std::uint8_t* data, std::size_t size) const {
        std::vector<std::uint64_t> bitmap((size + 63) / 64);
        kScanScalar.mark(scanSpec(params_), data, size, bitmap.data());
        return listOfBits(bitmap, size);
    }

    CpuScan form_{};
    shredder_params params_ = paramsOfAverage(8);
    bool listed_ = false;
};

TEST_P(BufferScanTest, findsTheSameInAnyNumberOfPiecesAndBufferAfterBuffer) {
    std::mt19937_64 random(randomSeed());
    Bytes data = splitmix64(random(), kWindowBytes + kMostBytes);
    for (std::size_t pieces : {1, 2, 3, 16}) {
        BufferScan scan(kMostBytes, pieces);
        for (int round = 0; round < 4; round++) {
            std::size_t size = round == 0 ? kMostBytes : random() % (kMostBytes + 1);
            ASSERT_EQ(found(scan, data.data() + kWindowBytes, size),
                      expected(data.data() + kWindowBytes, size))
                << pieces << " pieces, size " << size;
            // A short piece may by chance hold more candidates than are worth listing.
            EXPECT_TRUE(listed_ || pieces > 1 || size < kMostBytes);
        }
    }
}

TEST_P(BufferScanTest, oneFloodAnywhereTurnsTheBufferIntoABitmapAndChangesNothing) {
    std::mt19937_64 random(randomSeed());
    // Runs of 0x4d have this fingerprint under the default polynomial: docs/formats/chunking.md section 2.
    for (std::size_t pieces : {1, 3}) {
        BufferScan scan(kMostBytes, pieces);
        for (int round = 0; round < 8; round++) {
            Bytes data = splitmix64(random(), kWindowBytes + kMostBytes);
            std::size_t flood = random() % (kMostBytes - 20'000);
            std::fill_n(data.begin() + static_cast<std::ptrdiff_t>(flood), 20'000, std::uint8_t{0x4d});
            std::vector<std::uint32_t> result = found(scan, data.data() + kWindowBytes, kMostBytes);
            ASSERT_EQ(result, expected(data.data() + kWindowBytes, kMostBytes)) << "flood at " << flood;
            EXPECT_FALSE(listed_);
        }
    }
}

TEST_P(BufferScanTest, anEmptyBufferHasNoCandidates) {
    BufferScan scan(kMostBytes, 2);
    Bytes data(kWindowBytes);
    EXPECT_EQ(found(scan, data.data() + kWindowBytes, 0), std::vector<std::uint32_t>{});
}

INSTANTIATE_TEST_SUITE_P(Backends, BufferScanTest,
                         testing::Values(SHREDDER_BACKEND_SCALAR, SHREDDER_BACKEND_AVX2,
                                         SHREDDER_BACKEND_AVX512),
                         [](const auto& backend) { return nameOf(backend.param); });

}  // namespace
}  // namespace shredder::test
