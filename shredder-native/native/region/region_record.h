// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace shredder {

/// Bytes of a chunk's identity: docs/formats/seal.md, section 2.
inline constexpr std::size_t kIdentityBytes = 32;

/// Plain bytes of a region, at most.
inline constexpr std::size_t kMaxRegionBytes = 8 << 20;

/// Bytes of a record, at most: its head, and what a region is longer when it is sealed.
inline constexpr std::size_t kMaxRecordBytes = kMaxRegionBytes + 4096;

/// A chunk by its identity, kIdentityBytes that somebody else owns, and its plain length.
struct ChunkName {
    const std::uint8_t* identity;
    std::uint32_t bytes;
};

/// A record of a container taken apart, docs/formats/container.md section 3: views of its bytes. Of head and
/// table only what is needed to stay within them is checked; the seal covers every field that is used.
struct RegionRecord {
    std::vector<ChunkName> chunks;         ///< in the order of their bytes, at least one
    std::size_t plainBytes;                ///< of all of them, at most kMaxRegionBytes
    std::span<const std::uint8_t> nonce;   ///< 12
    std::span<const std::uint8_t> sealed;  ///< ciphertext, at least a byte
    std::span<const std::uint8_t> tag;     ///< 16

    /// Throws SOURCE_ERROR if these bytes can't be a whole record.
    explicit RegionRecord(std::span<const std::uint8_t> record);
};

}  // namespace shredder
