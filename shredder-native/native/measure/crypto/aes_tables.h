// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

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

}  // namespace shredder::crypto
