// SPDX-License-Identifier: Apache-2.0
//
// The kernel that the forms with vectors share. Lanes, a type of each form's own file, gives the vectors:
//
//   Bytes, kBytes                  a vector, and how many bytes it has
//   kRegisters                     vector registers of the instruction set
//   kKeptFactors                   how many factors may stay in registers while rows are computed, with
//                                  kPairs; 0 for none
//   kPairs                         whether it has registers and instructions to add two products at once
//   Split, split(Bytes)            an input as its products need it
//   kFactorBytes, Factor, factor(prepared)
//   zero(), sum(a, b), sum(a, b, c)
//   withProduct(sum, factor, split); with kPairs withProducts(sum, factor, split, factor, split), else
//   product(factor, split)
//   load(from), store(to, bytes), loadPart(from, count), storePart(to, bytes, count), count < kBytes
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "coding/form.h"

namespace shredder::coding {

/// Vectors of whole length.
template <typename Lanes>
struct Whole {
    typename Lanes::Bytes load(const std::uint8_t* from) const { return Lanes::load(from); }
    void store(std::uint8_t* to, typename Lanes::Bytes bytes) const { Lanes::store(to, bytes); }
};

/// Vectors of which only the first `count` bytes are there.
template <typename Lanes>
struct Part {
    std::size_t count;
    typename Lanes::Bytes load(const std::uint8_t* from) const { return Lanes::loadPart(from, count); }
    void store(std::uint8_t* to, typename Lanes::Bytes bytes) const { Lanes::storePart(to, bytes, count); }
};

template <typename Lanes>
struct LaneKernel {
    using Bytes = typename Lanes::Bytes;
    using Split = typename Lanes::Split;

    /// Shapes for which all factors may be kept in registers: a single row waits for its inputs anyway.
    static constexpr std::size_t kLeastKeptRows = 2;
    static constexpr std::size_t kLeastKeptColumns = 2;
    static constexpr std::size_t kKeptColumns = 7;

    /// Vectors side by side, so that a factor is loaded once for them: as many as leave registers for the
    /// inputs and a factor.
    static constexpr std::size_t vectorsOf(std::size_t rows) {
        return rows * 2 + 8 <= Lanes::kRegisters ? 2 : 1;
    }

    template <std::size_t Vectors, typename Access>
    [[gnu::always_inline]] static inline void split(Split (&splits)[Vectors], const std::uint8_t* from,
                                                    Access access) {
#pragma GCC unroll 2
        for (std::size_t v = 0; v < Vectors; v++) {
            splits[v] = Lanes::split(access.load(from + v * Lanes::kBytes));
        }
    }

    template <std::size_t Rows, std::size_t Vectors>
    using Sums = Bytes[Rows][Vectors];

    /// Adds the products of two columns.
    template <std::size_t Rows, std::size_t Vectors, typename Access>
    [[gnu::always_inline]] static inline void addPair(Sums<Rows, Vectors>& sums, const Combination& work,
                                                      std::size_t column, std::size_t at, Access access) {
        const std::uint8_t* factors = work.factors + column * Rows * Lanes::kFactorBytes;
        Split first[Vectors];
        Split second[Vectors];
        split(first, work.inputs[column] + at, access);
        split(second, work.inputs[column + 1] + at, access);
#pragma GCC unroll 8
        for (std::size_t i = 0; i < Rows; i++) {
            auto a = Lanes::factor(factors + i * Lanes::kFactorBytes);
            auto b = Lanes::factor(factors + (Rows + i) * Lanes::kFactorBytes);
#pragma GCC unroll 2
            for (std::size_t v = 0; v < Vectors; v++) {
                sums[i][v] = Lanes::withProducts(sums[i][v], a, first[v], b, second[v]);
            }
        }
    }

    /// Adds the products of one column; they are the sums of the first one.
    template <std::size_t Rows, std::size_t Vectors, bool First, typename Access>
    [[gnu::always_inline]] static inline void addOne(Sums<Rows, Vectors>& sums, const Combination& work,
                                                     std::size_t column, std::size_t at, Access access) {
        const std::uint8_t* factors = work.factors + column * Rows * Lanes::kFactorBytes;
        Split input[Vectors];
        split(input, work.inputs[column] + at, access);
#pragma GCC unroll 8
        for (std::size_t i = 0; i < Rows; i++) {
            auto factor = Lanes::factor(factors + i * Lanes::kFactorBytes);
#pragma GCC unroll 2
            for (std::size_t v = 0; v < Vectors; v++) {
                if constexpr (First) {
                    sums[i][v] = Lanes::product(factor, input[v]);
                } else {
                    sums[i][v] = Lanes::withProduct(sums[i][v], factor, input[v]);
                }
            }
        }
    }

