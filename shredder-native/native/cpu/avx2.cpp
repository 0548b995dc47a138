// SPDX-License-Identifier: Apache-2.0
//
// The vector scan: 16 independent stretches of the buffer, one in each 64-bit lane of four AVX2 registers. A
// lane holds its fingerprint in bits 16..63, so that shifting by a byte drops the overflow without a mask.
//
// The table-free form (docs/formats/chunking.md section 1): with t the top byte, appending v and removing o
// is
//   f << 8  ^  v  ^  t ^ t<<2 ^ t<<3 ^ t<<5  ^  o ^ o<<16 ^ o<<24 ^ o<<40.
// All that v and o contribute to one step is placed by one byte shuffle each.
#include <immintrin.h>

#include <algorithm>
#include <cstring>

#include "cpu/scan.h"

namespace shredder {
namespace {

constexpr int kRegisters = 4;
constexpr int kLanes = 4 * kRegisters;
/// Bytes that one lane scans in one go. An odd number of cache lines, so that the lanes don't share a cache
/// set.
constexpr std::size_t kStretchBytes = 4160;
constexpr int kStateShift = 16;

struct Lanes {
    __m256i fingerprint[kRegisters];
};

/// Eight bytes of each of four stretches, little-endian: byte k of a lane is the stretch's k-th.
__m256i load8(const std::uint8_t* first, std::size_t stretch) {
    std::int64_t words[4];
    for (std::size_t lane = 0; lane < 4; lane++) {
        std::memcpy(&words[lane], first + lane * stretch, 8);
    }
    return _mm256_set_epi64x(words[3], words[2], words[1], words[0]);
}

/// Shuffle that puts byte `step` of each lane at the positions of `at` and zeros elsewhere.
template <typename... Positions>
__m256i placeByte(int step, Positions... at) {
    alignas(32) std::int8_t control[32];
    std::memset(control, 0x80, sizeof control);
    for (int lane = 0; lane < 4; lane++) {
        int base = lane % 2 * 8;
        ((control[lane * 8 + at] = static_cast<std::int8_t>(base + step)), ...);
    }
    return _mm256_load_si256(reinterpret_cast<const __m256i*>(control));
}

/// x^48 + x^5 + x^3 + x^2 + 1 without tables.
class DefaultArithmetic {
  public:
    explicit DefaultArithmetic(const ScanSpec&) {
        for (int step = 0; step < 8; step++) {
            in_[step] = placeByte(step, 2);
            out_[step] = placeByte(step, 2, 4, 5, 7);
        }
    }

    __m256i append(__m256i f, __m256i newBytes, int step) const {
        __m256i top = _mm256_and_si256(f, _mm256_set1_epi64x(static_cast<std::int64_t>(0xFFULL << 56)));
        __m256i reduced =
            _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(top, 40), _mm256_srli_epi64(top, 38)),
                             _mm256_xor_si256(_mm256_srli_epi64(top, 37), _mm256_srli_epi64(top, 35)));
        __m256i in = _mm256_shuffle_epi8(newBytes, in_[step]);
        return _mm256_xor_si256(_mm256_xor_si256(_mm256_slli_epi64(f, 8), reduced), in);
    }

    __m256i remove(__m256i f, __m256i oldBytes, int step) const {
        return _mm256_xor_si256(f, _mm256_shuffle_epi8(oldBytes, out_[step]));
    }

  private:
    __m256i in_[8];
    __m256i out_[8];
};

/// Any polynomial: the products come from the tables.
class TableArithmetic {
  public:
    explicit TableArithmetic(const ScanSpec& spec) : tables_(spec.tables) {
        for (int step = 0; step < 8; step++) {
            in_[step] = placeByte(step, 2);
            out_[step] = placeByte(step, 0);
        }
    }

    __m256i append(__m256i f, __m256i newBytes, int step) const {
        __m256i reduced = lookUp(tables_.append, _mm256_srli_epi64(f, 56));
        __m256i in = _mm256_shuffle_epi8(newBytes, in_[step]);
        return _mm256_xor_si256(_mm256_xor_si256(_mm256_slli_epi64(f, 8), reduced), in);
    }

    __m256i remove(__m256i f, __m256i oldBytes, int step) const {
        return _mm256_xor_si256(f, lookUp(tables_.remove, _mm256_shuffle_epi8(oldBytes, out_[step])));
    }

