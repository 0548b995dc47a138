// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "measure/crypto/cipher_batch.h"

namespace shredder::crypto {

enum class Aead { kAes256Gcm, kChacha20Poly1305 };

/// OpenSSL's AEADs, with the instructions that this CPU has. One thread at a time an instance.
class OpensslAead {
  public:
    /// Throws std::runtime_error where there is no libcrypto.
    OpensslAead(Aead aead, const std::uint8_t (&key)[kKeyBytes]);
    ~OpensslAead();
    OpensslAead(const OpensslAead&) = delete;
    OpensslAead& operator=(const OpensslAead&) = delete;

    void seal(const std::uint8_t (&nonce)[kNonceBytes], const std::uint8_t* clear, std::size_t clearBytes,
              const std::uint8_t* plain, std::size_t bytes, std::uint8_t* sealed);

  private:
    struct Library;
    std::unique_ptr<Library> library_;
};

}  // namespace shredder::crypto
