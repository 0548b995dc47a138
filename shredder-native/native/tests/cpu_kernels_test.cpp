// SPDX-License-Identifier: Apache-2.0
//
// Whatever subset of its instructions a CPU has, what is chosen for it runs on it and gives the same.
#include "cpu/cpu_kernels.h"

#include <gtest/gtest.h>

#include "chunk/chunking_params.h"
#include "cpu/blake3.h"
#include "cpu/sha256.h"
#include "tests/test_support.h"

namespace shredder::test {
namespace {

/// Every subset of the features that a choice looks at.
std::vector<CpuFeatures> subsets() {
    std::vector<CpuFeatures> all;
    for (unsigned bits = 0; bits < 16; bits++) {
        CpuFeatures features{};
        features.avx2 = (bits & 1) != 0;
        features.gfni = (bits & 2) != 0;
        features.avx512 = (bits & 4) != 0;
        features.sha = (bits & 8) != 0;
        all.push_back(features);
    }
    return all;
}

bool runsHere(const CpuFeatures& features) {
    const CpuFeatures& here = cpuFeatures();
    return (here.avx2 || !features.avx2) && (here.gfni || !features.gfni) &&
           (here.avx512 || !features.avx512) && (here.sha || !features.sha);
}

std::string text(const CpuFeatures& features) {
    return std::string(features.avx2 ? "avx2 " : "") + (features.gfni ? "gfni " : "") +
           (features.avx512 ? "avx512 " : "") + (features.sha ? "sha" : "");
}

constexpr shredder_backend kCpuBackends[] = {SHREDDER_BACKEND_SCALAR, SHREDDER_BACKEND_AVX2,
                                             SHREDDER_BACKEND_AVX512};

class CpuKernelsTest : public testing::Test {
  protected:
    void expectCorrect(const CpuKernels& kernels) {
        std::vector<std::uint64_t> bitmap = bitmapOf(kScanScalar);
        EXPECT_EQ(bitmapOf(kernels.scan), bitmap);
        std::vector<std::uint32_t> list(kSize);
        Listed listed = kernels.scan.list(spec_, data_.data() + kWindowBytes, kSize, {list.data(), kSize, 0});
        list.resize(listed.candidates);
        EXPECT_EQ(list, listOfBits(bitmap, kSize));
        EXPECT_EQ(digestsOf(kernels.sha256), digestsOf(sha256ManyPortable));
        EXPECT_EQ(digestsOf(kernels.blake3), digestsOf(blake3ManyPortable));
        for (DigestAlgorithm algorithm : {DigestAlgorithm::Sha256, DigestAlgorithm::Blake3}) {
            EXPECT_EQ(runningDigest(kernels.running, algorithm),
                      runningDigest({sha256CompressPortable, blake3NodesPortable}, algorithm));
        }
    }

  private:
    static constexpr std::size_t kSize = 192'000;

    std::vector<std::uint64_t> bitmapOf(const CpuScan& form) {
        std::vector<std::uint64_t> bitmap(kSize / 64);
        form.mark(spec_, data_.data() + kWindowBytes, kSize, bitmap.data());
        return bitmap;
    }

    /// Of more than one of BLAKE3's spans, in pieces of odd lengths.
    Bytes runningDigest(const RunningKernels& kernels, DigestAlgorithm algorithm) {
        Bytes message = splitmix64(9, 700'001);
        RunningDigest running;
        running.begin(algorithm);
        for (std::size_t size = 0; size < message.size(); size += 90'001) {
            running.goOn(kernels, message.data(), size);
        }
        Bytes digest(kDigestBytes);
        running.finish(kernels, message.data(), message.size(), digest.data());
        return digest;
    }

    Bytes digestsOf(DigestMany digest) {
        constexpr std::size_t kCount = 40;
        Bytes digests(kCount * kDigestBytes);
        std::vector<DigestMessage> messages;
        for (std::size_t i = 0; i < kCount; i++) {
            messages.push_back({data_.data() + 100 * i, 97 * i, &digests[kDigestBytes * i]});
        }
        digest(messages.data(), kCount);
        return digests;
    }

    Bytes data_ = splitmix64(4, kSize + kWindowBytes);
    ScanSpec spec_ = scanSpec(paramsOfAverage(8));
};

TEST_F(CpuKernelsTest, everySubsetOfThisCpusFeaturesGivesTheReferencesResults) {
    for (const CpuFeatures& features : subsets()) {
        if (!runsHere(features)) continue;
        for (shredder_backend backend : kCpuBackends) {
            std::optional<CpuKernels> kernels = cpuKernels(backend, features);
            if (!kernels) continue;
            SCOPED_TRACE(nameOf(backend) + " on " + text(features) + ": " + kernels->instructions);
            expectCorrect(*kernels);
        }
    }
}

TEST_F(CpuKernelsTest, aBackendIsThereExactlyWhereItsVectorsAre) {
    for (const CpuFeatures& features : subsets()) {
        EXPECT_TRUE(cpuKernels(SHREDDER_BACKEND_SCALAR, features));
        EXPECT_EQ(cpuKernels(SHREDDER_BACKEND_AVX2, features).has_value(), features.avx2) << text(features);
        EXPECT_EQ(cpuKernels(SHREDDER_BACKEND_AVX512, features).has_value(), features.avx512)
            << text(features);
        EXPECT_FALSE(cpuKernels(SHREDDER_BACKEND_CUDA, features));
    }
}

TEST_F(CpuKernelsTest, everyFeatureIsUsedWhereItIsThereAndOnlyThere) {
    for (const CpuFeatures& features : subsets()) {
        for (shredder_backend backend : kCpuBackends) {
            std::optional<CpuKernels> kernels = cpuKernels(backend, features);
            if (!kernels) continue;
            SCOPED_TRACE(nameOf(backend) + " on " + text(features));
            bool vectors = backend != SHREDDER_BACKEND_SCALAR;
            bool usesGfni = kernels->scan == kScanAvx2Gfni || kernels->scan == kScanAvx512Gfni;
            EXPECT_EQ(usesGfni, features.gfni && vectors);
            bool usesSha =
                kernels->sha256 == sha256ManyShaInstructions || kernels->sha256 == sha256ManyAvx512AndSha;
            EXPECT_EQ(usesSha, features.sha);
        }
    }
}

}  // namespace
}  // namespace shredder::test
