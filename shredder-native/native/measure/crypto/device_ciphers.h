// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "cuda/cuda_resources.h"
#include "cuda/kernels.h"
#include "measure/crypto/aes_tables.h"
#include "measure/crypto/cipher_batch.h"
#include "measure/crypto/crc32.h"
#include "measure/crypto/gf128.h"
#include "measure/crypto/tea.h"

// Ciphers on the GPU. Functions only enqueue; pointers are to device memory, or page-locked.
namespace shredder::crypto {

/// A warp takes so much of a message; longer ones are shared out.
inline constexpr std::uint32_t kSegmentBytes = 32 << 10;
inline constexpr std::uint32_t kSegmentBlocks = kSegmentBytes / 16;

/// What kernels need of an AES-256-GCM key.
struct AesGcmDeviceKey {
    std::uint32_t roundKeys[64];       ///< 60 are used
    Gf128 powers[kSegmentBlocks + 1];  ///< of the hash key
    NibbleProducts byNibble;           ///< products of its 32nd power with each digit at each place
};

/// Messages to seal or to open. Plain data, so that other languages can pass it to the kernels as well.
struct DeviceBatch {
    const std::uint8_t* in;
    std::uint8_t* out;
    std::uint8_t* tags;         ///< written when sealing, compared when opening
    std::uint8_t* opened;       ///< null: seal; else 1 for each message whose tag is right, 0 for others
    const Message* messages;    ///< where each lies, in `in` as in `out`; null: one length, in strides
    const std::uint8_t* clear;  ///< authenticated with each message
    std::uint64_t inStride;
    std::uint64_t outStride;
    std::uint64_t tagStride;
    std::uint64_t firstSequence;  ///< message i has nonce {firstSequence + i, part}
    std::uint32_t part;
    std::uint32_t clearBytes;
    std::uint32_t length;  ///< of each, or of the longest
    std::uint32_t count;
};

/// Where a listed message is sealed to: at a multiple of 16, behind the ones before it.
SHREDDER_HOST_DEVICE inline std::uint64_t sealedOffset(const Message& message, std::uint32_t number) {
    return (static_cast<std::uint64_t>(message.begin) + 15) / 16 * 16 + 16ULL * number;
}

/// Room for `count` listed messages that end before `bytes`.
inline std::size_t sealedRoom(std::size_t bytes, std::size_t count) {
    return bytes + 16 * (count + 1);
}

/// Working memory for a batch of so many messages of at most so many bytes.
std::size_t scratchBytes(std::size_t count, std::size_t length);

void enqueueAesGcmKey(const std::uint8_t* key, AesGcmDeviceKey* prepared, cudaStream_t stream);
void enqueueAesGcm(const AesGcmDeviceKey* key, const DeviceBatch& batch, void* scratch, cudaStream_t stream);

/// Seals; key: 32 bytes, aligned to 4.
void enqueueChachaPoly(const std::uint8_t* key, const DeviceBatch& batch, void* scratch, cudaStream_t stream);

/// bytes: a multiple of 8; in and out aligned to 8.
void enqueueTea(const TeaKey& key, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes,
                cudaStream_t stream);

/// CRC-32 of messages of one length, back to back.
class DeviceCrc32 {
  public:
    DeviceCrc32();
    void enqueue(const std::uint8_t* in, std::size_t length, std::size_t count, std::uint32_t* crcs,
                 cudaStream_t stream) const;

  private:
    DeviceMemory<std::uint32_t> table_{4 * 256};
};

}  // namespace shredder::crypto
