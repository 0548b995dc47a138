// SPDX-License-Identifier: Apache-2.0
#include "measure/crypto/chacha_poly.h"

#include <algorithm>
#include <cstring>

#include "measure/crypto/chacha20.h"
#include "measure/crypto/poly1305_field.h"

namespace shredder::crypto {
namespace {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

/// Poly1305 of pieces that are padded with zeros to whole blocks, as the AEAD has it.
class Poly1305 {
  public:
    explicit Poly1305(const std::uint32_t (&oneTimeKey)[16]) {
        const std::uint32_t half[4] = {oneTimeKey[0], oneTimeKey[1], oneTimeKey[2], oneTimeKey[3]};
        key_ = clamped(half);
        std::copy_n(oneTimeKey + 4, 4, last_);
    }

    void absorb(const std::uint8_t* bytes, std::size_t count) {
        for (; count > 0;) {
            std::size_t taken = std::min<std::size_t>(count, 16);
            std::uint32_t block[4] = {};
            std::memcpy(block, bytes, taken);
            sum_ = product(sum(sum_, numberOf(block, 1)), key_);
            bytes += taken;
            count -= taken;
        }
    }
    void finish(std::uint8_t* tag) const {
        std::uint32_t words[4];
        writeTag(sum_, last_, words);
        std::memcpy(tag, words, sizeof words);
    }

  private:
    Poly1305Number key_{};
    Poly1305Number sum_{};
    std::uint32_t last_[4];
};

}  // namespace

ChachaPoly::ChachaPoly(const std::uint8_t (&key)[kKeyBytes]) {
    std::memcpy(key_, key, sizeof key_);
}

void ChachaPoly::seal(const std::uint8_t (&nonce)[kNonceBytes], const std::uint8_t* clear,
                      std::size_t clearBytes, const std::uint8_t* plain, std::size_t bytes,
                      std::uint8_t* sealed) const {
    std::uint32_t nonceWords[3];
    std::memcpy(nonceWords, nonce, sizeof nonceWords);
    std::uint32_t block[16];
    chachaBlock(key_, 0, nonceWords, block);
    Poly1305 hash(block);
    hash.absorb(clear, clearBytes);
    std::uint32_t counter = 1;
    for (std::size_t at = 0; at < bytes; at += sizeof block) {
        chachaBlock(key_, counter++, nonceWords, block);
        const auto* stream = reinterpret_cast<const std::uint8_t*>(block);
        for (std::size_t i = at; i < std::min(at + sizeof block, bytes); i++) {
            sealed[i] = plain[i] ^ stream[i - at];
        }
    }
    hash.absorb(sealed, bytes);
    const std::uint64_t lengths[2] = {clearBytes, bytes};
    hash.absorb(reinterpret_cast<const std::uint8_t*>(lengths), sizeof lengths);
    hash.finish(sealed + bytes);
}

}  // namespace shredder::crypto
