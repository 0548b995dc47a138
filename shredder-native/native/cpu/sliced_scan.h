// SPDX-License-Identifier: Apache-2.0
#pragma once

// The scan that all vector forms share: many independent stretches of the buffer side by side, one in each
// byte lane of a vector, with the 48-bit fingerprints byte-sliced: one vector holds the same byte of all
// lanes' fingerprints. 64 lanes in AVX-512, 32 in AVX2.
//
// Why it equals the scalar reference. With t the top byte of f, appending v and removing o (the byte 48
// positions before v; docs/formats/chunking.md section 1) gives
//   f' = (f << 8) ^ v ^ t * x^48 ^ o * x^384   (mod P).
// Byte-sliced, the shift is a renaming of vectors. A product of a byte with a constant is linear over GF(2):
// each byte of it is an 8 x 8 bit matrix times the byte, which a Vector computes for all lanes at once. A
// stretch starts with the fingerprint of the 48 bytes before it, and a fingerprint depends on nothing else,
// so where stretches begin makes no difference.
//
// What that takes of each polynomial: sliced_arithmetic.h.
//
// Memory. The bytes arrive transposed: 16 bytes of each stretch are loaded, and unpacking turns them into 16
// vectors that hold one byte of every stretch. They stay in a small ring, from which they are read again 48
// steps later, when they leave the window. While one block of stretches is scanned, the next is fetched into
// the level-2 cache, a line at a time from eight places in turn, which is more than the hardware's own
// prefetcher follows; each stretch's next line is fetched into the level-1 cache shortly before its turn.
// Prefetching does not fault: it may run past the end of the buffer.
//
// A file per instruction set instantiates SlicedScan with its own Vector, a type of an unnamed namespace, so
// that no code made with that file's flags is shared with another's. Vector has:
//   Bytes       one byte for each of kLanes lanes
//   Mask        one bit for each lane
//   Split       what a product needs of a byte; split(x)
//   Product     a linear map of bytes, made from a linear table of 256 values: its byte `at`; product(split)
//   kAffineProducts  whether a product adds the constant that it is made with; else it is ignored
//   kFewRegisters    whether what can be read again should be, rather than kept
//   zero, store, both(a, b) = a ^ b, all(a, b, c) = a ^ b ^ c, same(byte), twice(a) = a + a
//   common(a, b) = a & b, either(a, b) = a | b
//   differenceUnder(a, b, mask) = (a ^ b) & mask, differenceOr(a, b, c) = (a ^ b) | c, zeroBytes(a) -> Mask
//   loadRow(data, stretch)         16 bytes of each of every 16th stretch
//   unpackLow/unpackHigh<N>(a, b)  interleave elements of N bytes of the halves of a's and b's 128-bit parts
//   nonZero(masks)                 bit i: masks[i] is not 0, of eight
//   gatherBytes(masks)             64-bit word b: byte b of each of eight masks
//   topBits(a) -> Mask             bit l: the top bit of byte l
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "cpu/lane_hits.h"
#include "cpu/scan.h"
#include "cpu/sliced_arithmetic.h"

namespace shredder {

/// MaskBytes: bytes of a fingerprint that the mask reaches into.
template <typename Vector, template <typename> typename ArithmeticOf, int MaskBytes>
class SlicedScan {
    using Arithmetic = ArithmeticOf<Vector>;
    using State = typename Arithmetic::State;
    using Bytes = typename Vector::Bytes;
    using Mask = typename Vector::Mask;

  public:
    static Listed list(const ScanSpec& spec, const std::uint8_t* data, std::size_t size,
                       const ListTarget& list) {
        const SlicedScan scanner(spec);
        Listed listed{0, 0};
        for (std::size_t stretch = stretchFor(size); stretch != 0;
             stretch = stretchFor(size - listed.bytes)) {
            if (!scanner.listBlock(data, stretch, list, listed)) return listed;
        }
        if (listed.bytes < size) scanner.listTail(data, size, list, listed);
        return listed;
    }

    static void mark(const ScanSpec& spec, const std::uint8_t* data, std::size_t size,
                     std::uint64_t* bitmap) {
        const SlicedScan scanner(spec);
        std::size_t done = 0;
        for (std::size_t stretch = stretchFor(size); stretch != 0; stretch = stretchFor(size - done)) {
            MarkedHits<Vector> hits(bitmap + done / 64, stretch);
            scanner.scanBlock(data + done, stretch, hits);
            done += kLanes * stretch;
        }
        if (done < size) scanner.markTail(data + done, size - done, bitmap + done / 64);
    }

