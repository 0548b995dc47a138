// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "measure/crypto/aes_tables.h"
#include "measure/crypto/cipher_batch.h"

namespace shredder::crypto {

/// AES-256-GCM (FIPS 197, NIST SP 800-38D) byte by byte: what the other forms are compared with, and the
/// CPU's rate without instructions for it. Not for secrets: its table look-ups take a time that depends on
/// them.
class AesGcm {
  public:
    explicit AesGcm(const std::uint8_t (&key)[kKeyBytes]);

    /// sealed: as many bytes as the plain ones, and the tag after them.
    void seal(const std::uint8_t (&nonce)[kNonceBytes], const std::uint8_t* clear, std::size_t clearBytes,
              const std::uint8_t* plain, std::size_t bytes, std::uint8_t* sealed) const;

  private:
    std::uint32_t roundKeys_[kAesRoundKeyWords];
    NibbleProducts products_;  ///< of the hash key
};

}  // namespace shredder::crypto