  private:
    static __m256i lookUp(const std::uint64_t* table, __m256i index) {
        __m256i entry = _mm256_i64gather_epi64(reinterpret_cast<const long long*>(table), index, 8);
        return _mm256_slli_epi64(entry, kStateShift);
    }

    const RollTables& tables_;
    __m256i in_[8];
    __m256i out_[8];
};

/// Fingerprints of the 48 bytes before each stretch.
template <typename Arithmetic>
Lanes warmUp(const Arithmetic& arithmetic, const std::uint8_t* data, std::size_t stretch) {
    Lanes lanes;
    for (int r = 0; r < kRegisters; r++) {
        __m256i f = _mm256_setzero_si256();
        for (int offset = -kWindowBytes; offset < 0; offset += 8) {
            __m256i bytes = load8(data + static_cast<std::size_t>(4 * r) * stretch + offset, stretch);
            for (int step = 0; step < 8; step++) {
                f = arithmetic.append(f, bytes, step);
            }
        }
        lanes.fingerprint[r] = f;
    }
    return lanes;
}

void mark(std::uint64_t* bitmap, std::size_t stretch, std::size_t position, int hits) {
    for (; hits != 0; hits &= hits - 1) {
        std::size_t at =
            static_cast<std::size_t>(__builtin_ctz(static_cast<unsigned>(hits))) * stretch + position;
        bitmap[at / 64] |= 1ULL << (at % 64);
    }
}

/// Scans kLanes stretches side by side; stretch is a multiple of 64.
template <typename Arithmetic>
void scanStretches(const Arithmetic& arithmetic, const ScanSpec& spec, const std::uint8_t* data,
                   std::size_t stretch, std::uint64_t* bitmap) {
    const __m256i mask = _mm256_set1_epi64x(static_cast<std::int64_t>(spec.mask << kStateShift));
    const __m256i marker = _mm256_set1_epi64x(static_cast<std::int64_t>(spec.marker << kStateShift));
    Lanes lanes = warmUp(arithmetic, data, stretch);
    for (std::size_t i = 0; i < stretch; i += 8) {
        __m256i newBytes[kRegisters];
        __m256i oldBytes[kRegisters];
        for (int r = 0; r < kRegisters; r++) {
            const std::uint8_t* at = data + static_cast<std::size_t>(4 * r) * stretch + i;
            newBytes[r] = load8(at, stretch);
            oldBytes[r] = load8(at - kWindowBytes, stretch);
        }
        for (int step = 0; step < 8; step++) {
            int hits = 0;
            for (int r = 0; r < kRegisters; r++) {
                __m256i f = arithmetic.append(lanes.fingerprint[r], newBytes[r], step);
                f = arithmetic.remove(f, oldBytes[r], step);
                lanes.fingerprint[r] = f;
                __m256i hit = _mm256_cmpeq_epi64(_mm256_and_si256(f, mask), marker);
                hits |= _mm256_movemask_pd(_mm256_castsi256_pd(hit)) << (4 * r);
            }
            if (hits != 0) mark(bitmap, stretch, i + static_cast<std::size_t>(step), hits);
        }
    }
}

template <typename Arithmetic>
void scanWith(const ScanSpec& spec, const std::uint8_t* data, std::size_t size, std::uint64_t* bitmap) {
    std::memset(bitmap, 0, (size + 63) / 64 * sizeof(std::uint64_t));
    Arithmetic arithmetic(spec);
    std::size_t done = 0;
    for (;;) {
        std::size_t stretch = std::min(kStretchBytes, (size - done) / kLanes / 64 * 64);
        if (stretch == 0) break;
        scanStretches(arithmetic, spec, data + done, stretch, bitmap + done / 64);
        done += kLanes * stretch;
    }
    if (done < size) scanScalar(spec, data + done, size - done, bitmap + done / 64);
}

}  // namespace

void scanAvx2(const ScanSpec& spec, const std::uint8_t* data, std::size_t size, std::uint64_t* bitmap) {
    if (spec.defaultPolynomial) {
        scanWith<DefaultArithmetic>(spec, data, size, bitmap);
    } else {
        scanWith<TableArithmetic>(spec, data, size, bitmap);
    }
}

}  // namespace shredder
