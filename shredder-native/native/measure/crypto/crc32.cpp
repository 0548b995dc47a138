// SPDX-License-Identifier: Apache-2.0
#include "measure/crypto/crc32.h"

#include <cstring>

namespace shredder::crypto {
namespace {

constexpr CrcTables kCrcTables = makeCrcTables();

std::uint32_t takeBytes(std::uint32_t remainder, const std::uint8_t* data, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; i++) {
        remainder = remainder >> 8 ^ kCrcTables.after[0][(remainder ^ data[i]) & 0xFF];
    }
    return remainder;
}

}  // namespace

std::uint32_t crc32Bytes(const std::uint8_t* data, std::size_t bytes) {
    return ~takeBytes(~0U, data, bytes);
}

std::uint32_t crc32Continue(std::uint32_t remainder, const std::uint8_t* data, std::size_t bytes) {
    for (; bytes >= 8; bytes -= 8, data += 8) {
        std::uint64_t word;
        std::memcpy(&word, data, sizeof word);
        word ^= remainder;
        remainder = 0;
        for (int i = 0; i < 8; i++) {
            remainder ^= kCrcTables.after[7 - i][word >> (8 * i) & 0xFF];
        }
    }
    return takeBytes(remainder, data, bytes);
}

std::uint32_t crc32Sliced(const std::uint8_t* data, std::size_t bytes) {
    return ~crc32Continue(~0U, data, bytes);
}

}  // namespace shredder::crypto
