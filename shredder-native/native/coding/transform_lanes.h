// SPDX-License-Identifier: Apache-2.0
//
// The transforms of transform.h with the Lanes of combine_lanes.h: a column of 64 bytes of every shard at a
// time, in memory of its own that the nearest cache holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "coding/form.h"

namespace shredder::coding {

template <typename Lanes>
class TransformKernel {
  public:
    static void run(const TransformWork& work) {
        const TransformWork own = work;
        Memory memory;
        std::size_t at = own.from;
        const std::size_t end = own.from + own.bytes;
        for (; end - at >= kColumnBytes; at += kColumnBytes) {
            column(own, memory, at);
        }
        if (at < end) rest(own, memory, at, end - at);
    }

  private:
    using Bytes = typename Lanes::Bytes;

    static constexpr std::size_t kColumnBytes = 64;
    static constexpr std::size_t kVectors = kColumnBytes / Lanes::kBytes;
    static constexpr std::size_t kMostShards = 256;
    /// Columns ahead that are fetched while one is computed: no CPU foresees so many streams.
    static constexpr std::size_t kPrefetchBytes = 4 * kColumnBytes;

    struct alignas(64) Column {
        std::uint8_t bytes[kColumnBytes];
    };

    struct Memory {
        Column coefficients[kMostShards];  ///< of the polynomials of all blocks of inputs
        Column values[kMostTransformShards];
    };

    /// The values that one group of a pass has in registers.
    template <std::size_t Layers>
    struct Group {
        static constexpr std::size_t kSize = std::size_t{1} << Layers;
        Bytes values[kSize][kVectors];

        /// Of the factors of a group, that of layer `layer` for the values from r on.
        [[gnu::always_inline]] static auto factor(const std::uint8_t* twiddles, std::size_t layer,
                                                  std::size_t r) {
            std::size_t index = kSize - (kSize >> layer) + (r >> (layer + 1));
            return Lanes::factor(twiddles + index * Lanes::kFactorBytes);
        }

        /// From coefficients to values: a += twiddle * b, b += a, from the highest layer down.
        [[gnu::always_inline]] void evaluate(const std::uint8_t* twiddles) {
#pragma GCC unroll 3
            for (std::size_t above = 0; above < Layers; above++) {
                const std::size_t layer = Layers - 1 - above;
#pragma GCC unroll 8
                for (std::size_t r = 0; r < kSize; r++) {
                    std::size_t other = r + (std::size_t{1} << layer);
                    if ((r >> layer & 1) != 0) continue;
                    auto twiddle = factor(twiddles, layer, r);
#pragma GCC unroll 2
                    for (std::size_t v = 0; v < kVectors; v++) {
                        values[r][v] =
                            Lanes::withProduct(values[r][v], twiddle, Lanes::split(values[other][v]));
                        values[other][v] = Lanes::sum(values[other][v], values[r][v]);
                    }
                }
            }
        }

        /// The way back, from the lowest layer up.
        [[gnu::always_inline]] void interpolate(const std::uint8_t* twiddles) {
#pragma GCC unroll 3
            for (std::size_t layer = 0; layer < Layers; layer++) {
#pragma GCC unroll 8
                for (std::size_t r = 0; r < kSize; r++) {
                    std::size_t other = r + (std::size_t{1} << layer);
                    if ((r >> layer & 1) != 0) continue;
                    auto twiddle = factor(twiddles, layer, r);
#pragma GCC unroll 2
                    for (std::size_t v = 0; v < kVectors; v++) {
                        values[other][v] = Lanes::sum(values[other][v], values[r][v]);
                        values[r][v] =
                            Lanes::withProduct(values[r][v], twiddle, Lanes::split(values[other][v]));
                    }
                }
            }
        }
    };

    /// All groups of a pass over `Layers` layers from `lowest` on: load(values, shard, step) the values of
    /// shard, shard + step, .., compute, store(shard, vector, bytes).
    template <std::size_t Layers, bool Inverse, typename Load, typename Store>
    [[gnu::always_inline]] static inline void passOf(std::size_t blockShards, std::size_t lowest,
                                                     const std::uint8_t* twiddles, Load load, Store store) {
        using Values = Group<Layers>;
        for (std::size_t high = 0; high < blockShards; high += Values::kSize << lowest) {
            for (std::size_t low = 0; low < std::size_t{1} << lowest; low++) {
                Values group;
                load(group.values, high + low, std::size_t{1} << lowest);
                if constexpr (Inverse) {
                    group.interpolate(twiddles);
                } else {
                    group.evaluate(twiddles);
                }
#pragma GCC unroll 8
                for (std::size_t r = 0; r < Values::kSize; r++) {
#pragma GCC unroll 2
                    for (std::size_t v = 0; v < kVectors; v++) {
                        store(high + low + (r << lowest), v, group.values[r][v]);
                    }
                }
            }
            twiddles += (Values::kSize - 1) * Lanes::kFactorBytes;
        }
    }

