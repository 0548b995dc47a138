// SPDX-License-Identifier: Apache-2.0
#include "cpu/sha256.h"

#include <cstring>

#include "chunk/sha256_constants.h"
#include "cpu/features.h"

namespace shredder {
namespace {

void storeBigEndian32(std::uint8_t* target, std::uint32_t value) {
    value = __builtin_bswap32(value);
    std::memcpy(target, &value, sizeof value);
}

/// The message's end: what is left of it, a 1 bit, zeros, its length in bits. Returns the number of blocks, 1
/// or 2.
std::size_t padTail(const std::uint8_t* tail, std::size_t tailBytes, std::uint64_t messageBytes,
                    std::uint8_t blocks[2 * kSha256BlockBytes]) {
    std::size_t count = tailBytes + 9 <= kSha256BlockBytes ? 1 : 2;
    std::memset(blocks, 0, count * kSha256BlockBytes);
    if (tailBytes > 0) std::memcpy(blocks, tail, tailBytes);
    blocks[tailBytes] = 0x80;
    std::uint64_t bits = __builtin_bswap64(messageBytes * 8);
    std::memcpy(blocks + count * kSha256BlockBytes - sizeof bits, &bits, sizeof bits);
    return count;
}

}  // namespace

Sha256Compress bestSha256Compress() {
    return cpuFeatures().sha ? sha256CompressShaInstructions : sha256CompressPortable;
}

void sha256(Sha256Compress compress, const std::uint8_t* data, std::size_t size, std::uint8_t* digest) {
    std::uint32_t state[8] = {SHREDDER_SHA256_INITIAL_STATE};
    std::size_t wholeBlocks = size / kSha256BlockBytes;
    compress(state, data, wholeBlocks);
    std::uint8_t end[2 * kSha256BlockBytes];
    std::size_t endBlocks =
        padTail(data + wholeBlocks * kSha256BlockBytes, size % kSha256BlockBytes, size, end);
    compress(state, end, endBlocks);
    for (std::size_t word = 0; word < 8; word++) {
        storeBigEndian32(digest + 4 * word, state[word]);
    }
}

}  // namespace shredder
