// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace shredder {

/// Bytes of a digest, whatever its algorithm.
inline constexpr std::size_t kDigestBytes = 32;

/// A message, data[0 .. size), and where the kDigestBytes of its digest go.
struct DigestMessage {
    const std::uint8_t* data;
    std::size_t size;
    std::uint8_t* digest;
};

/// Digests `count` messages, in any order; reads no byte outside of them. Every form of one algorithm gives
/// the same digests.
using DigestMany = void (*)(const DigestMessage* messages, std::size_t count);

}  // namespace shredder
