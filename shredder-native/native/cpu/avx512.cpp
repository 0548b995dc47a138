// SPDX-License-Identifier: Apache-2.0
//
// The widest scan: 64 independent stretches of the buffer, one in each byte lane of AVX-512 registers, with
// the 48-bit fingerprints byte-sliced: register s[k] holds byte k (0 lowest) of all 64 fingerprints.
//
// Why it equals the scalar reference. Appending v and removing o (docs/formats/chunking.md section 1) gives
//   f' = (f << 8) ^ v ^ t * x^48 ^ o * x^384   (mod P),   t the top byte of f.
// The shift by a byte is a renaming of registers, s[k] <- s[k-1]. A product of a byte with a constant is
// linear over GF(2), so each byte of it is an 8 x 8 bit matrix times the byte: one gf2p8affineqb for 64
// stretches. For x^48 + x^5 + x^3 + x^2 + 1 the first product touches bytes 0 and 1 alone, and the second is
// o itself in bytes 5, 3, 2 and 0: no matrix at all. A stretch starts with the fingerprint of the 48 bytes
// before it, and a fingerprint depends on nothing else, so where stretches begin makes no difference.
//
// The bytes arrive transposed: 16 bytes of each of the 64 stretches are loaded and four stages of byte
// unpacking turn them into 16 registers that hold one byte of every stretch. They stay in a small ring, from
// which they are read again 48 steps later, when they leave the window.
#include <immintrin.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "cpu/scan.h"

namespace shredder {
namespace {

constexpr std::size_t kLanes = 64;
/// Steps whose bytes are transposed at once.
constexpr std::size_t kGroup = 16;
/// A stretch of an odd number of cache lines keeps the lanes out of one another's cache sets.
constexpr std::size_t kStretchBytes = 4160;
constexpr int kFingerprintBytes = 6;
constexpr std::size_t kRingGroups = kWindowBytes / kGroup + 1;
/// Hits in 64 steps from which on transposing all bits beats placing them one by one.
constexpr int kDenseHits = 24;

/// The matrix of: byte -> byte `at` of table[byte], for a linear table.
__m512i matrixOf(const std::uint64_t* table, int at) {
    std::uint64_t matrix = 0;
    for (int row = 0; row < 8; row++) {
        std::uint64_t bits = 0;
        for (int column = 0; column < 8; column++) {
            bits |= (table[1 << column] >> (8 * at + row) & 1) << column;
        }
        matrix |= bits << (8 * (7 - row));
    }
    return _mm512_set1_epi64(static_cast<std::int64_t>(matrix));
}

struct State {
    __m512i s[kFingerprintBytes];
};

/// x^48 + x^5 + x^3 + x^2 + 1.
class DefaultArithmetic {
  public:
    explicit DefaultArithmetic(const RollTables& tables)
        : low_(matrixOf(tables.append, 0)), high_(matrixOf(tables.append, 1)) {}

    void append(State& f, __m512i in) const { roll(f, in, _mm512_setzero_si512()); }

    void roll(State& f, __m512i in, __m512i out) const {
        __m512i low = _mm512_gf2p8affine_epi64_epi8(f.s[5], low_, 0);
        __m512i high = _mm512_gf2p8affine_epi64_epi8(f.s[5], high_, 0);
        f.s[5] = _mm512_xor_si512(f.s[4], out);
        f.s[4] = f.s[3];
        f.s[3] = _mm512_xor_si512(f.s[2], out);
        f.s[2] = _mm512_xor_si512(f.s[1], out);
        f.s[1] = _mm512_xor_si512(f.s[0], high);
        f.s[0] = _mm512_ternarylogic_epi64(in, low, out, 0x96);  // three-way exclusive or
    }

  private:
    __m512i low_;
    __m512i high_;
};

/// Any polynomial of degree 48.
class MatrixArithmetic {
  public:
    explicit MatrixArithmetic(const RollTables& tables) {
        for (int k = 0; k < kFingerprintBytes; k++) {
            append_[k] = matrixOf(tables.append, k);
            remove_[k] = matrixOf(tables.remove, k);
        }
    }

    void append(State& f, __m512i in) const { roll(f, in, _mm512_setzero_si512()); }

    void roll(State& f, __m512i in, __m512i out) const {
        __m512i top = f.s[5];
        for (int k = kFingerprintBytes - 1; k >= 0; k--) {
            __m512i shifted = k == 0 ? in : f.s[k - 1];
            f.s[k] = _mm512_ternarylogic_epi64(shifted, _mm512_gf2p8affine_epi64_epi8(top, append_[k], 0),
                                               _mm512_gf2p8affine_epi64_epi8(out, remove_[k], 0), 0x96);
        }
    }

