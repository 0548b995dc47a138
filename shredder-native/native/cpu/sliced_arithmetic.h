// SPDX-License-Identifier: Apache-2.0
#pragma once

// One step of all fingerprints of sliced_scan.h: v enters, o leaves, t is the top byte:
//   f' = (f << 8) ^ v ^ t * x^48 ^ o * x^384   (mod P).
//
// For the default polynomial t * x^48 touches bytes 0 and 1 alone, and o * x^384 is o in bytes 5, 3, 2 and 0.
// So a byte enters at byte 0, is changed as it passes byte 1, and from there on only takes up removed bytes.
// With b_k(i) for byte k of the fingerprint after step i, o(i) for the byte removed in it, and L and H for
// the two products of t = b_5(i - 1):
//   b_0(i) = v ^ o(i) ^ L,   b_1(i) = b_0(i - 1) ^ H,   b_2(i) = b_1(i - 1) ^ o(i),
//   b_3(i) = b_2(i - 1) ^ o(i) = b_1(i - 2) ^ o(i - 1) ^ o(i),   b_4(i) = b_3(i - 1),
//   b_5(i) = b_4(i - 1) ^ o(i) = b_1(i - 4) ^ o(i - 3) ^ o(i - 2) ^ o(i).
// Bytes 2 to 4 need not be kept: the last four of byte 1 and what was removed of late say all.
//
// Where a Vector's products are affine (a constant may be added for nothing), the bytes that a mask reaches
// into are kept as their differences from the marker's: with M for the marker, f ^ M is rolled, and the
// constants are what M itself would become.
#include "chunk/fingerprint.h"

namespace shredder {

/// Byte `at` of a fingerprint. Static, not inline: each file compiles it with its own flags.
static constexpr std::uint8_t byteAt(std::uint64_t fingerprint, int at) {
    return static_cast<std::uint8_t>(fingerprint >> (8 * at));
}

/// The bytes removed in the last steps, o(i) and before. out: the one of this step, in a group of the ring.
template <typename Vector, bool InMemory = Vector::kFewRegisters>
class Removed;

/// Read again from before out: kBefore of them lie there.
template <typename Vector>
class Removed<Vector, true> {
    using Bytes = typename Vector::Bytes;

  public:
    static constexpr std::size_t kBefore = 3;

    /// a ^ o(i) ^ o(i - 2) ^ o(i - 3).
    Bytes addThree(Bytes a, const Bytes* out) const {
        return Vector::both(Vector::all(a, out[-3], out[-2]), out[0]);
    }
    /// a ^ o(i) ^ o(i - 1).
    Bytes addTwo(Bytes a, const Bytes* out) const { return Vector::all(a, out[-1], out[0]); }
    void next(const Bytes*) {}
};

/// Kept, as o and o ^ the o before.
template <typename Vector>
class Removed<Vector, false> {
    using Bytes = typename Vector::Bytes;

  public:
    static constexpr std::size_t kBefore = 0;

    Bytes addThree(Bytes a, const Bytes* out) const { return Vector::all(a, pairs_[1], out[0]); }
    Bytes addTwo(Bytes a, const Bytes*) const { return Vector::both(a, pairs_[0]); }
    void next(const Bytes* out) {
        pairs_[1] = pairs_[0];
        pairs_[0] = Vector::both(out[0], last_);
        last_ = out[0];
    }

  private:
    Bytes last_ = Vector::zero();
    Bytes pairs_[2] = {Vector::zero(), Vector::zero()};
};

/// x^48 + x^5 + x^3 + x^2 + 1.
template <typename Vector>
class DefaultArithmetic {
    using Bytes = typename Vector::Bytes;
    using Product = typename Vector::Product;

  public:
    struct State {
        Bytes top;        ///< b_5
        Bytes first;      ///< b_0
        Bytes second[4];  ///< b_1 of this step and the three before
        Removed<Vector> removed = {};
    };

    /// So many bytes, the lowest, are kept as differences from the marker's.
    static constexpr int kDifferences = Vector::kAffineProducts ? 2 : 0;

