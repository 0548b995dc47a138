// SPDX-License-Identifier: Apache-2.0
#pragma once

// The constants of a product "byte times constant", a linear map over GF(2), in the two forms that vector
// instructions take. Static, not inline: each file compiles them with its own flags.
#include <cstddef>
#include <cstdint>

namespace shredder {

/// The map from a byte to byte `at` of table[byte], as the 8 x 8 bit matrix of gf2p8affineqb: row 0 in the
/// most significant byte, column 0 in the least significant bit.
static inline std::uint64_t matrixOf(const std::uint64_t* table, int at) {
    std::uint64_t matrix = 0;
    for (int row = 0; row < 8; row++) {
        std::uint64_t bits = 0;
        for (int column = 0; column < 8; column++) {
            bits |= (table[1 << column] >> (8 * at + row) & 1) << column;
        }
        matrix |= bits << (8 * (7 - row));
    }
    return matrix;
}

/// The same map, and a constant added, as two tables of 16 bytes for a byte shuffle, of the low and of the
/// high half of the byte: map(byte) = low[byte % 16] ^ high[byte / 16].
struct HalfTables {
    alignas(16) std::uint8_t low[16];
    alignas(16) std::uint8_t high[16];
};

static inline HalfTables halfTablesOf(const std::uint64_t* table, int at, std::uint8_t constant) {
    HalfTables halves{};
    for (std::size_t half = 0; half < 16; half++) {
        halves.low[half] = static_cast<std::uint8_t>(table[half] >> (8 * at)) ^ constant;
        halves.high[half] = static_cast<std::uint8_t>(table[16 * half] >> (8 * at));
    }
    return halves;
}

}  // namespace shredder
