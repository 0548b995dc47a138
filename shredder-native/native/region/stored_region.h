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

/// Bytes of the fields before a region's stored bytes, in a record and in a message: wire.md,
/// section 4.
inline constexpr std::size_t kRegionFieldsBytes = 72;

/// A chunk by its identity, kIdentityBytes that somebody else owns, and its plain length.
struct ChunkName {
    const std::uint8_t* identity;
    std::uint32_t bytes;
};

/// A region taken apart, docs/formats/container.md section 3: views of its bytes. What is sealed is for the
/// seal, which also covers identities and lengths.
struct StoredRegion {
    std::vector<ChunkName> chunks;         ///< in the order of their bytes, at least one
    std::size_t plainBytes;                ///< of all of them, at most kMaxRegionBytes
    std::span<const std::uint8_t> nonce;   ///< 12
    std::span<const std::uint8_t> sealed;  ///< ciphertext, at least a byte
    std::span<const std::uint8_t> tag;     ///< 16

    /// Of a whole record of a container; head and table are checked by their CRC. Throws SOURCE_ERROR if
    /// these bytes are not one.
    explicit StoredRegion(std::span<const std::uint8_t> record);

    /// Of kRegionFieldsBytes of fields and the stored bytes. Throws SOURCE_ERROR if they don't fit each
    /// other.
    StoredRegion(const std::uint8_t* fields, std::span<const std::uint8_t> stored);
};

/// Bytes of the header that every container begins with.
inline constexpr std::size_t kContainerHeaderBytes = 64;

/// Throws SOURCE_ERROR unless these kContainerHeaderBytes are a container's header, container.md section 2.
void requireContainerHeader(const std::uint8_t* header);

}  // namespace shredder