    template <bool Inverse, typename Load, typename Store>
    [[gnu::always_inline]] static inline void pass(const TransformWork& work, std::size_t number,
                                                   const std::uint8_t* twiddles, Load load, Store store) {
        std::size_t lowest = 0;
        for (std::size_t i = 0; i < number; i++) {
            twiddles += twiddlesOf(work, lowest, i) * Lanes::kFactorBytes;
            lowest += work.passes[i];
        }
        if (work.passes[number] == 3) {
            if constexpr (Lanes::kRegisters >= 32) {
                passOf<3, Inverse>(work.blockShards, lowest, twiddles, load, store);
            }
        } else if (work.passes[number] == 2) {
            passOf<2, Inverse>(work.blockShards, lowest, twiddles, load, store);
        } else {
            passOf<1, Inverse>(work.blockShards, lowest, twiddles, load, store);
        }
    }

    /// How many factors a pass has, the layers below which are `lowest`.
    static std::size_t twiddlesOf(const TransformWork& work, std::size_t lowest, std::size_t number) {
        std::size_t layers = work.passes[number];
        return (work.blockShards >> (lowest + layers)) * ((std::size_t{1} << layers) - 1);
    }

    /// Calls each(value, i, v) for the vectors v of the values i of a group.
    template <std::size_t Size, typename Each>
    [[gnu::always_inline]] static inline void forEach(Bytes (&values)[Size][kVectors], Each each) {
#pragma GCC unroll 8
        for (std::size_t i = 0; i < Size; i++) {
#pragma GCC unroll 2
            for (std::size_t v = 0; v < kVectors; v++) {
                each(values[i][v], i, v);
            }
        }
    }

    static Bytes loadOf(const Column& column, std::size_t v) {
        return Lanes::load(column.bytes + v * Lanes::kBytes);
    }
    /// What loads a group out of columns.
    static auto loadFrom(const Column* columns) {
        return [=](auto& values, std::size_t first, std::size_t step) {
            forEach(values, [&](Bytes& value, std::size_t i, std::size_t v) {
                value = loadOf(columns[first + i * step], v);
            });
        };
    }
    static void storeTo(Column& column, std::size_t v, Bytes bytes) {
        Lanes::store(column.bytes + v * Lanes::kBytes, bytes);
    }

    /// Adds columns, step apart, to a group.
    template <typename Values, typename Factor>
    [[gnu::always_inline]] static inline void addMultiple(Values& values, Factor factor,
                                                          const Column* columns, std::size_t step) {
        forEach(values, [&](Bytes& value, std::size_t i, std::size_t v) {
            value = Lanes::withProduct(value, factor, Lanes::split(loadOf(columns[i * step], v)));
        });
    }

    /// The coefficients of the polynomial of a block of inputs.
    static void interpolate(const TransformWork& work, const std::uint8_t* twiddles,
                            const std::uint8_t* const* inputs, std::size_t at, Column* coefficients) {
        auto store = [&](std::size_t i, std::size_t v, Bytes bytes) { storeTo(coefficients[i], v, bytes); };
        pass<true>(
            work, 0, twiddles,
            [&](auto& values, std::size_t first, std::size_t step) {
                forEach(values, [&](Bytes& value, std::size_t i, std::size_t v) {
                    const std::uint8_t* from = inputs[first + i * step] + at + v * Lanes::kBytes;
                    __builtin_prefetch(from + kPrefetchBytes, 0, 3);
                    value = Lanes::load(from);
                });
            },
            store);
        for (std::size_t number = 1; number < work.passCount; number++) {
            pass<true>(work, number, twiddles, loadFrom(coefficients), store);
        }
    }

