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
// Bytes 2 to 4 need not be kept: the last four of byte 1 and o(i) ^ o(i - 1) of the last three steps say all.
#include "chunk/fingerprint.h"

namespace shredder {

/// x^48 + x^5 + x^3 + x^2 + 1.
template <typename Vector>
class DefaultArithmetic {
    using Bytes = typename Vector::Bytes;

  public:
    struct State {
        Bytes top = Vector::zero();      ///< b_5
        Bytes first = Vector::zero();    ///< b_0
        Bytes second[4] = {};            ///< b_1 of this step and the three before
        Bytes removed = Vector::zero();  ///< o of this step
        Bytes removedPairs[2] = {};      ///< o ^ the o before, of this step and the one before
    };

    explicit DefaultArithmetic(const RollTables& tables) : low_(tables.append, 0), high_(tables.append, 1) {}

    void roll(State& f, Bytes in, Bytes out) const {
        auto top = Vector::split(f.top);
        Bytes second = Vector::both(f.first, high_(top));
        f.first = Vector::all(in, out, low_(top));
        f.top = Vector::all(f.second[3], f.removedPairs[1], out);
        f.second[3] = f.second[2];
        f.second[2] = f.second[1];
        f.second[1] = f.second[0];
        f.second[0] = second;
        f.removedPairs[1] = f.removedPairs[0];
        f.removedPairs[0] = Vector::both(out, f.removed);
        f.removed = out;
    }

    template <int Byte>
    static Bytes byteOf(const State& f) {
        if constexpr (Byte == 0) return f.first;
        if constexpr (Byte == 1) return f.second[0];
        if constexpr (Byte == 2) return Vector::both(f.second[1], f.removed);
        if constexpr (Byte == 3) return Vector::both(f.second[2], f.removedPairs[0]);
    }

  private:
    typename Vector::Product low_;
    typename Vector::Product high_;
};

/// Any polynomial of degree 48.
template <typename Vector>
class MatrixArithmetic {
    using Bytes = typename Vector::Bytes;
    using Product = typename Vector::Product;

  public:
    struct State {
        Bytes bytes[6] = {};
    };

    explicit MatrixArithmetic(const RollTables& tables)
        : append_{Product(tables.append, 0), Product(tables.append, 1), Product(tables.append, 2),
                  Product(tables.append, 3), Product(tables.append, 4), Product(tables.append, 5)},
          remove_{Product(tables.remove, 0), Product(tables.remove, 1), Product(tables.remove, 2),
                  Product(tables.remove, 3), Product(tables.remove, 4), Product(tables.remove, 5)} {}

    void roll(State& f, Bytes in, Bytes out) const {
        auto top = Vector::split(f.bytes[5]);
        auto removed = Vector::split(out);
        for (int k = 5; k >= 0; k--) {
            Bytes shifted = k == 0 ? in : f.bytes[k - 1];
            f.bytes[k] = Vector::all(shifted, append_[k](top), remove_[k](removed));
        }
    }

    template <int Byte>
    static Bytes byteOf(const State& f) {
        return f.bytes[Byte];
    }

  private:
    Product append_[6];
    Product remove_[6];
};

}  // namespace shredder