  private:
    static constexpr std::size_t kLanes = Vector::kLanes;
    /// Steps whose bytes are transposed at once.
    static constexpr std::size_t kGroup = 16;
    static constexpr std::size_t kRingGroups = kWindowBytes / kGroup + 1;
    static constexpr std::size_t kLineBytes = 64;
    /// Steps of a column: they share one bitmap word, and one cache line of each stretch.
    static constexpr std::size_t kColumn = kColumnSteps;
    /// Longest stretch: an odd number of lines keeps the lanes out of one another's cache sets.
    static constexpr std::size_t kStretchBytes = kScanBlockBytes / 64;
    static constexpr std::size_t kPrefetchPlaces = 8;
    /// Steps for each line that a step's worth of bytes takes up.
    static constexpr std::size_t kStepsPerLine = kLineBytes / kLanes;

    explicit SlicedScan(const ScanSpec& spec) : arithmetic_(spec) {
        for (int k = 0; k < MaskBytes; k++) {
            match_[k] = Vector::same(arithmetic_.matchOf(k, spec.marker));
        }
        lastMask_ = Vector::same(byteAt(spec.mask, MaskBytes - 1));
    }

    /// The longest stretch of whole bitmap words, odd in number, for `size` bytes.
    static std::size_t stretchFor(std::size_t size) {
        std::size_t share = size / kLanes;
        std::size_t words = (share < kStretchBytes ? share : kStretchBytes) / 64;
        return (words != 0 && words % 2 == 0 ? words - 1 : words) * 64;
    }

    /// Scans kLanes stretches side by side; false if the hits are too many for their taker.
    template <typename Hits>
    bool scanBlock(const std::uint8_t* data, std::size_t stretch, Hits& taker) const {
        Group ring[kRingGroups];
        State f = warmUp(data, stretch, ring);
        std::size_t oldest = 0;
        Mask hits[kColumn];
        for (std::size_t i = 0; i < stretch; i += kGroup) {
            Group& in = ring[(oldest + kRingGroups - 1) % kRingGroups];
            in.fill(data + i, stretch, ring[(oldest + kRingGroups - 2) % kRingGroups]);
            scanGroup(f, in.steps(), ring[oldest].steps(), hits + i % kColumn, Prefetch(data, stretch, i));
            oldest = (oldest + 1) % kRingGroups;
            if ((i + kGroup) % kColumn == 0 && !taker.take(hits, i + kGroup - kColumn)) return false;
        }
        return true;
    }

    /// Lists the block at data + listed.bytes, if its candidates are few.
    bool listBlock(const std::uint8_t* data, std::size_t stretch, const ListTarget& list,
                   Listed& listed) const {
        ListedHits<Vector> hits;
        if (!scanBlock(data + listed.bytes, stretch, hits) ||
            !hits.appendTo(list, listed.candidates, list.base + listed.bytes, stretch)) {
            return false;
        }
        listed.bytes += kLanes * stretch;
        return true;
    }

    /// Less than a word for each lane: a copy with zeros behind it, in the shape of a block.
    struct Tail {
        std::uint8_t bytes[kWindowBytes + kLanes * kColumn] = {};

        Tail(const std::uint8_t* data, std::size_t size) {
            std::memcpy(bytes, data - kWindowBytes, kWindowBytes + size);
        }
        const std::uint8_t* data() const { return bytes + kWindowBytes; }
    };

    /// The bytes from data + listed.bytes on. What is found among the zeros behind them is taken off again.
    void listTail(const std::uint8_t* data, std::size_t size, const ListTarget& list, Listed& listed) const {
        const Tail tail(data + listed.bytes, size - listed.bytes);
        ListedHits<Vector> hits;
        std::size_t count = listed.candidates;
        if (!scanBlock(tail.data(), kColumn, hits) ||
            !hits.appendTo(list, count, list.base + listed.bytes, kColumn)) {
            return;
        }
        while (count > listed.candidates && list.entries[count - 1] > list.base + size) {
            count--;
        }
        listed = {count, size};
    }

