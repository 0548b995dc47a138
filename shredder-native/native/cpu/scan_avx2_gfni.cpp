// SPDX-License-Identifier: Apache-2.0
//
// The scan of sliced_scan.h with 32 lanes; a product is one gf2p8affineqb.
#include "cpu/avx2_vector.h"
#include "cpu/byte_product.h"
#include "cpu/scan.h"
#include "cpu/sliced_scan.h"

namespace shredder {
namespace {

struct Products {
    static constexpr bool kAffineProducts = false;

    using Split = __m256i;

    static Split split(__m256i a) { return a; }

    class Product {
      public:
        Product(const std::uint64_t* table, int at, std::uint8_t)
            : matrix_(_mm256_set1_epi64x(static_cast<std::int64_t>(matrixOf(table, at)))) {}

        __m256i operator()(Split a) const { return _mm256_gf2p8affine_epi64_epi8(a, matrix_, 0); }

      private:
        __m256i matrix_;
    };
};

using Vector = Avx2Vector<Products>;

}  // namespace

constinit const CpuScan kScanAvx2Gfni{slicedList<Vector>, slicedMark<Vector>};

}  // namespace shredder
