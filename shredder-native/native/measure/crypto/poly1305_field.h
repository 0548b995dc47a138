// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "chunk/host_device.h"

namespace shredder::crypto {

/// A number modulo 2^130 - 5, five limbs of 26 bits, the lowest first; limbs may be a little longer than
/// that.
struct Poly1305Number {
    std::uint32_t limb[5];
};

/// 16 bytes, little-endian, as four words; high: whether 2^128 is added, as Poly1305 does to each whole
/// block.
SHREDDER_HOST_DEVICE inline Poly1305Number numberOf(const std::uint32_t (&word)[4], std::uint32_t high) {
    constexpr std::uint32_t kLimb = 0x3FFFFFF;
    return {{word[0] & kLimb, (word[0] >> 26 | word[1] << 6) & kLimb, (word[1] >> 20 | word[2] << 12) & kLimb,
             (word[2] >> 14 | word[3] << 18) & kLimb, word[3] >> 8 | high << 24}};
}

/// The key's half r, clamped (RFC 8439, section 2.5).
SHREDDER_HOST_DEVICE inline Poly1305Number clamped(const std::uint32_t (&word)[4]) {
    std::uint32_t kept[4] = {word[0] & 0x0FFFFFFF, word[1] & 0x0FFFFFFC, word[2] & 0x0FFFFFFC,
                             word[3] & 0x0FFFFFFC};
    return numberOf(kept, 0);
}

SHREDDER_HOST_DEVICE inline Poly1305Number sum(const Poly1305Number& a, const Poly1305Number& b) {
    Poly1305Number result{};
    SHREDDER_UNROLL
    for (int i = 0; i < 5; i++) {
        result.limb[i] = a.limb[i] + b.limb[i];
    }
    return result;
}

/// For limbs below 2^28, such as the sum of three products.
SHREDDER_HOST_DEVICE inline Poly1305Number product(const Poly1305Number& a, const Poly1305Number& b) {
    constexpr std::uint64_t kLimb = 0x3FFFFFF;
    std::uint64_t column[5] = {};
    SHREDDER_UNROLL
    for (int i = 0; i < 5; i++) {
        SHREDDER_UNROLL
        for (int j = 0; j < 5; j++) {
            // 2^130 is 5.
            std::uint32_t factor = i + j < 5 ? b.limb[j] : b.limb[j] * 5;
            column[(i + j) % 5] += static_cast<std::uint64_t>(a.limb[i]) * factor;
        }
    }
    Poly1305Number result{};
    std::uint64_t carry = 0;
    SHREDDER_UNROLL
    for (int i = 0; i < 5; i++) {
        column[i] += carry;
        result.limb[i] = static_cast<std::uint32_t>(column[i] & kLimb);
        carry = column[i] >> 26;
    }
    carry = result.limb[0] + carry * 5;
    result.limb[0] = static_cast<std::uint32_t>(carry & kLimb);
    result.limb[1] += static_cast<std::uint32_t>(carry >> 26);
    return result;
}

/// base^exponent, exponent at least 1.
SHREDDER_HOST_DEVICE inline Poly1305Number power(const Poly1305Number& base, std::uint32_t exponent) {
    Poly1305Number square = base;
    Poly1305Number result{{1, 0, 0, 0, 0}};
    for (; exponent != 0; exponent >>= 1) {
        if ((exponent & 1) != 0) result = product(result, square);
        square = product(square, square);
    }
    return result;
}

/// The tag: the number, fully reduced, plus the key's half s, modulo 2^128; little-endian words.
SHREDDER_HOST_DEVICE inline void writeTag(Poly1305Number number, const std::uint32_t (&s)[4],
                                          std::uint32_t (&tag)[4]) {
    constexpr std::uint32_t kLimb = 0x3FFFFFF;
    for (int round = 0; round < 2; round++) {
        std::uint32_t carry = 0;
        for (std::uint32_t& limb : number.limb) {
            limb += carry;
            carry = limb >> 26;
            limb &= kLimb;
        }
        number.limb[0] += carry * 5;
    }
    // number is below 2^130 + 5, so number - (2^130 - 5) is number + 5 without what reaches 2^130.
    std::uint32_t less[5];
    std::uint32_t carry = 5;
    for (int i = 0; i < 5; i++) {
        less[i] = number.limb[i] + carry;
        carry = less[i] >> 26;
        less[i] &= kLimb;
    }
    const std::uint32_t* limb = carry != 0 ? less : number.limb;
    const std::uint32_t word[4] = {limb[0] | limb[1] << 26, limb[1] >> 6 | limb[2] << 20,
                                   limb[2] >> 12 | limb[3] << 14, limb[3] >> 18 | limb[4] << 8};
    std::uint64_t all = 0;
    for (int i = 0; i < 4; i++) {
        all += static_cast<std::uint64_t>(word[i]) + s[i];
        tag[i] = static_cast<std::uint32_t>(all);
        all >>= 32;
    }
}

}  // namespace shredder::crypto