    void markTail(const std::uint8_t* data, std::size_t size, std::uint64_t* bitmap) const {
        const Tail tail(data, size);
        std::uint64_t words[kLanes];
        MarkedHits<Vector> hits(words, kColumn);
        scanBlock(tail.data(), kColumn, hits);
        if (size % 64 != 0) words[size / 64] &= (std::uint64_t{1} << size % 64) - 1;
        std::memcpy(bitmap, words, (size + 63) / 64 * sizeof(std::uint64_t));
    }

    /// Bytes of all stretches, transposed, for kGroup steps. Those of three steps before come along.
    class Group {
      public:
        void fill(const std::uint8_t* data, std::size_t stretch, const Group& before) {
            for (std::size_t i = 0; i < kBefore; i++) {
                bytes_[i] = before.bytes_[kGroup + i];
            }
            transpose(data, stretch, bytes_ + kBefore);
            // Else the compiler tries to keep all of them in registers as well, and stores them twice.
            if constexpr (Vector::kFewRegisters) asm("" : "+m"(bytes_));
        }

        void clear() {
            for (Bytes& bytes : bytes_) {
                bytes = Vector::zero();
            }
        }

        const Bytes* steps() const { return bytes_ + kBefore; }

      private:
        static constexpr std::size_t kBefore = Removed<Vector>::kBefore;
        Bytes bytes_[kBefore + kGroup];
    };

    /// The fingerprints of the 48 bytes before each stretch; they fill all but the last group of the ring.
    State warmUp(const std::uint8_t* data, std::size_t stretch, Group (&ring)[kRingGroups]) const {
        State f = arithmetic_.zero();
        Group& nothing = ring[kRingGroups - 1];
        nothing.clear();
        const Group* before = &nothing;
        for (std::size_t g = 0; g < kRingGroups - 1; g++) {
            ring[g].fill(data + g * kGroup - kWindowBytes, stretch, *before);
            for (std::size_t step = 0; step < kGroup; step++) {
                arithmetic_.roll(f, ring[g].steps()[step], nothing.steps());
            }
            before = &ring[g];
        }
        return f;
    }

    /// Fetches what a group's steps take up: in every kStepsPerLine-th step one line of the next block, one
    /// of a stretch, two columns on.
    class Prefetch {
      public:
        Prefetch(const std::uint8_t* data, std::size_t stretch, std::size_t step)
            : stretch_(stretch), placeBytes_(kLanes * stretch / kPrefetchPlaces) {
            std::size_t line = step / kStepsPerLine;
            next_ = data + kLanes * stretch + line / kPrefetchPlaces * kLineBytes;
            ahead_ = data + line % kLanes * stretch + (step / kColumn + 2) * kLineBytes;
        }

        /// Always inline: GCC drops calls to functions that do nothing but prefetch.
        [[gnu::always_inline]] void line(std::size_t lineOfGroup) {
            __builtin_prefetch(next_, 0, 2);
            __builtin_prefetch(ahead_, 0, 3);
            next_ += placeBytes_;
            if ((lineOfGroup + 1) % kPrefetchPlaces == 0) next_ += kLineBytes - kPrefetchPlaces * placeBytes_;
            ahead_ += stretch_;
        }

      private:
        std::size_t stretch_;
        std::size_t placeBytes_;
        const std::uint8_t* next_;
        const std::uint8_t* ahead_;
    };

    void scanGroup(State& f, const Bytes* in, const Bytes* out, Mask* hits, Prefetch prefetch) const {
#pragma GCC unroll 16
        for (std::size_t step = 0; step < kGroup; step++) {
            if (step % kStepsPerLine == 0) prefetch.line(step / kStepsPerLine);
            arithmetic_.roll(f, in[step], out + step);
            hits[step] = matches(f, out + step);
        }
    }

    Mask matches(const State& f, const Bytes* out) const {
        constexpr int kLast = MaskBytes - 1;
        Bytes d;
        if constexpr (kLast < Arithmetic::kDifferences) {
            d = Vector::common(byteOf<kLast>(f, out), lastMask_);
        } else {
            d = Vector::differenceUnder(byteOf<kLast>(f, out), match_[kLast], lastMask_);
        }
        if constexpr (kLast > 2) d = differenceOr<2>(f, out, d);
        if constexpr (kLast > 1) d = differenceOr<1>(f, out, d);
        if constexpr (kLast > 0) d = differenceOr<0>(f, out, d);
        return Vector::zeroBytes(d);
    }

