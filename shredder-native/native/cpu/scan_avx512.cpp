// SPDX-License-Identifier: Apache-2.0
//
// The scan of sliced_scan.h with 64 lanes, without GFNI: a product looks up both halves of a byte with byte
// shuffles.
#include "cpu/avx512_vector.h"
#include "cpu/byte_product.h"
#include "cpu/scan.h"
#include "cpu/sliced_scan.h"

namespace shredder {
namespace {

struct Products {
    static constexpr bool kAffineProducts = true;

    struct Split {
        __m512i low;
        __m512i high;
    };

    static Split split(__m512i a) {
        const __m512i half = _mm512_set1_epi8(0x0F);
        return {_mm512_and_si512(a, half), _mm512_and_si512(_mm512_srli_epi16(a, 4), half)};
    }

    class Product {
      public:
        Product(const std::uint64_t* table, int at, std::uint8_t constant) {
            HalfTables halves = halfTablesOf(table, at, constant);
            low_ = _mm512_broadcast_i32x4(_mm_load_si128(reinterpret_cast<const __m128i*>(halves.low)));
            high_ = _mm512_broadcast_i32x4(_mm_load_si128(reinterpret_cast<const __m128i*>(halves.high)));
        }

        __m512i operator()(const Split& a) const {
            return _mm512_xor_si512(_mm512_shuffle_epi8(low_, a.low), _mm512_shuffle_epi8(high_, a.high));
        }

      private:
        __m512i low_;
        __m512i high_;
    };
};

using Vector = Avx512Vector<Products>;

}  // namespace

constinit const CpuScan kScanAvx512{slicedList<Vector>, slicedMark<Vector>};

}  // namespace shredder
