// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace shredder::coding {

/// The field of 256 elements that Hadoop and ISA-L code with: polynomials over GF(2) modulo x^8 + x^4 + x^3 +
/// x^2 + 1, bit i of a byte the coefficient of x^i. Addition is XOR; x, which is 2, generates all but 0.
inline constexpr unsigned kFieldPolynomial = 0x11d;

/// Elements of the field.
inline constexpr unsigned kFieldSize = 256;

/// Bit by bit: the definition.
constexpr std::uint8_t product(std::uint8_t a, std::uint8_t b) {
    unsigned sum = 0;
    unsigned shifted = a;
    for (unsigned bit = 0; bit < 8; bit++) {
        if (((b >> bit) & 1) != 0) sum ^= shifted;
        shifted <<= 1;
        if ((shifted & kFieldSize) != 0) shifted ^= kFieldPolynomial;
    }
    return static_cast<std::uint8_t>(sum);
}

/// The b with product(a, b) == 1, which is a^254; 0 of 0.
constexpr std::uint8_t inverse(std::uint8_t a) {
    std::uint8_t power = 1;
    for (unsigned i = 0; i < kFieldSize - 2; i++) {
        power = product(power, a);
    }
    return power;
}

/// products()[a][b] is product(a, b): 64 KiB, computed when first asked for.
const std::array<std::array<std::uint8_t, kFieldSize>, kFieldSize>& products();

/// inverses()[a] is inverse(a).
const std::array<std::uint8_t, kFieldSize>& inverses();

/// target[i] += factor * source[i], byte by byte.
inline void addMultiple(std::uint8_t* target, std::uint8_t factor, const std::uint8_t* source,
                        std::size_t bytes) {
    const auto& multiples = products()[factor];
    for (std::size_t i = 0; i < bytes; i++) {
        target[i] ^= multiples[source[i]];
    }
}

}  // namespace shredder::coding
