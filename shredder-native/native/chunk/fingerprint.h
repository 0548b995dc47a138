// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "chunk/host_device.h"
#include "chunk/polynomial.h"

namespace shredder {

/// Bytes that a fingerprint covers; also the bytes before a buffer that a scan must be able to read.
inline constexpr int kWindowBytes = 48;

inline constexpr std::uint64_t kFingerprintMask = (1ULL << 48) - 1;

/// The two products that rolling a fingerprint by one byte needs, for each value of a byte.
struct RollTables {
    std::uint64_t append[256];  ///< t * x^48 mod P: folds the byte that overflows back in
    std::uint64_t remove[256];  ///< v * x^384 mod P: takes the byte that leaves the window out

    explicit RollTables(const Polynomial& polynomial);
};

/// What a scan looks for.
struct ScanSpec {
    RollTables tables;
    std::uint64_t mask;    ///< low maskBits bits
    std::uint64_t marker;  ///< already masked
    std::uint64_t segmentMask;
    std::uint64_t segmentMarker;
    bool defaultPolynomial;  ///< the table-free form may be used
    std::uint64_t polynomial;
};

/// Rolls the 48-byte window on: `in` enters, `out` (the byte 48 positions before it) leaves.
SHREDDER_HOST_DEVICE inline std::uint64_t roll(const RollTables& tables, std::uint64_t fingerprint,
                                               std::uint8_t in, std::uint8_t out) {
    std::uint64_t overflow = fingerprint >> 40;
    return (((fingerprint << 8) | in) & kFingerprintMask) ^ tables.append[overflow] ^ tables.remove[out];
}

/// The fingerprint of the 48 bytes that end before `end`.
SHREDDER_HOST_DEVICE inline std::uint64_t windowFingerprint(const RollTables& tables,
                                                            const std::uint8_t* end) {
    std::uint64_t fingerprint = 0;
    for (int i = kWindowBytes; i > 0; i--) {
        fingerprint = roll(tables, fingerprint, *(end - i), 0);
    }
    return fingerprint;
}

}  // namespace shredder
