// SPDX-License-Identifier: Apache-2.0
#include "measure/crypto/aes_gcm.h"

#include <algorithm>
#include <cstring>

namespace shredder::crypto {
namespace {

constexpr AesTables kAesTables = makeAesTables();

std::uint32_t readWord(const std::uint8_t* bytes) {
    std::uint32_t word;
    std::memcpy(&word, bytes, sizeof word);
    return __builtin_bswap32(word);
}

void writeWord(std::uint32_t word, std::uint8_t* to) {
    word = __builtin_bswap32(word);
    std::memcpy(to, &word, sizeof word);
}

/// GHASH: takes bytes in pieces that are padded with zeros to whole blocks.
class Ghash {
  public:
    explicit Ghash(const NibbleProducts& products) : products_(products) {}

    void absorb(const std::uint8_t* bytes, std::size_t count) {
        while (count > 0) {
            std::size_t taken = std::min<std::size_t>(count, 16);
            std::uint8_t block[16] = {};
            std::memcpy(block, bytes, taken);
            absorb({{readWord(block), readWord(block + 4), readWord(block + 8), readWord(block + 12)}});
            bytes += taken;
            count -= taken;
        }
    }
    void absorb(const Gf128& block) {
        sum_ ^= block;
        sum_ = multiply(sum_, products_);
    }
    const Gf128& sum() const { return sum_; }

  private:
    const NibbleProducts& products_;
    Gf128 sum_{};
};

}  // namespace

AesGcm::AesGcm(const std::uint8_t (&key)[kKeyBytes]) {
    std::uint32_t words[8];
    for (std::size_t i = 0; i < 8; i++) {
        words[i] = readWord(key + 4 * i);
    }
    expandAesKey(kAesTables, words, roundKeys_);
    std::uint32_t hashKey[4] = {};
    encryptAesBlock(PlainTables{kAesTables}, roundKeys_, hashKey);
    for (unsigned i = 0; i < 32 * 16; i++) {
        products_[i / 16][i % 16] = nibbleProduct({{hashKey[0], hashKey[1], hashKey[2], hashKey[3]}}, i);
    }
}

void AesGcm::seal(const std::uint8_t (&nonce)[kNonceBytes], const std::uint8_t* clear, std::size_t clearBytes,
                  const std::uint8_t* plain, std::size_t bytes, std::uint8_t* sealed) const {
    const std::uint32_t nonceWords[3] = {readWord(nonce), readWord(nonce + 4), readWord(nonce + 8)};
    auto keyStream = [&](std::uint32_t counter, std::uint8_t* block) {
        std::uint32_t words[4] = {nonceWords[0], nonceWords[1], nonceWords[2], counter};
        encryptAesBlock(PlainTables{kAesTables}, roundKeys_, words);
        for (std::size_t i = 0; i < 4; i++) {
            writeWord(words[i], block + 4 * i);
        }
    };
    Ghash hash(products_);
    hash.absorb(clear, clearBytes);
    std::uint8_t block[16];
    std::uint32_t counter = 2;
    for (std::size_t at = 0; at < bytes; at += sizeof block) {
        keyStream(counter++, block);
        std::size_t taken = std::min(sizeof block, bytes - at);
        for (std::size_t i = 0; i < taken; i++) {
            sealed[at + i] = plain[at + i] ^ block[i];
        }
    }
    hash.absorb(sealed, bytes);
    hash.absorb({{static_cast<std::uint32_t>(clearBytes >> 29), static_cast<std::uint32_t>(clearBytes << 3),
                  static_cast<std::uint32_t>(bytes >> 29), static_cast<std::uint32_t>(bytes << 3)}});
    keyStream(1, block);
    for (std::size_t i = 0; i < 4; i++) {
        writeWord(readWord(block + 4 * i) ^ hash.sum().w[i], sealed + bytes + 4 * i);
    }
}

}  // namespace shredder::crypto
