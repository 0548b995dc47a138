// SPDX-License-Identifier: Apache-2.0
//
// AES-256-GCM on a GPU: a warp takes a segment of a message, its threads the blocks in turn. A thread's
// blocks are hashed by Horner's rule with the hash key's 32nd power, and moved to their places at the end. A
// second kernel makes the tags. The kernels have C names, as they are loaded from PTX as well.
#include <algorithm>

#include "cuda/cuda_check.h"
#include "measure/crypto/aes_tables.h"
#include "measure/crypto/device_batch.h"

namespace shredder::crypto {
namespace {

constexpr unsigned kSealThreads = 512;
constexpr unsigned kTagThreads = 128;
constexpr unsigned kKeyThreads = 512;
constexpr std::uint32_t kMostBlocks = 4096;

__device__ const AesTables kTables = makeAesTables();

/// The table of mixed bytes: one for each bank of shared memory, so that the threads of a warp never wait for
/// one another.
class SharedTable {
  public:
    __device__ explicit SharedTable(std::uint32_t* words) : words_(words + threadIdx.x % kWarp) {}
    __device__ static void fill(std::uint32_t* words) {
        for (unsigned i = threadIdx.x; i < 256 * kWarp; i += blockDim.x) {
            words[i] = kTables.mixed[i / kWarp];
        }
    }
    __device__ std::uint32_t mixed(std::uint32_t byte) const { return words_[byte * kWarp]; }
    __device__ std::uint32_t box(std::uint32_t byte) const { return mixed(byte) >> 8 & 0xFF; }

