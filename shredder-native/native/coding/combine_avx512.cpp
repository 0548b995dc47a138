// SPDX-License-Identifier: Apache-2.0
#include "coding/avx512_lanes.h"
#include "coding/combine_lanes.h"
#include "coding/transform_lanes.h"

namespace shredder::coding {
namespace {

/// A product is the sum of two looked up in registers: of the byte's low and of its high four bits.
struct Shuffles {
    static constexpr std::size_t kFactorBytes = 32;
    static constexpr bool kPairs = true;
    static constexpr std::size_t kKeptFactors = 0;
    struct Split {
        __m512i low;
        __m512i high;
    };
    struct Factor {
        __m512i low;
        __m512i high;
    };

    static Split split(__m512i bytes) {
        const __m512i mask = _mm512_set1_epi8(0x0F);
        return {_mm512_and_si512(bytes, mask), _mm512_and_si512(_mm512_srli_epi64(bytes, 4), mask)};
    }
    static Factor factor(const std::uint8_t* prepared) { return {table(prepared), table(prepared + 16)}; }
    static __m512i withProduct(__m512i sum, Factor factor, Split split) {
        return _mm512_ternarylogic_epi64(sum, _mm512_shuffle_epi8(factor.low, split.low),
                                         _mm512_shuffle_epi8(factor.high, split.high), 0x96);
    }
    static __m512i withProducts(__m512i sum, Factor a, Split x, Factor b, Split y) {
        return withProduct(withProduct(sum, a, x), b, y);
    }

  private:
    static __m512i table(const std::uint8_t* bytes) {
        return _mm512_broadcast_i32x4(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)));
    }
};

using Kernel = LaneKernel<Avx512Lanes<Shuffles>>;
using Transform = TransformKernel<Avx512Lanes<Shuffles>>;

}  // namespace

const CodingForm kCodingAvx512{"avx512",
                               "AVX-512, tables in registers",
                               Shuffles::kFactorBytes,
                               prepareNibbleTables,
                               Kernel::combine,
                               Kernel::sum,
                               3,
                               Transform::run};

}  // namespace shredder::coding
