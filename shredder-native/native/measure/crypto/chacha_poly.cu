// SPDX-License-Identifier: Apache-2.0
//
// ChaCha20-Poly1305 on a GPU: a warp takes a segment of a message, its threads blocks of 64 bytes in turn.
// Poly1305's key is another for each message, so its powers are computed where they are used.
#include <algorithm>

#include "cuda/cuda_check.h"
#include "measure/crypto/chacha20.h"
#include "measure/crypto/device_batch.h"
#include "measure/crypto/poly1305_field.h"

namespace shredder::crypto {
namespace {

constexpr unsigned kThreads = 256;
constexpr std::uint32_t kMostBlocks = 4096;
/// Blocks of Poly1305 that a warp takes at a time, and that one thread does.
constexpr std::uint32_t kWarpHashed = 4 * kWarp;
constexpr std::uint32_t kThreadHashed = 4;
constexpr std::uint32_t kStreamBytes = 64;

struct Cipher {
    std::uint32_t key[8];
    std::uint32_t nonce[3];

    __device__ Cipher(const std::uint8_t* keyBytes, const DeviceBatch& batch, std::uint32_t number) {
#pragma unroll
        for (int i = 0; i < 8; i++) {
            key[i] = loadWord(keyBytes + 4 * i);
        }
        nonceWords(batch, number, nonce);
#pragma unroll
        for (std::uint32_t& word : nonce) {
            word = swapped(word);
        }
    }
    __device__ void stream(std::uint32_t counter, std::uint32_t (&words)[16]) const {
        chachaBlock(key, counter, nonce, words);
    }
};

/// Poly1305's key of a message.
struct TagKey {
    Poly1305Number r;
    std::uint32_t s[4];

    __device__ explicit TagKey(const Cipher& cipher) {
        std::uint32_t words[16];
        cipher.stream(0, words);
        const std::uint32_t half[4] = {words[0], words[1], words[2], words[3]};
        r = clamped(half);
#pragma unroll
        for (int i = 0; i < 4; i++) {
            s[i] = words[4 + i];
        }
    }
};

__device__ Poly1305Number sumOfWarp(Poly1305Number value) {
#pragma unroll
    for (unsigned distance = kWarp / 2; distance > 0; distance /= 2) {
#pragma unroll
        for (std::uint32_t& limb : value.limb) {
            limb += __shfl_xor_sync(~0U, limb, distance);
        }
    }
    return product(value, {{1, 0, 0, 0, 0}});  // so that limbs are short again
}

__device__ void absorb(Poly1305Number& hash, const Poly1305Number& r, const std::uint32_t (&block)[4]) {
    hash = product(sum(hash, numberOf(block, 1)), r);
}

/// Leaves the sum of block j, times r's power blocks - j.
__global__ void __launch_bounds__(kThreads)
    sealSegments(const std::uint8_t* key, DeviceBatch batch, Poly1305Number* hashes) {
    const unsigned lane = threadIdx.x % kWarp;
    forEachSegment(batch, [&](std::uint32_t number, std::uint32_t segment) {
        MessagePlace message(batch, number);
        std::uint32_t begin = segment * kSegmentBytes;
        std::uint32_t bytes = begin >= message.length ? 0 : min(message.length - begin, kSegmentBytes);
        std::uint32_t blocks = (bytes + 15) / 16;
        Cipher cipher(key, batch, number);
        Poly1305Number r = TagKey(cipher).r;
        Poly1305Number step = blocks > kWarpHashed ? power(r, kWarpHashed - kThreadHashed + 1) : r;
        Poly1305Number hash{};
        std::uint32_t last = blocks;
        for (std::uint32_t at = lane * kStreamBytes; at < bytes; at += kWarp * kStreamBytes) {
            std::uint32_t stream[16];
            cipher.stream(1 + (begin + at) / kStreamBytes, stream);
#pragma unroll
            for (std::uint32_t i = 0; i < kThreadHashed; i++) {
                std::uint32_t place = at + 16 * i;
                if (place < bytes) {
                    std::uint32_t left = bytes - place;
                    std::uint32_t block[4];
                    loadBlock(message.in + begin + place, left, block);
#pragma unroll
                    for (int w = 0; w < 4; w++) {
                        block[w] ^= stream[4 * i + w];
                        if (left < 4 * (w + 1U))
                            block[w] &= left <= 4U * w ? 0 : (1U << (8 * (left - 4 * w))) - 1;
                    }
                    storeBlock(message.out + begin + place, left, block);
                    if (last < blocks) hash = product(hash, i == 0 ? step : r);
                    hash = sum(hash, numberOf(block, 1));
                    last = place / 16;
                }
            }
        }
        hash = last < blocks ? product(hash, power(r, blocks - last)) : Poly1305Number{};
        hash = sumOfWarp(hash);
        if (lane == 0) hashes[static_cast<std::uint64_t>(number) * segmentsOf(batch.length) + segment] = hash;
    });
}

/// A thread a message.
__global__ void __launch_bounds__(kThreads)
    writeTags(const std::uint8_t* key, DeviceBatch batch, const Poly1305Number* hashes) {
    std::uint32_t number = blockIdx.x * kThreads + threadIdx.x;
    if (number >= batch.count) return;
    MessagePlace message(batch, number);
    TagKey tagKey(Cipher(key, batch, number));
    Poly1305Number hash{};
    for (std::uint32_t at = 0; at < batch.clearBytes; at += 16) {
        std::uint32_t block[4];
        loadBlock(batch.clear + at, batch.clearBytes - at, block);
        absorb(hash, tagKey.r, block);
    }
    for (std::uint32_t segment = 0; segment < message.segments(); segment++) {
        std::uint32_t blocks = (min(message.length - segment * kSegmentBytes, kSegmentBytes) + 15) / 16;
        if (segment > 0 || batch.clearBytes > 0) hash = product(hash, power(tagKey.r, blocks));
        hash = sum(hash, hashes[static_cast<std::uint64_t>(number) * segmentsOf(batch.length) + segment]);
    }
    const std::uint32_t lengths[4] = {batch.clearBytes, 0, message.length, 0};
    absorb(hash, tagKey.r, lengths);
    std::uint32_t tag[4];
    writeTag(hash, tagKey.s, tag);
    storeBlock(batch.tags + number * batch.tagStride, 16, tag);
}

}  // namespace

void enqueueChachaPoly(const std::uint8_t* key, const DeviceBatch& batch, void* scratch,
                       cudaStream_t stream) {
    if (batch.count == 0) return;
    auto* hashes = static_cast<Poly1305Number*>(scratch);
    std::size_t warps = static_cast<std::size_t>(batch.count) * segmentsOf(batch.length);
    std::size_t blocks = std::min<std::size_t>((warps * kWarp + kThreads - 1) / kThreads, kMostBlocks);
    sealSegments<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(key, batch, hashes);
    checkLaunch("ChaCha20-Poly1305");
    writeTags<<<(batch.count + kThreads - 1) / kThreads, kThreads, 0, stream>>>(key, batch, hashes);
    checkLaunch("Poly1305's tags");
}

}  // namespace shredder::crypto
