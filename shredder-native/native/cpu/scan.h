// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "chunk/fingerprint.h"

namespace shredder {

/// What the widest form scans at once. Pieces that are multiples of it leave no odd ends.
inline constexpr std::size_t kScanBlockBytes = 64ULL * 49 * 64;

/// Where a scan lists candidates: room for so many, each as base plus its position, which counts from 1 and
/// is the one after the candidate byte.
struct ListTarget {
    std::uint32_t* entries;
    std::size_t room;
    std::uint32_t base;
};

/// How far a listing scan came.
struct Listed {
    std::size_t candidates;  ///< written to the list, ascending: all that there are among the bytes
    std::size_t bytes;       ///< from the start; less than the size where they lie too close to be listed
};

/// The scan of one instruction set. The kWindowBytes before data must be readable: they are the stream's
/// bytes before data[0]. All forms find the same candidates among data[0 .. size).
struct CpuScan {
    /// Lists them, block after block; gives up at a block that has more of them than are worth listing (about
    /// one in a hundred bytes) or than there is room for. Every form may give up at another block.
    Listed (*list)(const ScanSpec& spec, const std::uint8_t* data, std::size_t size, const ListTarget& list);
    /// Marks them: bit i % 64 of bitmap[i / 64] says whether byte i is one. Writes all bits of ceil(size /
    /// 64) words. As fast whatever the input, and a little slower than a list of few.
    void (*mark)(const ScanSpec& spec, const std::uint8_t* data, std::size_t size, std::uint64_t* bitmap);

    bool operator==(const CpuScan&) const = default;
};

/// The readable reference: one rolling fingerprint.
extern const CpuScan kScanScalar;

/// Thirty-two stretches side by side (sliced_scan.h). Call only where cpuFeatures().avx2.
extern const CpuScan kScanAvx2;

/// Call only where cpuFeatures().avx2 and .gfni.
extern const CpuScan kScanAvx2Gfni;

/// Sixty-four. Call only where cpuFeatures().avx512.
extern const CpuScan kScanAvx512;

/// Call only where cpuFeatures().avx512 and .gfni.
extern const CpuScan kScanAvx512Gfni;

}  // namespace shredder
