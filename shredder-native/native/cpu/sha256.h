// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace shredder {

inline constexpr std::size_t kSha256BlockBytes = 64;
inline constexpr std::size_t kSha256DigestBytes = 32;

/// Folds `blocks` blocks of 64 bytes into the eight words of state (FIPS 180-4, section 6.2.2).
using Sha256Compress = void (*)(std::uint32_t state[8], const std::uint8_t* data, std::size_t blocks);

void sha256CompressPortable(std::uint32_t state[8], const std::uint8_t* data, std::size_t blocks);

/// With the SHA instructions. Call only where cpuFeatures().sha.
void sha256CompressShaInstructions(std::uint32_t state[8], const std::uint8_t* data, std::size_t blocks);

/// The fastest form that this CPU runs.
Sha256Compress bestSha256Compress();

/// SHA-256 of data[0 .. size) to digest[0 .. 32).
void sha256(Sha256Compress compress, const std::uint8_t* data, std::size_t size, std::uint8_t* digest);

}  // namespace shredder