    /// The sums of `Rows` rows over `Vectors` vectors at byte `at`; the first `Own` columns by instructions
    /// of their own.
    template <std::size_t Rows, std::size_t Vectors, std::size_t Own, typename Access>
    [[gnu::always_inline]] static inline void step(const Combination& work, std::size_t at, Access access) {
        Sums<Rows, Vectors> sums;
        std::size_t column = 0;
        if (work.addToOutputs) {
#pragma GCC unroll 8
            for (std::size_t i = 0; i < Rows; i++) {
#pragma GCC unroll 2
                for (std::size_t v = 0; v < Vectors; v++) {
                    sums[i][v] = access.load(work.outputs[i] + at + v * Lanes::kBytes);
                }
            }
            if constexpr (!Lanes::kPairs) addOne<Rows, Vectors, false>(sums, work, column++, at, access);
        } else if constexpr (Lanes::kPairs) {
#pragma GCC unroll 8
            for (std::size_t i = 0; i < Rows; i++) {
#pragma GCC unroll 2
                for (std::size_t v = 0; v < Vectors; v++) {
                    sums[i][v] = Lanes::zero();
                }
            }
        } else {
            addOne<Rows, Vectors, true>(sums, work, column++, at, access);
        }
        if constexpr (Own > 0 && Lanes::kPairs) {
#pragma GCC unroll 10
            for (std::size_t own = 0; own < Own; own += 2) {
                if (own + 2 > work.columns) break;
                addPair<Rows, Vectors>(sums, work, own, at, access);
                column = own + 2;
            }
        } else if constexpr (Own > 0) {
#pragma GCC unroll 20
            for (std::size_t own = 1; own < Own; own++) {
                if (own == work.columns) break;
                addOne<Rows, Vectors, false>(sums, work, own, at, access);
                column = own + 1;
            }
        }
        if constexpr (Lanes::kPairs) {
            for (; column + 2 <= work.columns; column += 2) {
                addPair<Rows, Vectors>(sums, work, column, at, access);
            }
        }
        for (; column < work.columns; column++) {
            addOne<Rows, Vectors, false>(sums, work, column, at, access);
        }
#pragma GCC unroll 8
        for (std::size_t i = 0; i < Rows; i++) {
#pragma GCC unroll 2
            for (std::size_t v = 0; v < Vectors; v++) {
                access.store(work.outputs[i] + at + v * Lanes::kBytes, sums[i][v]);
            }
        }
    }

    template <std::size_t Rows, std::size_t Columns>
    using Factors = typename Lanes::Factor[Columns][Rows];

    /// The same over one vector with factors that are in registers already.
    template <std::size_t Rows, std::size_t Columns>
    [[gnu::always_inline]] static inline void keptStep(const Factors<Rows, Columns>& factors,
                                                       const std::uint8_t* const (&inputs)[Columns],
                                                       std::uint8_t* const (&outputs)[Rows], std::size_t at) {
        Bytes sums[Rows];
#pragma GCC unroll 8
        for (std::size_t i = 0; i < Rows; i++) {
            sums[i] = Lanes::zero();
        }
#pragma GCC unroll 8
        for (std::size_t j = 0; j + 1 < Columns; j += 2) {
            Split first = Lanes::split(Lanes::load(inputs[j] + at));
            Split second = Lanes::split(Lanes::load(inputs[j + 1] + at));
#pragma GCC unroll 8
            for (std::size_t i = 0; i < Rows; i++) {
                sums[i] = Lanes::withProducts(sums[i], factors[j][i], first, factors[j + 1][i], second);
            }
        }
        if constexpr (Columns % 2 == 1) {
            Split last = Lanes::split(Lanes::load(inputs[Columns - 1] + at));
#pragma GCC unroll 8
            for (std::size_t i = 0; i < Rows; i++) {
                sums[i] = Lanes::withProduct(sums[i], factors[Columns - 1][i], last);
            }
        }
#pragma GCC unroll 8
        for (std::size_t i = 0; i < Rows; i++) {
            Lanes::store(outputs[i] + at, sums[i]);
        }
    }

    template <std::size_t Vectors, typename Access>
    [[gnu::always_inline]] static inline void addTo(Bytes (&sums)[Vectors], const std::uint8_t* from,
                                                    Access access) {
#pragma GCC unroll 4
        for (std::size_t v = 0; v < Vectors; v++) {
            sums[v] = Lanes::sum(sums[v], access.load(from + v * Lanes::kBytes));
        }
    }

    /// The sum of the inputs, over four vectors where they are whole.
    template <std::size_t Vectors, std::size_t Own, typename Access>
    [[gnu::always_inline]] static inline void sumStep(const Combination& work, std::size_t at,
                                                      Access access) {
        Bytes sums[Vectors];
#pragma GCC unroll 4
        for (std::size_t v = 0; v < Vectors; v++) {
            sums[v] =
                work.addToOutputs ? access.load(work.outputs[0] + at + v * Lanes::kBytes) : Lanes::zero();
        }
        std::size_t column = 0;
        if constexpr (Own > 0) {
#pragma GCC unroll 20
            for (std::size_t own = 0; own < Own; own++) {
                if (own == work.columns) break;
                addTo(sums, work.inputs[own] + at, access);
                column = own + 1;
            }
        }
        for (; column < work.columns; column++) {
            addTo(sums, work.inputs[column] + at, access);
        }
#pragma GCC unroll 4
        for (std::size_t v = 0; v < Vectors; v++) {
            access.store(work.outputs[0] + at + v * Lanes::kBytes, sums[v]);
        }
    }

