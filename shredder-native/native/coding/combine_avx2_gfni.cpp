// SPDX-License-Identifier: Apache-2.0
#include "coding/avx2_lanes.h"
#include "coding/combine_lanes.h"
#include "coding/transform_lanes.h"

namespace shredder::coding {
namespace {

/// A product is one instruction, with the factor as a matrix of bits.
struct BitMatrices {
    static constexpr std::size_t kFactorBytes = 8;
    static constexpr bool kPairs = true;
    static constexpr std::size_t kKeptFactors = 0;
    using Split = __m256i;
    using Factor = __m256i;

    static Split split(__m256i bytes) { return bytes; }
    static Factor factor(const std::uint8_t* prepared) {
        long long matrix;
        std::memcpy(&matrix, prepared, sizeof matrix);
        return _mm256_set1_epi64x(matrix);
    }
    static __m256i withProduct(__m256i sum, Factor factor, Split split) {
        return _mm256_xor_si256(sum, _mm256_gf2p8affine_epi64_epi8(split, factor, 0));
    }
    static __m256i withProducts(__m256i sum, Factor a, Split x, Factor b, Split y) {
        return withProduct(withProduct(sum, a, x), b, y);
    }
};

using Kernel = LaneKernel<Avx2Lanes<BitMatrices>>;
using Transform = TransformKernel<Avx2Lanes<BitMatrices>>;

void prepare(std::uint8_t factor, std::uint8_t* prepared) {
    std::uint64_t matrix = bitMatrix(factor);
    std::memcpy(prepared, &matrix, sizeof matrix);
}

}  // namespace

const CodingForm kCodingAvx2Gfni{"avx2-gfni", "AVX2 and GFNI", BitMatrices::kFactorBytes,
                                 prepare,     Kernel::combine, Kernel::sum,
                                 2,           Transform::run};

}  // namespace shredder::coding
