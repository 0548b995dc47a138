// SPDX-License-Identifier: Apache-2.0
#include "cpu/sha256.h"

#include <cstring>

#include "chunk/sha256_constants.h"

namespace shredder {
Sha256End sha256End(const DigestMessage& message) {
    std::size_t tailBytes = message.size % kSha256BlockBytes;
    Sha256End end{.bytes = {}, .blocks = tailBytes + 9 <= kSha256BlockBytes ? 1U : 2U};
    if (tailBytes > 0) std::memcpy(end.bytes, message.data + message.size - tailBytes, tailBytes);
    end.bytes[tailBytes] = 0x80;
    std::uint64_t bits = __builtin_bswap64(static_cast<std::uint64_t>(message.size) * 8);
    std::memcpy(end.bytes + end.blocks * kSha256BlockBytes - sizeof bits, &bits, sizeof bits);
    return end;
}

void storeSha256(const std::uint32_t state[8], std::uint8_t* digest) {
    for (std::size_t word = 0; word < 8; word++) {
        std::uint32_t value = __builtin_bswap32(state[word]);
        std::memcpy(digest + 4 * word, &value, sizeof value);
    }
}

void sha256(Sha256Compress compress, const std::uint8_t* data, std::size_t size, std::uint8_t* digest) {
    std::uint32_t state[8] = {SHREDDER_SHA256_INITIAL_STATE};
    compress(state, data, size / kSha256BlockBytes);
    Sha256End end = sha256End({data, size, digest});
    compress(state, end.bytes, end.blocks);
    storeSha256(state, digest);
}

void sha256ManyPortable(const DigestMessage* messages, std::size_t count) {
    for (std::size_t i = 0; i < count; i++) {
        sha256(sha256CompressPortable, messages[i].data, messages[i].size, messages[i].digest);
    }
}

}  // namespace shredder
