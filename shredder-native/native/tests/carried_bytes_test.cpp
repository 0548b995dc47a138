// SPDX-License-Identifier: Apache-2.0
#include "pipeline/carried_bytes.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <future>

#include "cpu/blake3.h"
#include "cpu/cpu_kernels.h"
#include "tests/test_support.h"

namespace shredder::test {
namespace {

constexpr std::size_t kBytes = 3 << 20;
constexpr std::size_t kPieceBytes = 40'000;

std::string digestOf(const Bytes& data, DigestAlgorithm algorithm) {
    Bytes digest(kDigestBytes);
    DigestMessage message{data.data(), data.size(), digest.data()};
    (algorithm == DigestAlgorithm::Sha256 ? sha256ManyPortable : blake3ManyPortable)(&message, 1);
    return hexOf(digest.data(), digest.size());
}

class CarriedBytesTest : public testing::TestWithParam<DigestAlgorithm> {
  protected:
    MemoryMeter meter_;
    RunningKernels kernels_ = bestCpuKernels().running;
};

INSTANTIATE_TEST_SUITE_P(Of, CarriedBytesTest,
                         testing::Values(DigestAlgorithm::Sha256, DigestAlgorithm::Blake3),
                         [](const auto& info) {
                             return info.param == DigestAlgorithm::Sha256 ? "sha256" : "blake3";
                         });

TEST_P(CarriedBytesTest, threadsDigestWhileBytesComeAndMoveInWhateverOrder) {
    Bytes data = splitmix64(1, kBytes);
    std::string expected = digestOf(data, GetParam());
    CarriedBytes carried(kBytes, meter_);
    CarriedBytes idle(kBytes, meter_);
    carried.begin(GetParam());
    std::atomic<std::size_t> there{0};
    auto digestAll = [&] {
        for (std::size_t seen = 0; seen < kBytes;) {
            seen = there;
            carried.digest(kernels_, seen);
        }
    };
    auto one = std::async(std::launch::async, digestAll);
    auto two = std::async(std::launch::async, digestAll);
    for (std::size_t at = 0; at < kBytes; at += kPieceBytes) {
        if (at / kPieceBytes % 10 == 5) carried.moveInto(idle);
        carried.append(data.data() + at, std::min(kPieceBytes, kBytes - at));
        there = carried.size();
    }
    one.get();
    two.get();
    Bytes digest(kDigestBytes);
    carried.finishDigest(kernels_, kBytes, digest.data());
    EXPECT_EQ(hexOf(digest.data(), digest.size()), expected);
    EXPECT_EQ(std::memcmp(carried.data(), data.data(), kBytes), 0);
}

TEST_P(CarriedBytesTest, isAsGoodForTheNextChunk) {
    CarriedBytes carried(kBytes, meter_);
    Bytes digest(kDigestBytes);
    for (std::size_t bytes : {std::size_t{1}, std::size_t{64}, std::size_t{262'144}, std::size_t{262'145},
                              std::size_t{1'000'000}, std::size_t{55}}) {
        Bytes data = splitmix64(bytes, bytes);
        carried.begin(GetParam());
        carried.append(data.data(), bytes / 2);
        carried.digest(kernels_, bytes / 2);
        carried.append(data.data() + bytes / 2, bytes - bytes / 2);
        carried.finishDigest(kernels_, bytes, digest.data());
        EXPECT_EQ(hexOf(digest.data(), digest.size()), digestOf(data, GetParam())) << bytes;
    }
}

TEST_P(CarriedBytesTest, takesTheMemoryOfItsLongestChunk) {
    Bytes data = splitmix64(2, 100'000);
    {
        CarriedBytes carried(1 << 30, meter_);
        for (std::size_t bytes : {std::size_t{100'000}, std::size_t{10}}) {
            carried.begin(GetParam());
            carried.append(data.data(), bytes);
        }
        EXPECT_EQ(meter_.peak().hostBytes, 102'400U);
    }
    CarriedBytes another(1 << 30, meter_);
    another.begin(GetParam());
    another.append(data.data(), 100'000);
    EXPECT_EQ(meter_.peak().hostBytes, 102'400U);
}

}  // namespace
}  // namespace shredder::test