    template <int Byte>
    static Bytes byteOf(const State& f, const Bytes* out) {
        return Arithmetic::template byteOf<Byte>(f, out);
    }

    template <int Byte>
    Bytes differenceOr(const State& f, const Bytes* out, Bytes others) const {
        if constexpr (Byte < Arithmetic::kDifferences) return Vector::either(byteOf<Byte>(f, out), others);
        return Vector::differenceOr(byteOf<Byte>(f, out), match_[Byte], others);
    }

    /// Reads 16 bytes of each stretch; byte lane l of transposed[i] becomes stretch l's byte i: 16 x 16 bytes
    /// are transposed in each 128-bit part, first those of four stretches, then those fours.
    static void transpose(const std::uint8_t* data, std::size_t stretch, Bytes* transposed) {
        // Where they find room in registers, all loads come first.
        constexpr std::size_t kRowsAtOnce = Vector::kFewRegisters ? 4 : kGroup;
        Bytes rows[kGroup];
        Bytes fours[4][4];
#pragma GCC unroll 16
        for (std::size_t r = 0; r < kGroup; r++) {
            rows[r] = Vector::loadRow(data + r * stretch, stretch);
            if ((r + 1) % kRowsAtOnce != 0) continue;
#pragma GCC unroll 4
            for (std::size_t i = r + 1 - kRowsAtOnce; i < r; i += 4) {
                interleaveFour<1>(rows[i], rows[i + 1], rows[i + 2], rows[i + 3], fours[i / 4]);
            }
        }
#pragma GCC unroll 4
        for (std::size_t i = 0; i < 4; i++) {
            interleaveFour<4>(fours[0][i], fours[1][i], fours[2][i], fours[3][i], transposed + 4 * i);
        }
    }

    /// In turn an element of a, b, c and d.
    template <int ElementBytes>
    static void interleaveFour(Bytes a, Bytes b, Bytes c, Bytes d, Bytes* to) {
        Bytes lowAB = Vector::template unpackLow<ElementBytes>(a, b);
        Bytes highAB = Vector::template unpackHigh<ElementBytes>(a, b);
        Bytes lowCD = Vector::template unpackLow<ElementBytes>(c, d);
        Bytes highCD = Vector::template unpackHigh<ElementBytes>(c, d);
        to[0] = Vector::template unpackLow<2 * ElementBytes>(lowAB, lowCD);
        to[1] = Vector::template unpackHigh<2 * ElementBytes>(lowAB, lowCD);
        to[2] = Vector::template unpackLow<2 * ElementBytes>(highAB, highCD);
        to[3] = Vector::template unpackHigh<2 * ElementBytes>(highAB, highCD);
    }

    Arithmetic arithmetic_;
    Bytes match_[MaskBytes];  ///< of the bytes that are not kept as differences
    Bytes lastMask_;
};

/// Calls work with the scan for this polynomial and this mask.
template <typename Vector, template <typename> typename Arithmetic, typename Work>
auto withScanForMask(const ScanSpec& spec, Work work) {
    switch ((std::bit_width(spec.mask) + 7) / 8) {
        case 1:
            return work.template operator()<SlicedScan<Vector, Arithmetic, 1>>();
        case 2:
            return work.template operator()<SlicedScan<Vector, Arithmetic, 2>>();
        case 3:
            return work.template operator()<SlicedScan<Vector, Arithmetic, 3>>();
        default:
            return work.template operator()<SlicedScan<Vector, Arithmetic, 4>>();
    }
}

template <typename Vector, typename Work>
auto withScan(const ScanSpec& spec, Work work) {
    return spec.defaultPolynomial ? withScanForMask<Vector, DefaultArithmetic>(spec, work)
                                  : withScanForMask<Vector, MatrixArithmetic>(spec, work);
}

/// CpuScan::list and CpuScan::mark with the vectors of an instruction set.
template <typename Vector>
Listed slicedList(const ScanSpec& spec, const std::uint8_t* data, std::size_t size, const ListTarget& list) {
    return withScan<Vector>(spec, [&]<typename Scan>() { return Scan::list(spec, data, size, list); });
}

template <typename Vector>
void slicedMark(const ScanSpec& spec, const std::uint8_t* data, std::size_t size, std::uint64_t* bitmap) {
    withScan<Vector>(spec, [&]<typename Scan>() { Scan::mark(spec, data, size, bitmap); });
}

}  // namespace shredder
