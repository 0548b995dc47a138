// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "coding/avx512_lanes.h"
#include "coding/combine_lanes.h"
#include "coding/transform_lanes.h"

namespace shredder::coding {
namespace {

/// A product is one instruction, with the factor as a matrix of bits; two are added to a sum in one more.
struct BitMatrices {
    static constexpr std::size_t kFactorBytes = 8;
    static constexpr bool kPairs = true;
    static constexpr std::size_t kKeptFactors = 24;
    using Split = __m512i;
    using Factor = __m512i;

    static Split split(__m512i bytes) { return bytes; }
    static Factor factor(const std::uint8_t* prepared) {
        long long matrix;
        std::memcpy(&matrix, prepared, sizeof matrix);
        return _mm512_set1_epi64(matrix);
    }
    static __m512i withProduct(__m512i sum, Factor factor, Split split) {
        return _mm512_xor_si512(sum, _mm512_gf2p8affine_epi64_epi8(split, factor, 0));
    }
    static __m512i withProducts(__m512i sum, Factor a, Split x, Factor b, Split y) {
        return _mm512_ternarylogic_epi64(sum, _mm512_gf2p8affine_epi64_epi8(x, a, 0),
                                         _mm512_gf2p8affine_epi64_epi8(y, b, 0), 0x96);
    }
};

using Kernel = LaneKernel<Avx512Lanes<BitMatrices>>;
using Transform = TransformKernel<Avx512Lanes<BitMatrices>>;

void prepare(std::uint8_t factor, std::uint8_t* prepared) {
    std::uint64_t matrix = bitMatrix(factor);
    std::memcpy(prepared, &matrix, sizeof matrix);
}

}  // namespace

const CodingForm kCodingAvx512Gfni{
    "avx512-gfni", "AVX-512 and GFNI", BitMatrices::kFactorBytes, prepare, Kernel::combine, Kernel::sum, 3,
    Transform::run};

}  // namespace shredder::coding
