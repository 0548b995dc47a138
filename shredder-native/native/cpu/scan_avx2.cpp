// SPDX-License-Identifier: Apache-2.0
//
// The scan of sliced_scan.h with 32 lanes; a product looks up both halves of a byte with byte shuffles.
#include "cpu/avx2_vector.h"
#include "cpu/byte_product.h"
#include "cpu/scan.h"
#include "cpu/sliced_scan.h"

namespace shredder {
namespace {

struct Products {
    static constexpr bool kAffineProducts = true;

    struct Split {
        __m256i low;
        __m256i high;
    };

    static Split split(__m256i a) {
        const __m256i half = _mm256_set1_epi8(0x0F);
        return {_mm256_and_si256(a, half), _mm256_and_si256(_mm256_srli_epi16(a, 4), half)};
    }

    class Product {
      public:
        Product(const std::uint64_t* table, int at, std::uint8_t constant) {
            HalfTables halves = halfTablesOf(table, at, constant);
            low_ = _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(halves.low)));
            high_ =
                _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(halves.high)));
        }

        __m256i operator()(const Split& a) const {
            return _mm256_xor_si256(_mm256_shuffle_epi8(low_, a.low), _mm256_shuffle_epi8(high_, a.high));
        }

      private:
        __m256i low_;
        __m256i high_;
    };
};

using Vector = Avx2Vector<Products>;

}  // namespace

constinit const CpuScan kScanAvx2{slicedList<Vector>, slicedMark<Vector>};

}  // namespace shredder