    /// The range in its parts: what lies before the first output is aligned, which aligns everything where
    /// all buffers lie alike, then whole vectors, last what is no whole vector.
    template <typename Vectors, typename Rest>
    [[gnu::always_inline]] static inline void inParts(const Combination& work, Vectors vectors, Rest rest) {
        std::size_t at = work.from;
        const std::size_t end = work.from + work.bytes;
        std::size_t ahead = (0 - reinterpret_cast<std::uintptr_t>(work.outputs[0] + at)) % Lanes::kBytes;
        if (ahead != 0 && work.bytes > Lanes::kBytes) {
            rest(at, ahead);
            at += ahead;
        }
        const std::size_t last = end - (end - at) % Lanes::kBytes;
        vectors(at, last);
        if (last < end) rest(last, end - last);
    }

    /// Whole vectors of a range.
    template <std::size_t Rows>
    [[gnu::noinline]] static void rowsOf(const Combination& work, std::size_t at, std::size_t end) {
        constexpr std::size_t kVectors = vectorsOf(Rows);
        // A copy, so that the compiler knows that no output changes it.
        const Combination own = work;
        for (; end - at >= kVectors * Lanes::kBytes; at += kVectors * Lanes::kBytes) {
            step<Rows, kVectors, kOwnColumns>(own, at, Whole<Lanes>{});
        }
        for (; at < end; at += Lanes::kBytes) {
            step<Rows, 1, 0>(own, at, Whole<Lanes>{});
        }
    }

    /// The same with so many columns, whose factors stay in registers.
    template <std::size_t Rows, std::size_t Columns>
    [[gnu::noinline]] static void keptRowsOf(const Combination& work, std::size_t at, std::size_t end) {
        Factors<Rows, Columns> factors;
        const std::uint8_t* inputs[Columns];
        std::uint8_t* outputs[Rows];
#pragma GCC unroll 8
        for (std::size_t j = 0; j < Columns; j++) {
            inputs[j] = work.inputs[j];
#pragma GCC unroll 8
            for (std::size_t i = 0; i < Rows; i++) {
                factors[j][i] = Lanes::factor(work.factors + (j * Rows + i) * Lanes::kFactorBytes);
            }
        }
#pragma GCC unroll 8
        for (std::size_t i = 0; i < Rows; i++) {
            outputs[i] = work.outputs[i];
        }
        for (; at < end; at += Lanes::kBytes) {
            keptStep<Rows, Columns>(factors, inputs, outputs, at);
        }
    }

    using Range = void (*)(const Combination& work, std::size_t at, std::size_t end);

    /// How whole vectors of so many rows and columns are computed.
    template <std::size_t Rows, std::size_t... Columns>
    static Range rangeFor(const Combination& work, std::index_sequence<Columns...>) {
        Range range = rowsOf<Rows>;
        if constexpr (Rows >= kLeastKeptRows) {
            if (!work.addToOutputs) (keep<Rows, Columns + kLeastKeptColumns>(work.columns, range), ...);
        }
        return range;
    }

    template <std::size_t Rows, std::size_t Columns>
    static void keep(std::size_t columns, Range& range) {
        if constexpr (Rows * Columns <= Lanes::kKeptFactors) {
            if (columns == Columns) range = keptRowsOf<Rows, Columns>;
        }
    }

    template <std::size_t Rows>
    static void combineRows(const Combination& work) {
        inParts(
            work,
            [range = rangeFor<Rows>(work, std::make_index_sequence<kKeptColumns>{}), &work](
                std::size_t at, std::size_t end) { range(work, at, end); },
            [&](std::size_t at, std::size_t count) { step<Rows, 1, 0>(work, at, Part<Lanes>{count}); });
    }

    static void combine(const Combination& work) {
        static constexpr void (*kByRows[])(const Combination&) = {
            combineRows<1>, combineRows<2>, combineRows<3>, combineRows<4>,
            combineRows<5>, combineRows<6>, combineRows<7>, combineRows<8>};
        static_assert(sizeof kByRows / sizeof *kByRows == kMostRows);
        kByRows[work.rows - 1](work);
    }

    static void sum(const Combination& work) {
        const Combination own = work;
        inParts(
            own,
            [&](std::size_t at, std::size_t end) {
                for (; end - at >= 4 * Lanes::kBytes; at += 4 * Lanes::kBytes) {
                    sumStep<4, kOwnColumns>(own, at, Whole<Lanes>{});
                }
                for (; at < end; at += Lanes::kBytes) {
                    sumStep<1, 0>(own, at, Whole<Lanes>{});
                }
            },
            [&](std::size_t at, std::size_t count) { sumStep<1, 0>(own, at, Part<Lanes>{count}); });
    }
};

}  // namespace shredder::coding
