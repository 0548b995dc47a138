// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace shredder::crypto {

/// The polynomial of CRC-32 as in Ethernet and zip, reflected: the lowest bit is the coefficient of x^31.
inline constexpr std::uint32_t kCrcPolynomial = 0xEDB88320;

/// crc[b]: the remainder of byte b followed by 4 more bytes; [k]: by k more than that.
struct CrcTables {
    std::uint32_t after[8][256];
};

constexpr CrcTables makeCrcTables() {
    CrcTables tables{};
    for (std::uint32_t byte = 0; byte < 256; byte++) {
        std::uint32_t crc = byte;
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ ((crc & 1) != 0 ? kCrcPolynomial : 0);
        }
        tables.after[0][byte] = crc;
    }
    for (int k = 1; k < 8; k++) {
        for (std::uint32_t byte = 0; byte < 256; byte++) {
            std::uint32_t crc = tables.after[k - 1][byte];
            tables.after[k][byte] = crc >> 8 ^ tables.after[0][crc & 0xFF];
        }
    }
    return tables;
}

/// A byte at a time, as the thesis has it.
std::uint32_t crc32Bytes(const std::uint8_t* data, std::size_t bytes);

/// Eight bytes at a time, by tables.
std::uint32_t crc32Sliced(const std::uint8_t* data, std::size_t bytes);

/// 64 bytes at a time, by carry-less multiplication (PCLMUL, SSE4.1).
std::uint32_t crc32Folded(const std::uint8_t* data, std::size_t bytes);

/// What crc32Folded ends with: more bytes after a remainder that is not inverted.
std::uint32_t crc32Continue(std::uint32_t remainder, const std::uint8_t* data, std::size_t bytes);

}  // namespace shredder::crypto