    explicit DefaultArithmetic(const ScanSpec& spec)
        : kept_(kDifferences != 0 ? spec.marker & 0xFFFF : 0),
          low_(spec.tables.append, 0, byteAt(spec.tables.append[byteAt(kept_, 1)], 0) ^ byteAt(kept_, 0)),
          high_(spec.tables.append, 1,
                byteAt(spec.tables.append[byteAt(kept_, 1)], 1) ^ byteAt(kept_, 0) ^ byteAt(kept_, 1)) {}

    /// Of a window of zeros.
    State zero() const {
        Bytes second = Vector::same(byteAt(kept_, 1));
        return {second, Vector::same(byteAt(kept_, 0)), {second, second, second, second}};
    }

    /// out: the byte that leaves; before it those of the last three steps.
    void roll(State& f, Bytes in, const Bytes* out) const {
        auto top = Vector::split(f.top);
        Bytes second = Vector::both(f.first, high_(top));
        f.first = Vector::all(in, out[0], low_(top));
        f.top = f.removed.addThree(f.second[3], out);
        f.removed.next(out);
        f.second[3] = f.second[2];
        f.second[2] = f.second[1];
        f.second[1] = f.second[0];
        f.second[0] = second;
    }

    template <int Byte>
    static Bytes byteOf(const State& f, const Bytes* out) {
        if constexpr (Byte == 0) return f.first;
        if constexpr (Byte == 1) return f.second[0];
        if constexpr (Byte == 2) return Vector::both(f.second[1], out[0]);
        if constexpr (Byte == 3) return f.removed.addTwo(f.second[2], out);
    }

    /// What byteOf gives where the fingerprint's byte is the marker's.
    std::uint8_t matchOf(int byte, std::uint64_t marker) const {
        return byteAt(marker, byte) ^ byteAt(kept_, byte == 0 ? 0 : 1);
    }

  private:
    std::uint64_t kept_;  ///< the marker's bytes, of those kept as differences
    Product low_;
    Product high_;
};

/// Any polynomial of degree 48.
template <typename Vector>
class MatrixArithmetic {
    using Bytes = typename Vector::Bytes;
    using Product = typename Vector::Product;

  public:
    struct State {
        Bytes bytes[6];
    };

    static constexpr int kDifferences = Vector::kAffineProducts ? 4 : 0;

    explicit MatrixArithmetic(const ScanSpec& spec)
        : kept_(kDifferences != 0 ? spec.marker & 0xFFFF'FFFF : 0),
          append_{append(spec, 0), append(spec, 1), append(spec, 2),
                  append(spec, 3), append(spec, 4), append(spec, 5)},
          remove_{Product(spec.tables.remove, 0, 0), Product(spec.tables.remove, 1, 0),
                  Product(spec.tables.remove, 2, 0), Product(spec.tables.remove, 3, 0),
                  Product(spec.tables.remove, 4, 0), Product(spec.tables.remove, 5, 0)} {}

    State zero() const {
        State f;
        for (int k = 0; k < 6; k++) {
            f.bytes[k] = Vector::same(byteAt(kept_, k));
        }
        return f;
    }

    void roll(State& f, Bytes in, const Bytes* out) const {
        auto top = Vector::split(f.bytes[5]);
        auto removed = Vector::split(out[0]);
        for (int k = 5; k >= 0; k--) {
            Bytes shifted = k == 0 ? in : f.bytes[k - 1];
            f.bytes[k] = Vector::all(shifted, append_[k](top), remove_[k](removed));
        }
    }

    template <int Byte>
    static Bytes byteOf(const State& f, const Bytes*) {
        return f.bytes[Byte];
    }

    std::uint8_t matchOf(int byte, std::uint64_t marker) const {
        return byteAt(marker, byte) ^ byteAt(kept_, byte);
    }

  private:
    /// A byte that moves up leaves its own part of the marker behind and gets the next one's.
    Product append(const ScanSpec& spec, int byte) const {
        return Product(spec.tables.append, byte, byteAt(kept_ ^ kept_ << 8, byte));
    }

    std::uint64_t kept_;  ///< the marker's bytes, of those kept as differences
    Product append_[6];
    Product remove_[6];
};

}  // namespace shredder