  private:
    __m512i append_[kFingerprintBytes];
    __m512i remove_[kFingerprintBytes];
};

/// Compares the fingerprints' low bits, held in their first Bytes bytes, with the marker.
template <int Bytes>
class Comparison {
  public:
    explicit Comparison(const ScanSpec& spec) {
        for (int k = 0; k < Bytes; k++) {
            mask_[k] = _mm512_set1_epi8(static_cast<char>(spec.mask >> (8 * k)));
            marker_[k] = _mm512_set1_epi8(static_cast<char>(spec.marker >> (8 * k)));
        }
    }

    __mmask64 hits(const State& f) const {
        __mmask64 hits = differsNowhere(~__mmask64{0}, f, 0);
        for (int k = 1; k < Bytes; k++) {
            hits = differsNowhere(hits, f, k);
        }
        return hits;
    }

  private:
    __mmask64 differsNowhere(__mmask64 among, const State& f, int k) const {
        return _mm512_mask_testn_epi8_mask(among, _mm512_xor_si512(f.s[k], marker_[k]), mask_[k]);
    }

    __m512i mask_[Bytes];
    __m512i marker_[Bytes];
};

/// Interleaves the bytes of register i with those of register i + 8. Four times over, this transposes each
/// 16 x 16 bytes of the 128-bit lanes.
void interleave(const __m512i (&from)[kGroup], __m512i (&to)[kGroup]) {
    for (std::size_t i = 0; i < kGroup / 2; i++) {
        to[2 * i] = _mm512_unpacklo_epi8(from[i], from[i + kGroup / 2]);
        to[2 * i + 1] = _mm512_unpackhi_epi8(from[i], from[i + kGroup / 2]);
    }
}

__m128i load16(const std::uint8_t* at) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
}

/// Reads 16 bytes of each of 64 stretches; byte lane l of transposed[i] becomes stretch l's byte i.
void transpose(const std::uint8_t* data, std::size_t stretch, __m512i* transposed) {
    __m512i a[kGroup];
    __m512i b[kGroup];
    for (std::size_t r = 0; r < kGroup; r++) {
        __m512i rows = _mm512_castsi128_si512(load16(data + r * stretch));
        rows = _mm512_mask_broadcast_i32x4(rows, 0x00F0, load16(data + (r + 16) * stretch));
        rows = _mm512_mask_broadcast_i32x4(rows, 0x0F00, load16(data + (r + 32) * stretch));
        a[r] = _mm512_mask_broadcast_i32x4(rows, 0xF000, load16(data + (r + 48) * stretch));
    }
    interleave(a, b);
    interleave(b, a);
    interleave(a, b);
    interleave(b, a);
    for (std::size_t i = 0; i < kGroup; i++) {
        _mm512_store_si512(transposed + i, a[i]);
    }
}

/// 64 masks of 64 bits, transposed: bit s of mask i becomes bit i of word s.
void transposeBits(const std::uint64_t (&masks)[kLanes], std::uint64_t (&words)[kLanes]) {
    // gf2p8affineqb multiplies matrices of 8 x 8 bits; times the unit vectors, a matrix gives its columns.
    // Its row 0 is a quadword's last byte: so quadword b takes byte b of a group's eight masks, last mask
    // first.
    alignas(64) std::uint64_t gather[8];
    for (std::uint64_t b = 0; b < 8; b++) {
        gather[b] = 0x0008101820283038 + b * 0x0101010101010101;
    }
    const __m512i index = _mm512_load_si512(gather);
    const __m512i units = _mm512_set1_epi64(static_cast<std::int64_t>(0x8040201008040201));
    alignas(64) std::uint8_t bytes[8][kLanes];
    for (std::size_t g = 0; g < 8; g++) {
        __m512i group = _mm512_loadu_si512(&masks[8 * g]);
        __m512i rows = _mm512_permutexvar_epi8(index, group);
        _mm512_store_si512(bytes[g], _mm512_gf2p8affine_epi64_epi8(units, rows, 0));
    }
    for (std::size_t s = 0; s < kLanes; s++) {
        std::uint64_t word = 0;
        for (std::size_t g = 0; g < 8; g++) {
            word |= static_cast<std::uint64_t>(bytes[g][s]) << (8 * g);
        }
        words[s] = word;
    }
}

/// Writes the hits of 64 steps, one mask of stretches a step, to the stretches' bitmap words `wordsApart`.
void writeHits(const std::uint64_t (&masks)[kLanes], std::uint64_t* bitmap, std::size_t wordsApart) {
    std::uint64_t stepsWithHits = 0;
    for (std::size_t i = 0; i < kLanes; i += 8) {
        __m512i eight = _mm512_loadu_si512(&masks[i]);
        stepsWithHits |= static_cast<std::uint64_t>(_mm512_test_epi64_mask(eight, eight)) << i;
    }
    if (std::popcount(stepsWithHits) >= kDenseHits) {
        std::uint64_t words[kLanes];
        transposeBits(masks, words);
        for (std::size_t lane = 0; lane < kLanes; lane++) {
            bitmap[lane * wordsApart] = words[lane];
        }
        return;
    }
    for (; stepsWithHits != 0; stepsWithHits &= stepsWithHits - 1) {
        auto step = static_cast<unsigned>(std::countr_zero(stepsWithHits));
        for (std::uint64_t lanes = masks[step]; lanes != 0; lanes &= lanes - 1) {
            bitmap[static_cast<std::size_t>(std::countr_zero(lanes)) * wordsApart] |= 1ULL << step;
        }
    }
}

/// Asks for the part of the next superblock that as many steps will read, from four pages at once, which is
/// more than the hardware's own prefetcher follows.
void prefetch(const std::uint8_t* next, std::size_t nextSize, std::size_t position) {
    constexpr std::size_t kPages = 4;
    std::size_t quarter = nextSize / kPages;
    for (std::size_t page = 0; page < kPages; page++) {
        const std::uint8_t* at = next + page * quarter + position * kLanes / kPages;
        for (std::size_t line = 0; line < kGroup * kLanes / kPages; line += 64) {
            _mm_prefetch(reinterpret_cast<const char*>(at + line), _MM_HINT_T1);
        }
    }
}

/// Scans 64 stretches side by side. The bitmap's words are zero. `ahead` bytes may be read after them.
template <typename Arithmetic, typename Compare>
void scanStretches(const Arithmetic& arithmetic, const Compare& compare, const std::uint8_t* data,
                   std::size_t stretch, std::size_t ahead, std::uint64_t* bitmap) {
    __m512i ring[kRingGroups][kGroup];
    State f{};
    for (std::size_t g = 0; g < kRingGroups - 1; g++) {
        transpose(data + g * kGroup - kWindowBytes, stretch, ring[g]);
        for (const __m512i& in : ring[g]) {
            arithmetic.append(f, in);
        }
    }
    std::size_t oldest = 0;
    std::uint64_t masks[kLanes];
    for (std::size_t i = 0; i < stretch; i += kGroup) {
        if (ahead != 0) prefetch(data + kLanes * stretch, ahead, i);
        const __m512i* out = ring[oldest];
        __m512i* in = ring[(oldest + kRingGroups - 1) % kRingGroups];
        transpose(data + i, stretch, in);
        for (std::size_t step = 0; step < kGroup; step++) {
            arithmetic.roll(f, in[step], out[step]);
            masks[(i + step) % kLanes] = compare.hits(f);
        }
        oldest = (oldest + 1) % kRingGroups;
        if ((i + kGroup) % kLanes == 0) writeHits(masks, bitmap + i / kLanes, stretch / kLanes);
    }
}

/// The longest stretch of whole bitmap words, odd in number unless that is all there is, for `size` bytes.
std::size_t stretchFor(std::size_t size) {
    std::size_t words = std::min(kStretchBytes, size / kLanes) / 64;
    return (words > 1 && words % 2 == 0 ? words - 1 : words) * 64;
}

template <typename Arithmetic, int Bytes>
void scanWith(const ScanSpec& spec, const std::uint8_t* data, std::size_t size, std::uint64_t* bitmap) {
    std::memset(bitmap, 0, (size + 63) / 64 * sizeof(std::uint64_t));
    const Arithmetic arithmetic(spec.tables);
    const Comparison<Bytes> compare(spec);
    std::size_t done = 0;
    for (std::size_t stretch = stretchFor(size); stretch != 0; stretch = stretchFor(size - done)) {
        std::size_t block = kLanes * stretch;
        std::size_t ahead = size - done >= 2 * block ? block : 0;
        scanStretches(arithmetic, compare, data + done, stretch, ahead, bitmap + done / 64);
        done += block;
    }
    if (done < size) scanScalar(spec, data + done, size - done, bitmap + done / 64);
}

template <typename Arithmetic>
ScanFunction scanFor(const ScanSpec& spec) {
    switch ((std::bit_width(spec.mask) + 7) / 8) {
        case 1:
            return scanWith<Arithmetic, 1>;
        case 2:
            return scanWith<Arithmetic, 2>;
        case 3:
            return scanWith<Arithmetic, 3>;
        default:
            return scanWith<Arithmetic, 4>;
    }
}

}  // namespace

void scanAvx512(const ScanSpec& spec, const std::uint8_t* data, std::size_t size, std::uint64_t* bitmap) {
    ScanFunction scan =
        spec.defaultPolynomial ? scanFor<DefaultArithmetic>(spec) : scanFor<MatrixArithmetic>(spec);
    scan(spec, data, size, bitmap);
}

}  // namespace shredder
