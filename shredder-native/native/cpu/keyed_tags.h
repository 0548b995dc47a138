// SPDX-License-Identifier: Apache-2.0
//
// Keyed tags of chunks: docs/formats/cache.md, section 1. A tag is POLYVAL (RFC 8452, section 3), under a
// secret key, of the chunk's bytes, zeros up to a multiple of 16, and a block with the length. It is a
// universal hash: cheap, as strong as its key is secret, and to be shown to nobody.
#pragma once

#include <cstddef>
#include <cstdint>

namespace shredder {

/// Bytes of a tag, of a key and of a block of POLYVAL.
inline constexpr std::size_t kTagBytes = 16;

/// A message, data[0 .. size), and where the kTagBytes of its tag go.
struct TagMessage {
    const std::uint8_t* data;
    std::size_t size;
    std::uint8_t* tag;
};

/// Tags `count` messages under a key of kTagBytes; reads no byte outside of them. Every form gives the same
/// tags.
using TagMany = void (*)(const std::uint8_t* key, const TagMessage* messages, std::size_t count);

/// The readable reference, bit by bit: some megabytes a second.
void tagManyPortable(const std::uint8_t* key, const TagMessage* messages, std::size_t count);

/// Eight blocks for each reduction. Call only where cpuFeatures().pclmul.
void tagManyPclmul(const std::uint8_t* key, const TagMessage* messages, std::size_t count);

/// Thirty-two blocks for each reduction, four a register. Call only where cpuFeatures().vpclmul.
void tagManyVpclmul(const std::uint8_t* key, const TagMessage* messages, std::size_t count);

/// The fastest form on this CPU.
TagMany bestTagMany();

/// Whether that form multiplies by an instruction, so that a tag is cheaper than any digest.
bool hasFastTags();

/// The last block of a message: its length in bytes, little-endian, 8, and 8 zeros.
struct LengthBlock {
    explicit LengthBlock(std::size_t size) {
        for (std::size_t i = 0; i < sizeof(std::uint64_t); i++) {
            bytes[i] = static_cast<std::uint8_t>(static_cast<std::uint64_t>(size) >> (8 * i));
        }
    }
    std::uint8_t bytes[kTagBytes] = {};
};

}  // namespace shredder
