// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "chunk/fingerprint.h"

namespace shredder {

/// What the widest form scans at once. Scanning in multiples of it leaves no odd ends; one of it after the
/// other into the same bitmap keeps the bitmap, an eighth of the bytes, in the nearest cache.
inline constexpr std::size_t kScanBlockBytes = 64ULL * 33 * 64;

/// Marks the candidates among data[0 .. size): bit i % 64 of bitmap[i / 64] says whether byte i is one.
/// Writes all bits of ceil(size / 64) words. The kWindowBytes before data must be readable: they are the
/// stream's bytes before data[0]. Every form gives the same bitmap.
using ScanFunction = void (*)(const ScanSpec& spec, const std::uint8_t* data, std::size_t size,
                              std::uint64_t* bitmap);

/// The readable reference: one rolling fingerprint.
void scanScalar(const ScanSpec& spec, const std::uint8_t* data, std::size_t size, std::uint64_t* bitmap);

/// Thirty-two stretches side by side (sliced_scan.h). Call only where cpuFeatures().avx2.
void scanAvx2(const ScanSpec& spec, const std::uint8_t* data, std::size_t size, std::uint64_t* bitmap);

/// Call only where cpuFeatures().avx2 and .gfni.
void scanAvx2Gfni(const ScanSpec& spec, const std::uint8_t* data, std::size_t size, std::uint64_t* bitmap);

/// Sixty-four. Call only where cpuFeatures().avx512.
void scanAvx512(const ScanSpec& spec, const std::uint8_t* data, std::size_t size, std::uint64_t* bitmap);

/// Call only where cpuFeatures().avx512 and .gfni.
void scanAvx512Gfni(const ScanSpec& spec, const std::uint8_t* data, std::size_t size, std::uint64_t* bitmap);

}  // namespace shredder
