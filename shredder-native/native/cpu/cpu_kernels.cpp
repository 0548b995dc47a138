// SPDX-License-Identifier: Apache-2.0
#include "cpu/cpu_kernels.h"

#include "cpu/blake3.h"
#include "cpu/sha256.h"

namespace shredder {
namespace {

constexpr const char* kWithSha = ", SHA-256 with SHA instructions";

/// One message has no others to fill lanes with.
Sha256Compress compressOne(const CpuFeatures& features) {
    return features.sha ? sha256CompressShaInstructions : sha256CompressPortable;
}

CpuKernels scalarKernels(const CpuFeatures& features) {
    return {kScanScalar,
            features.sha ? sha256ManyShaInstructions : sha256ManyPortable,
            blake3ManyPortable,
            {compressOne(features), blake3NodesPortable},
            std::string("any CPU") + (features.sha ? kWithSha : ", SHA-256 portable")};
}

/// One message with SHA instructions is as fast as eight without, four are more than twice as fast.
CpuKernels avx2Kernels(const CpuFeatures& features) {
    return {features.gfni ? kScanAvx2Gfni : kScanAvx2,
            features.sha ? sha256ManyShaInstructions : sha256ManyAvx2,
            blake3ManyAvx2,
            {compressOne(features), blake3NodesAvx2},
            std::string(features.gfni ? "AVX2 and GFNI" : "AVX2") +
                (features.sha ? kWithSha : ", SHA-256 of 8 chunks at once")};
}

CpuKernels avx512Kernels(const CpuFeatures& features) {
    return {features.gfni ? kScanAvx512Gfni : kScanAvx512,
            features.sha ? sha256ManyAvx512AndSha : sha256ManyAvx512,
            blake3ManyAvx512,
            {compressOne(features), blake3NodesAvx512},
            std::string(features.gfni ? "AVX-512 and GFNI" : "AVX-512") + ", SHA-256 of 16 chunks at once"};
}

}  // namespace

std::optional<CpuKernels> cpuKernels(shredder_backend backend, const CpuFeatures& features) {
    if (backend == SHREDDER_BACKEND_SCALAR) return scalarKernels(features);
    if (backend == SHREDDER_BACKEND_AVX2 && features.avx2) return avx2Kernels(features);
    if (backend == SHREDDER_BACKEND_AVX512 && features.avx512) return avx512Kernels(features);
    return std::nullopt;
}

const CpuKernels& bestCpuKernels() {
    static const CpuKernels kBest = [] {
        for (shredder_backend backend : {SHREDDER_BACKEND_AVX512, SHREDDER_BACKEND_AVX2}) {
            if (auto kernels = cpuKernels(backend, cpuFeatures())) return *kernels;
        }
        return scalarKernels(cpuFeatures());
    }();
    return kBest;
}

}  // namespace shredder
