// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "chunk/host_device.h"

namespace shredder::crypto {

/// An element of GHASH's field (NIST SP 800-38D, section 6.3), in the order of a block's bytes: the highest
/// bit of w[0] is the coefficient of x^0.
struct alignas(16) Gf128 {
    std::uint32_t w[4];

    SHREDDER_HOST_DEVICE Gf128& operator^=(const Gf128& other) {
        SHREDDER_UNROLL
        for (int i = 0; i < 4; i++) {
            w[i] ^= other.w[i];
        }
        return *this;
    }
    SHREDDER_HOST_DEVICE bool isZero() const { return (w[0] | w[1] | w[2] | w[3]) == 0; }
};

/// Algorithm 1 of the standard, without branches.
SHREDDER_HOST_DEVICE inline Gf128 multiply(const Gf128& a, const Gf128& b) {
    Gf128 product{};
    Gf128 shifted = b;
    SHREDDER_UNROLL
    for (int word = 0; word < 4; word++) {
        std::uint32_t bits = a.w[word];
        for (int bit = 0; bit < 32; bit++) {
            std::uint32_t taken = 0U - (bits >> 31);
            bits <<= 1;
            SHREDDER_UNROLL
            for (int i = 0; i < 4; i++) {
                product.w[i] ^= shifted.w[i] & taken;
            }
            std::uint32_t reduce = 0U - (shifted.w[3] & 1);
            shifted.w[3] = shifted.w[3] >> 1 | shifted.w[2] << 31;
            shifted.w[2] = shifted.w[2] >> 1 | shifted.w[1] << 31;
            shifted.w[1] = shifted.w[1] >> 1 | shifted.w[0] << 31;
            shifted.w[0] = shifted.w[0] >> 1 ^ (0xE1000000U & reduce);
        }
    }
    return product;
}

/// base^exponent, exponent at least 1.
SHREDDER_HOST_DEVICE inline Gf128 power(const Gf128& base, std::uint32_t exponent) {
    Gf128 square = base;
    Gf128 result{{0x80000000U, 0, 0, 0}};
    for (; exponent != 0; exponent >>= 1) {
        if ((exponent & 1) != 0) result = multiply(result, square);
        square = multiply(square, square);
    }
    return result;
}

}  // namespace shredder::crypto