    /// The values of a block of outputs: of the sum of all blocks' polynomials, each scaled.
    static void evaluate(const TransformWork& work, const std::uint8_t* twiddles, const std::uint8_t* scales,
                         Memory& memory, std::uint8_t* const* outputs, std::size_t count, std::size_t at) {
        std::size_t number = work.passCount - 1;
        auto store = [&](std::size_t i, std::size_t v, Bytes bytes) { storeTo(memory.values[i], v, bytes); };
        pass<false>(
            work, number, twiddles,
            [&](auto& values, std::size_t first, std::size_t step) {
                const Column* block = memory.coefficients + first;
                forEach(values, [&](Bytes& value, std::size_t, std::size_t) { value = Lanes::zero(); });
                for (std::size_t i = 0; i < work.inputBlocks; i++, block += work.blockShards) {
                    addMultiple(values, Lanes::factor(scales + i * Lanes::kFactorBytes), block, step);
                }
            },
            store);
        auto load = loadFrom(memory.values);
        while (--number > 0) {
            pass<false>(work, number, twiddles, load, store);
        }
        pass<false>(work, 0, twiddles, load, [&](std::size_t i, std::size_t v, Bytes bytes) {
            if (i >= count) return;
            std::uint8_t* to = outputs[i] + at + v * Lanes::kBytes;
            __builtin_prefetch(to + kPrefetchBytes, 1, 3);
            Lanes::store(to, bytes);
        });
    }

    /// The polynomials of all blocks of inputs.
    static void interpolateAll(const TransformWork& work, const std::uint8_t* const* inputs, std::size_t at,
                               Column* coefficients) {
        const std::size_t twiddleBytes = (work.blockShards - 1) * Lanes::kFactorBytes;
        for (std::size_t block = 0; block < work.inputBlocks; block++) {
            std::size_t first = block * work.blockShards;
            interpolate(work, work.inputTwiddles + block * twiddleBytes, inputs + first, at,
                        coefficients + first);
        }
    }

    /// Calls each(twiddles, scales, first, count) for the outputs of each block, count from the first on.
    template <typename Each>
    [[gnu::always_inline]] static inline void forEachBlockOfOutputs(const TransformWork& work, Each each) {
        const std::uint8_t* twiddles = work.outputTwiddles;
        const std::uint8_t* scales = work.scales;
        for (std::size_t first = 0; first < work.outputShards; first += work.blockShards) {
            std::size_t left = work.outputShards - first;
            each(twiddles, scales, first, left < work.blockShards ? left : work.blockShards);
            twiddles += (work.blockShards - 1) * Lanes::kFactorBytes;
            scales += work.inputBlocks * Lanes::kFactorBytes;
        }
    }

    /// The outputs of one whole column.
    static void column(const TransformWork& work, Memory& memory, std::size_t at) {
        interpolateAll(work, work.inputs, at, memory.coefficients);
        forEachBlockOfOutputs(work, [&](const std::uint8_t* twiddles, const std::uint8_t* scales,
                                        std::size_t first, std::size_t count) {
            evaluate(work, twiddles, scales, memory, work.outputs + first, count, at);
        });
    }

    /// The last bytes, fewer than a column: through copies, which lie where what is computed of them will.
    /// Each group of a pass is loaded before it is stored to the same places; so nothing is in the way, and
    /// the stack of a thread of the JVM has room for no second memory.
    static void rest(const TransformWork& work, Memory& memory, std::size_t at, std::size_t count) {
        const std::uint8_t* from[kMostShards];
        for (std::size_t i = 0; i < work.inputBlocks * work.blockShards; i++) {
            std::uint8_t* copy = memory.coefficients[i].bytes;
            std::memcpy(copy, work.inputs[i] + at, count);
            std::memset(copy + count, 0, kColumnBytes - count);
            from[i] = copy;
        }
        interpolateAll(work, from, 0, memory.coefficients);
        std::uint8_t* to[kMostTransformShards];
        for (std::size_t i = 0; i < work.blockShards; i++) {
            to[i] = memory.values[i].bytes;
        }
        forEachBlockOfOutputs(work, [&](const std::uint8_t* twiddles, const std::uint8_t* scales,
                                        std::size_t first, std::size_t outputs) {
            evaluate(work, twiddles, scales, memory, to, outputs, 0);
            for (std::size_t i = 0; i < outputs; i++) {
                std::memcpy(work.outputs[first + i] + at, to[i], count);
            }
        });
    }
};

}  // namespace shredder::coding
