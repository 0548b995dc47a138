// SPDX-License-Identifier: Apache-2.0
//
// The kernel that the forms with vectors share. Lanes, a type of each form's own file, gives the vectors:
//
//   Bytes, kBytes                  a vector, and how many bytes it has
//   kRegisters                     vector registers of the instruction set
//   kPairs                         whether it has registers and instructions to add two products at once
//   Split, split(Bytes)            an input as its products need it
//   kFactorBytes, Factor, factor(prepared)
//   zero(), sum(a, b), sum(a, b, c)
//   withProduct(sum, factor, split); with kPairs withProducts(sum, factor, split, factor, split)
//   load(from), store(to, bytes), loadPart(from, count), storePart(to, bytes, count), count < kBytes
#pragma once

#include <cstddef>
#include <cstdint>

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

    /// The sums of `Rows` rows over `Vectors` vectors at byte `at`. Columns are unrolled: what counts them
    /// takes the ports of the vectors.
    template <std::size_t Rows, std::size_t Vectors, typename Access>
    [[gnu::always_inline]] static inline void step(const Combination& work, std::size_t at, Access access) {
        Bytes sums[Rows][Vectors];
#pragma GCC unroll 8
        for (std::size_t i = 0; i < Rows; i++) {
#pragma GCC unroll 2
            for (std::size_t v = 0; v < Vectors; v++) {
                sums[i][v] =
                    work.addToOutputs ? access.load(work.outputs[i] + at + v * Lanes::kBytes) : Lanes::zero();
            }
        }
        const std::uint8_t* factors = work.factors;
        std::size_t column = 0;
        if constexpr (Lanes::kPairs) {
#pragma GCC unroll 2
            for (; column + 2 <= work.columns; column += 2, factors += 2 * Rows * Lanes::kFactorBytes) {
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
        }
#pragma GCC unroll 4
        for (; column < work.columns; column++, factors += Rows * Lanes::kFactorBytes) {
            Split input[Vectors];
            split(input, work.inputs[column] + at, access);
#pragma GCC unroll 8
            for (std::size_t i = 0; i < Rows; i++) {
                auto factor = Lanes::factor(factors + i * Lanes::kFactorBytes);
#pragma GCC unroll 2
                for (std::size_t v = 0; v < Vectors; v++) {
                    sums[i][v] = Lanes::withProduct(sums[i][v], factor, input[v]);
                }
            }
        }
#pragma GCC unroll 8
        for (std::size_t i = 0; i < Rows; i++) {
#pragma GCC unroll 2
            for (std::size_t v = 0; v < Vectors; v++) {
                access.store(work.outputs[i] + at + v * Lanes::kBytes, sums[i][v]);
            }
        }
    }

    /// The sum of the inputs, over four vectors where they are whole.
    template <std::size_t Vectors, typename Access>
    [[gnu::always_inline]] static inline void sumStep(const Combination& work, std::size_t at,
                                                      Access access) {
        Bytes sums[Vectors];
#pragma GCC unroll 4
        for (std::size_t v = 0; v < Vectors; v++) {
            sums[v] =
                work.addToOutputs ? access.load(work.outputs[0] + at + v * Lanes::kBytes) : Lanes::zero();
        }
        for (std::size_t column = 0; column < work.columns; column++) {
#pragma GCC unroll 4
            for (std::size_t v = 0; v < Vectors; v++) {
                sums[v] = Lanes::sum(sums[v], access.load(work.inputs[column] + at + v * Lanes::kBytes));
            }
        }
#pragma GCC unroll 4
        for (std::size_t v = 0; v < Vectors; v++) {
            access.store(work.outputs[0] + at + v * Lanes::kBytes, sums[v]);
        }
    }

    /// The whole range, in steps of `Vectors` vectors: first up to where the first output is aligned, which
    /// aligns everything where all buffers lie alike, last what is no whole vector.
    template <std::size_t Vectors, typename Wide, typename One, typename Rest>
    [[gnu::always_inline]] static inline void inSteps(const Combination& work, Wide wide, One one,
                                                      Rest rest) {
        std::size_t at = work.from;
        const std::size_t end = work.from + work.bytes;
        std::size_t ahead = (0 - reinterpret_cast<std::uintptr_t>(work.outputs[0] + at)) % Lanes::kBytes;
        if (ahead != 0 && work.bytes > Lanes::kBytes) {
            rest(at, ahead);
            at += ahead;
        }
        for (; end - at >= Vectors * Lanes::kBytes; at += Vectors * Lanes::kBytes) {
            wide(at);
        }
        for (; end - at >= Lanes::kBytes; at += Lanes::kBytes) {
            one(at);
        }
        if (at < end) rest(at, end - at);
    }

    template <std::size_t Rows>
    static void combineRows(const Combination& work) {
        constexpr std::size_t kVectors = vectorsOf(Rows);
        // A copy, so that the compiler knows that no output changes it.
        const Combination own = work;
        inSteps<kVectors>(
            own, [&](std::size_t at) { step<Rows, kVectors>(own, at, Whole<Lanes>{}); },
            [&](std::size_t at) { step<Rows, 1>(own, at, Whole<Lanes>{}); },
            [&](std::size_t at, std::size_t count) { step<Rows, 1>(own, at, Part<Lanes>{count}); });
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
        inSteps<4>(
            own, [&](std::size_t at) { sumStep<4>(own, at, Whole<Lanes>{}); },
            [&](std::size_t at) { sumStep<1>(own, at, Whole<Lanes>{}); },
            [&](std::size_t at, std::size_t count) { sumStep<1>(own, at, Part<Lanes>{count}); });
    }
};

}  // namespace shredder::coding