  private:
    const std::uint32_t* words_;
};

__device__ Gf128 sumOfWarp(Gf128 value) {
#pragma unroll
    for (unsigned distance = kWarp / 2; distance > 0; distance /= 2) {
#pragma unroll
        for (std::uint32_t& word : value.w) {
            word ^= __shfl_xor_sync(~0U, word, distance);
        }
    }
    return value;
}

/// The hash of what is authenticated in clear, moved on by the blocks after it.
__device__ Gf128 hashOfClear(const AesGcmDeviceKey& key, const DeviceBatch& batch,
                             std::uint32_t blocksAfter) {
    Gf128 hash{};
    for (std::uint32_t at = 0; at < batch.clearBytes; at += 16) {
        std::uint32_t block[4];
        loadBlock(batch.clear + at, batch.clearBytes - at, block);
        for (int i = 0; i < 4; i++) {
            hash.w[i] ^= swapped(block[i]);
        }
        hash = multiply(hash, key.powers[1]);
    }
    return hash.isZero() || blocksAfter == 0 ? hash : multiply(hash, power(key.powers[1], blocksAfter));
}

}  // namespace

extern "C" {

/// One block of threads.
__global__ void __launch_bounds__(kKeyThreads)
    shredder_aes_gcm_key(const std::uint8_t* key, AesGcmDeviceKey* prepared) {
    if (threadIdx.x == 0) {
        std::uint32_t words[8];
        for (int i = 0; i < 8; i++) {
            words[i] = swapped(loadWord(key + 4 * i));
        }
        expandAesKey(kTables, words, prepared->roundKeys);
        std::uint32_t hashKey[4] = {};
        encryptAesBlock(PlainTables{kTables}, prepared->roundKeys, hashKey);
        prepared->powers[0] = {{0x80000000U, 0, 0, 0}};
        prepared->powers[1] = {{hashKey[0], hashKey[1], hashKey[2], hashKey[3]}};
    }
    __syncthreads();
    for (std::uint32_t known = 1; known < kSegmentBlocks; known *= 2) {
        for (std::uint32_t i = 1 + threadIdx.x; i <= known; i += kKeyThreads) {
            prepared->powers[known + i] = multiply(prepared->powers[known], prepared->powers[i]);
        }
        __syncthreads();
    }
    for (unsigned i = threadIdx.x; i < 32 * 16; i += kKeyThreads) {
        prepared->byNibble[i / 16][i % 16] = nibbleProduct(prepared->powers[32], i);
    }
}

/// Seals or opens the bytes of each segment, and leaves its hash: the sum of block j times the hash key's
/// power blocks - j.
__global__ void __launch_bounds__(kSealThreads, 2)
    shredder_aes_gcm_segments(const AesGcmDeviceKey* key, DeviceBatch batch, Gf128* hashes) {
    __shared__ std::uint32_t mixed[256 * kWarp];
    __shared__ NibbleProducts byNibble;
    __shared__ std::uint32_t roundKeys[kAesRoundKeyWords];
    SharedTable::fill(mixed);
    for (unsigned i = threadIdx.x; i < 32 * 16; i += blockDim.x) {
        byNibble[i / 16][i % 16] = key->byNibble[i / 16][i % 16];
    }
    for (unsigned i = threadIdx.x; i < kAesRoundKeyWords; i += blockDim.x) {
        roundKeys[i] = key->roundKeys[i];
    }
    __syncthreads();
    const SharedTable table(mixed);
    const unsigned lane = threadIdx.x % kWarp;
    forEachSegment(batch, [&](std::uint32_t number, std::uint32_t segment) {
        MessagePlace message(batch, number);
        std::uint32_t begin = segment * kSegmentBytes;
        std::uint32_t bytes = begin >= message.length ? 0 : min(message.length - begin, kSegmentBytes);
        std::uint32_t blocks = (bytes + 15) / 16;
        std::uint32_t nonce[3];
        nonceWords(batch, number, nonce);
        Gf128 hash{};
        std::uint32_t last = blocks;
        for (std::uint32_t block = lane; block < blocks; block += kWarp) {
            std::uint32_t stream[4] = {nonce[0], nonce[1], nonce[2], 2 + segment * kSegmentBlocks + block};
            encryptAesBlock(table, roundKeys, stream);
            std::uint32_t left = bytes - 16 * block;
            std::uint32_t in[4];
            std::uint32_t out[4];
            std::uint32_t hashed[4];
            loadBlock(message.in + begin + 16 * block, left, in);
#pragma unroll
            for (int i = 0; i < 4; i++) {
                out[i] = in[i] ^ swapped(stream[i]);
                std::uint32_t there = left >= 4 * (i + 1U) ? ~0U
                                      : left <= 4U * i     ? 0
                                                           : (1U << (8 * (left - 4 * i))) - 1;
                hashed[i] = batch.opened == nullptr ? out[i] & there : in[i];
            }
            storeBlock(message.out + begin + 16 * block, left, out);
            hash = multiply(hash, byNibble);
            hash ^= Gf128{{swapped(hashed[0]), swapped(hashed[1]), swapped(hashed[2]), swapped(hashed[3])}};
            last = block;
        }
        if (last < blocks) hash = multiply(hash, key->powers[blocks - last]);
        hash = sumOfWarp(hash);
        if (lane == 0) hashes[static_cast<std::uint64_t>(number) * segmentsOf(batch.length) + segment] = hash;
    });
}

/// A thread a message.
__global__ void __launch_bounds__(kTagThreads)
    shredder_aes_gcm_tags(const AesGcmDeviceKey* key, DeviceBatch batch, const Gf128* hashes) {
    std::uint32_t number = blockIdx.x * kTagThreads + threadIdx.x;
    if (number >= batch.count) return;
    MessagePlace message(batch, number);
    const Gf128* hashesOfMessage = hashes + static_cast<std::uint64_t>(number) * segmentsOf(batch.length);
    Gf128 hash = hashOfClear(*key, batch, (message.length + 15) / 16);
    Gf128 moved{};
    for (std::uint32_t segment = 0; segment < message.segments(); segment++) {
        std::uint32_t blocks = (min(message.length - segment * kSegmentBytes, kSegmentBytes) + 15) / 16;
        if (segment > 0) moved = multiply(moved, key->powers[blocks]);
        moved ^= hashesOfMessage[segment];
    }
    hash ^= moved;
    hash ^= Gf128{{0, batch.clearBytes * 8, message.length >> 29, message.length << 3}};
    hash = multiply(hash, key->powers[1]);
    std::uint32_t nonce[3];
    nonceWords(batch, number, nonce);
    std::uint32_t tag[4] = {nonce[0], nonce[1], nonce[2], 1};
    encryptAesBlock(PlainTables{kTables}, key->roundKeys, tag);
#pragma unroll
    for (int i = 0; i < 4; i++) {
        tag[i] = swapped(tag[i] ^ hash.w[i]);
    }
    std::uint8_t* place = batch.tags + number * batch.tagStride;
    if (batch.opened == nullptr) {
        storeBlock(place, 16, tag);
        return;
    }
    std::uint32_t found[4];
    loadBlock(place, 16, found);
    std::uint32_t wrong = 0;
    for (int i = 0; i < 4; i++) {
        wrong |= found[i] ^ tag[i];
    }
    batch.opened[number] = wrong == 0 ? 1 : 0;
}

}  // extern "C"

std::size_t scratchBytes(std::size_t count, std::size_t length) {
    return count * segmentsOf(static_cast<std::uint32_t>(length)) * 2 * sizeof(Gf128);
}

void enqueueAesGcmKey(const std::uint8_t* key, AesGcmDeviceKey* prepared, cudaStream_t stream) {
    shredder_aes_gcm_key<<<1, kKeyThreads, 0, stream>>>(key, prepared);
    checkLaunch("AES-256-GCM's key");
}

void enqueueAesGcm(const AesGcmDeviceKey* key, const DeviceBatch& batch, void* scratch, cudaStream_t stream) {
    if (batch.count == 0) return;
    auto* hashes = static_cast<Gf128*>(scratch);
    std::size_t warps = static_cast<std::size_t>(batch.count) * segmentsOf(batch.length);
    std::size_t blocks =
        std::min<std::size_t>((warps * kWarp + kSealThreads - 1) / kSealThreads, kMostBlocks);
    shredder_aes_gcm_segments<<<static_cast<unsigned>(blocks), kSealThreads, 0, stream>>>(key, batch, hashes);
    checkLaunch("AES-256-GCM");
    shredder_aes_gcm_tags<<<(batch.count + kTagThreads - 1) / kTagThreads, kTagThreads, 0, stream>>>(
        key, batch, hashes);
    checkLaunch("AES-256-GCM's tags");
}

}  // namespace shredder::crypto
