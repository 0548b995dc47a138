// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/digest.h"

namespace shredder {

inline constexpr std::size_t kSha256BlockBytes = 64;

/// Folds `blocks` blocks of 64 bytes into the eight words of state (FIPS 180-4, section 6.2.2).
using Sha256Compress = void (*)(std::uint32_t state[8], const std::uint8_t* data, std::size_t blocks);

void sha256CompressPortable(std::uint32_t state[8], const std::uint8_t* data, std::size_t blocks);

/// With the SHA instructions. Call only where cpuFeatures().sha.
void sha256CompressShaInstructions(std::uint32_t state[8], const std::uint8_t* data, std::size_t blocks);

/// SHA-256 of data[0 .. size) to digest[0 .. 32).
void sha256(Sha256Compress compress, const std::uint8_t* data, std::size_t size, std::uint8_t* digest);

/// One after the other.
void sha256ManyPortable(const DigestMessage* messages, std::size_t count);

/// Four side by side. Call only where cpuFeatures().sha.
void sha256ManyShaInstructions(const DigestMessage* messages, std::size_t count);

/// Eight side by side; worth it where there are no SHA instructions. Call only where cpuFeatures().avx2.
void sha256ManyAvx2(const DigestMessage* messages, std::size_t count);

/// Sixteen side by side. Call only where cpuFeatures().avx512.
void sha256ManyAvx512(const DigestMessage* messages, std::size_t count);

/// The same, and what doesn't fill the lanes with SHA instructions. Call only where cpuFeatures().avx512 and
/// .sha.
void sha256ManyAvx512AndSha(const DigestMessage* messages, std::size_t count);

/// A message's end: what its whole blocks leave over, a 1 bit, zeros, its length in bits.
struct Sha256End {
    std::uint8_t bytes[2 * kSha256BlockBytes];
    std::size_t blocks;  ///< 1 or 2
};
Sha256End sha256End(const DigestMessage& message);

/// Writes the digest that a state stands for.
void storeSha256(const std::uint32_t state[8], std::uint8_t* digest);

}  // namespace shredder
