// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "chunk/host_device.h"
#include "measure/crypto/gf128.h"

// AES-256 and the products of GHASH by tables, from one source for the CPU and the GPU. Not for secrets: how
// long a look-up takes depends on them.
namespace shredder::crypto {

inline constexpr int kAesRounds = 14;
inline constexpr int kAesRoundKeyWords = 4 * (kAesRounds + 1);

/// Times x in AES's field (FIPS 197, section 4.2.1).
constexpr std::uint8_t aesTimesX(std::uint8_t value) {
    return static_cast<std::uint8_t>(value << 1 ^ ((value & 0x80) != 0 ? 0x1B : 0));
}

/// The substitution box, and SubBytes and MixColumns of one byte: (2s, s, s, 3s), the first on top.
struct AesTables {
    std::uint8_t box[256];
    std::uint32_t mixed[256];
};

/// From the definition (FIPS 197, section 5.1.1): 3 generates the field, so 3^i and 3^-i are inverses.
constexpr AesTables makeAesTables() {
    AesTables tables{};
    std::uint8_t value = 1;
    std::uint8_t inverse = 1;
    tables.box[0] = 0x63;
    do {
        value = static_cast<std::uint8_t>(value ^ aesTimesX(value));
        inverse = static_cast<std::uint8_t>(inverse ^ inverse << 1);
        inverse = static_cast<std::uint8_t>(inverse ^ inverse << 2);
        inverse = static_cast<std::uint8_t>(inverse ^ inverse << 4);
        if ((inverse & 0x80) != 0) inverse ^= 0x09;
        std::uint32_t twice = static_cast<std::uint32_t>(inverse) * 0x101;
        tables.box[value] =
            static_cast<std::uint8_t>((twice ^ twice >> 4 ^ twice >> 5 ^ twice >> 6 ^ twice >> 7) ^ 0x63);
    } while (value != 1);
    for (int i = 0; i < 256; i++) {
        std::uint32_t s = tables.box[i];
        std::uint32_t two = aesTimesX(tables.box[i]);
        tables.mixed[i] = two << 24 | s << 16 | s << 8 | (two ^ s);
    }
    return tables;
}

/// Round keys (FIPS 197, section 5.2) of a key of eight big-endian words.
SHREDDER_HOST_DEVICE inline void expandAesKey(const AesTables& tables, const std::uint32_t (&key)[8],
                                              std::uint32_t* roundKeys) {
    std::uint32_t constant = 1U << 24;
    for (int i = 0; i < kAesRoundKeyWords; i++) {
        if (i < 8) {
            roundKeys[i] = key[i];
            continue;
        }
        std::uint32_t next = roundKeys[i - 1];
        if (i % 8 == 0) next = rotateRight(next, 24);
        if (i % 4 == 0) {
            next = static_cast<std::uint32_t>(tables.box[next >> 24]) << 24 |
                   static_cast<std::uint32_t>(tables.box[next >> 16 & 0xFF]) << 16 |
                   static_cast<std::uint32_t>(tables.box[next >> 8 & 0xFF]) << 8 | tables.box[next & 0xFF];
        }
        if (i % 8 == 0) {
            next ^= constant;
            constant <<= 1;
        }
        roundKeys[i] = roundKeys[i - 8] ^ next;
    }
}

/// Tables as they are in memory; others may keep them elsewhere.
struct PlainTables {
    const AesTables& tables;

    SHREDDER_HOST_DEVICE std::uint32_t mixed(std::uint32_t byte) const { return tables.mixed[byte]; }
    SHREDDER_HOST_DEVICE std::uint32_t box(std::uint32_t byte) const { return tables.box[byte]; }
};

/// A block of big-endian words, in place.
template <typename Tables>
SHREDDER_HOST_DEVICE inline void encryptAesBlock(const Tables& tables, const std::uint32_t* roundKeys,
                                                 std::uint32_t (&state)[4]) {
    SHREDDER_UNROLL
    for (int i = 0; i < 4; i++) {
        state[i] ^= roundKeys[i];
    }
    SHREDDER_UNROLL
    for (int round = 1; round < kAesRounds; round++) {
        std::uint32_t next[4];
        SHREDDER_UNROLL
        for (int i = 0; i < 4; i++) {
            next[i] = tables.mixed(state[i] >> 24) ^
                      rotateRight(tables.mixed(state[(i + 1) % 4] >> 16 & 0xFF), 8) ^
                      rotateRight(tables.mixed(state[(i + 2) % 4] >> 8 & 0xFF), 16) ^
                      rotateRight(tables.mixed(state[(i + 3) % 4] & 0xFF), 24) ^ roundKeys[4 * round + i];
        }
        SHREDDER_UNROLL
        for (int i = 0; i < 4; i++) {
            state[i] = next[i];
        }
    }
    std::uint32_t last[4];
    SHREDDER_UNROLL
    for (int i = 0; i < 4; i++) {
        last[i] = tables.box(state[i] >> 24) << 24 | tables.box(state[(i + 1) % 4] >> 16 & 0xFF) << 16 |
                  tables.box(state[(i + 2) % 4] >> 8 & 0xFF) << 8 | tables.box(state[(i + 3) % 4] & 0xFF);
    }
    SHREDDER_UNROLL
    for (int i = 0; i < 4; i++) {
        state[i] = last[i] ^ roundKeys[4 * kAesRounds + i];
    }
}

/// Products of one element with each digit at each of an element's 32 places.
using NibbleProducts = Gf128[32][16];

/// The product that belongs to a digit, 0 to 511 for place 0, digit 0 and so on.
SHREDDER_HOST_DEVICE inline Gf128 nibbleProduct(const Gf128& factor, unsigned index) {
    Gf128 digit{};
    digit.w[index / 128] = index % 16 << (28 - 4 * (index / 16 % 8));
    return multiply(digit, factor);
}

SHREDDER_HOST_DEVICE inline Gf128 multiply(const Gf128& value, const NibbleProducts& products) {
    Gf128 product{};
    SHREDDER_UNROLL
    for (int place = 0; place < 32; place++) {
        product ^= products[place][value.w[place / 8] >> (28 - 4 * (place % 8)) & 0xF];
    }
    return product;
}

}  // namespace shredder::crypto
