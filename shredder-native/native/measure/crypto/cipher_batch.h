// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace shredder::crypto {

inline constexpr std::size_t kKeyBytes = 32;
inline constexpr std::size_t kNonceBytes = 12;
inline constexpr std::size_t kTagBytes = 16;

/// Nonce of one message of a batch: a counter of messages and a part, both big-endian, as the agent's index
/// has it.
struct Nonce {
    std::uint64_t sequence;
    std::uint32_t part;

    void write(std::uint8_t (&bytes)[kNonceBytes]) const {
        for (std::size_t i = 0; i < 8; i++) {
            bytes[i] = static_cast<std::uint8_t>(sequence >> (56 - 8 * i));
        }
        for (std::size_t i = 0; i < 4; i++) {
            bytes[8 + i] = static_cast<std::uint8_t>(part >> (24 - 8 * i));
        }
    }
};

/// Messages of one length, back to back; each is sealed with the batch's nonce plus its number, and its tag
/// follows it: out holds count * (length + kTagBytes) bytes.
struct UniformBatch {
    const std::uint8_t* in;
    std::uint8_t* out;
    std::size_t length;
    std::size_t count;
    Nonce first;

    std::size_t bytes() const { return length * count; }
};

/// Seals all messages with what seals one: cipher.seal(nonce, clear, clear bytes, plain, bytes, sealed).
template <typename Cipher>
void sealBatch(Cipher& cipher, const UniformBatch& batch) {
    for (std::size_t i = 0; i < batch.count; i++) {
        std::uint8_t nonce[kNonceBytes];
        Nonce{batch.first.sequence + i, batch.first.part}.write(nonce);
        cipher.seal(nonce, nullptr, 0, batch.in + i * batch.length, batch.length,
                    batch.out + i * (batch.length + kTagBytes));
    }
}

}  // namespace shredder::crypto
