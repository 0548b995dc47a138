// SPDX-License-Identifier: Apache-2.0
#include "measure/crypto/aes_gcm.h"

#include <algorithm>
#include <cstring>

#include "measure/crypto/aes_tables.h"
#include "measure/crypto/gf128.h"

namespace shredder::crypto {
namespace {

constexpr AesTables kTables = makeAesTables();

Gf128 elementOf(const std::uint8_t* bytes) {
    Gf128 element{};
    for (int i = 0; i < 16; i++) {
        element.w[i / 4] = element.w[i / 4] << 8 | bytes[i];
    }
    return element;
}

/// GHASH: takes bytes in pieces that are padded with zeros to whole blocks.
class Ghash {
  public:
    explicit Ghash(const std::uint8_t* key) : key_(elementOf(key)) {}

    void absorb(const std::uint8_t* bytes, std::size_t count) {
        for (; count > 0;) {
            std::size_t taken = std::min<std::size_t>(count, 16);
            std::uint8_t block[16] = {};
            std::memcpy(block, bytes, taken);
            sum_ ^= elementOf(block);
            sum_ = multiply(sum_, key_);
            bytes += taken;
            count -= taken;
        }
    }
    /// The sum so far, xored into a block.
    void addTo(std::uint8_t* block) const {
        for (int i = 0; i < 16; i++) {
            block[i] ^= static_cast<std::uint8_t>(sum_.w[i / 4] >> (24 - 8 * (i % 4)));
        }
    }

  private:
    Gf128 key_;
    Gf128 sum_{};
};

void writeCount(std::uint64_t value, std::size_t bytes, std::uint8_t* to) {
    for (std::size_t i = 0; i < bytes; i++) {
        to[i] = static_cast<std::uint8_t>(value >> (8 * (bytes - 1 - i)));
    }
}

}  // namespace

AesGcm::AesGcm(const std::uint8_t (&key)[kKeyBytes]) {
    // FIPS 197, section 5.2, for a key of 8 words.
    std::uint8_t words[60][4];
    std::memcpy(words, key, kKeyBytes);
    std::uint8_t constant = 1;
    for (int i = 8; i < 60; i++) {
        std::uint8_t next[4];
        std::memcpy(next, words[i - 1], 4);
        if (i % 8 == 0) std::rotate(next, next + 1, next + 4);
        if (i % 4 == 0) {
            std::for_each(next, next + 4, [](std::uint8_t& byte) { byte = kTables.box[byte]; });
        }
        if (i % 8 == 0) {
            next[0] ^= constant;
            constant = aesTimesX(constant);
        }
        for (int byte = 0; byte < 4; byte++) {
            words[i][byte] = next[byte] ^ words[i - 8][byte];
        }
    }
    std::memcpy(roundKeys_, words, sizeof roundKeys_);
    std::uint8_t zero[16] = {};
    encryptBlock(zero);
    std::memcpy(hashKey_, zero, sizeof hashKey_);
}

void AesGcm::encryptBlock(std::uint8_t (&block)[16]) const {
    for (int i = 0; i < 16; i++) {
        block[i] ^= roundKeys_[0][i];
    }
    for (int round = 1; round <= kAesRounds; round++) {
        std::uint8_t moved[16];  // SubBytes, ShiftRows
        for (int i = 0; i < 16; i++) {
            moved[i] = kTables.box[block[(i + 4 * (i % 4)) % 16]];
        }
        for (int i = 0; i < 16; i++) {  // MixColumns but in the last round, AddRoundKey
            const std::uint8_t* column = moved + i / 4 * 4;
            std::uint8_t next = column[(i + 1) % 4];
            std::uint8_t mixed = static_cast<std::uint8_t>(aesTimesX(column[i % 4]) ^ aesTimesX(next) ^ next ^
                                                           column[(i + 2) % 4] ^ column[(i + 3) % 4]);
            block[i] = (round < kAesRounds ? mixed : moved[i]) ^ roundKeys_[round][i];
        }
    }
}

void AesGcm::seal(const std::uint8_t (&nonce)[kNonceBytes], const std::uint8_t* clear, std::size_t clearBytes,
                  const std::uint8_t* plain, std::size_t bytes, std::uint8_t* sealed) const {
    Ghash hash(hashKey_);
    hash.absorb(clear, clearBytes);
    auto keyStream = [&](std::uint32_t counter, std::uint8_t(&block)[16]) {
        std::memcpy(block, nonce, kNonceBytes);
        writeCount(counter, 4, block + kNonceBytes);
        encryptBlock(block);
    };
    std::uint8_t block[16];
    std::uint32_t counter = 2;
    for (std::size_t at = 0; at < bytes; at += 16) {
        keyStream(counter++, block);
        for (std::size_t i = at; i < std::min(at + 16, bytes); i++) {
            sealed[i] = plain[i] ^ block[i - at];
        }
    }
    hash.absorb(sealed, bytes);
    std::uint8_t lengths[16];
    writeCount(clearBytes * 8, 8, lengths);
    writeCount(bytes * 8, 8, lengths + 8);
    hash.absorb(lengths, sizeof lengths);
    keyStream(1, block);
    hash.addTo(block);
    std::memcpy(sealed + bytes, block, kTagBytes);
}

void AesGcm::seal(const UniformBatch& batch) const {
    for (std::size_t i = 0; i < batch.count; i++) {
        std::uint8_t nonce[kNonceBytes];
        Nonce{batch.first.sequence + i, batch.first.part}.write(nonce);
        seal(nonce, nullptr, 0, batch.in + i * batch.length, batch.length,
             batch.out + i * (batch.length + kTagBytes));
    }
}

}  // namespace shredder::crypto
