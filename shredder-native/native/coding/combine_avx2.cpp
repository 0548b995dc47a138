// SPDX-License-Identifier: Apache-2.0
#include "coding/avx2_lanes.h"
#include "coding/combine_lanes.h"
#include "coding/transform_lanes.h"

namespace shredder::coding {
namespace {

/// A product is the sum of two looked up in registers: of the byte's low and of its high four bits.
struct Shuffles {
    static constexpr std::size_t kFactorBytes = 32;
    static constexpr bool kPairs = false;
    static constexpr std::size_t kKeptFactors = 0;
    struct Split {
        __m256i low;
        __m256i high;
    };
    struct Factor {
        __m256i low;
        __m256i high;
    };

    static Split split(__m256i bytes) {
        const __m256i mask = _mm256_set1_epi8(0x0F);
        return {_mm256_and_si256(bytes, mask), _mm256_and_si256(_mm256_srli_epi64(bytes, 4), mask)};
    }
    static Factor factor(const std::uint8_t* prepared) { return {table(prepared), table(prepared + 16)}; }
    static __m256i product(Factor factor, Split split) {
        return _mm256_xor_si256(_mm256_shuffle_epi8(factor.low, split.low),
                                _mm256_shuffle_epi8(factor.high, split.high));
    }
    static __m256i withProduct(__m256i sum, Factor factor, Split split) {
        return _mm256_xor_si256(sum, product(factor, split));
    }

  private:
    static __m256i table(const std::uint8_t* bytes) {
        return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)));
    }
};

using Kernel = LaneKernel<Avx2Lanes<Shuffles>>;
using Transform = TransformKernel<Avx2Lanes<Shuffles>>;

}  // namespace

const CodingForm kCodingAvx2{"avx2",
                             "AVX2, tables in registers",
                             Shuffles::kFactorBytes,
                             prepareNibbleTables,
                             Kernel::combine,
                             Kernel::sum,
                             2,
                             Transform::run};

}  // namespace shredder::coding
