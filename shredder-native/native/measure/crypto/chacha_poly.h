// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "measure/crypto/cipher_batch.h"

namespace shredder::crypto {

/// ChaCha20-Poly1305 (RFC 8439), block by block: what the other forms are compared with.
class ChachaPoly {
  public:
    explicit ChachaPoly(const std::uint8_t (&key)[kKeyBytes]);

    /// sealed: as many bytes as the plain ones, and the tag after them.
    void seal(const std::uint8_t (&nonce)[kNonceBytes], const std::uint8_t* clear, std::size_t clearBytes,
              const std::uint8_t* plain, std::size_t bytes, std::uint8_t* sealed) const;

  private:
    std::uint32_t key_[8];
};

}  // namespace shredder::crypto
