// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cpu/digest.h"
#include "cpu/sha256.h"

namespace shredder {

/// HMAC-SHA-256 (RFC 2104) under one key of 32 bytes. One thread.
class HmacSha256 {
  public:
    explicit HmacSha256(const std::uint8_t* key);

    /// Writes kDigestBytes.
    void of(std::span<const std::uint8_t> message, std::uint8_t* tag);

    /// Replaces each of `count` digests that lie back to back by its HMAC.
    void ofDigests(std::uint8_t* digests, std::size_t count);

  private:
    /// Replaces digests by the digests of a pad and them.
    void padded(const std::array<std::uint8_t, kSha256BlockBytes>& pad, std::uint8_t* digests,
                std::size_t count);

    DigestMany sha256_;
    std::array<std::uint8_t, kSha256BlockBytes> inner_;
    std::array<std::uint8_t, kSha256BlockBytes> outer_;
    std::vector<std::uint8_t> room_;
    std::vector<DigestMessage> messages_;
};

}  // namespace shredder
