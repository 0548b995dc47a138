// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measure/crypto/device_ciphers.h"
#include "measure/crypto/device_words.h"

// How kernels find the messages of a batch and their segments. For kernels.
namespace shredder::crypto {

constexpr unsigned kWarp = 32;

/// One message of a batch.
struct MessagePlace {
    const std::uint8_t* in;
    std::uint8_t* out;
    std::uint32_t length;

    __device__ MessagePlace(const DeviceBatch& batch, std::uint32_t number) {
        if (batch.messages == nullptr) {
            in = batch.in + number * batch.inStride;
            out = batch.out + number * batch.outStride;
            length = batch.length;
        } else {
            Message message = batch.messages[number];
            in = batch.in + message.begin;
            out = batch.out + sealedOffset(message, number);
            length = message.length;
        }
    }
    __device__ std::uint32_t segments() const { return (length + kSegmentBytes - 1) / kSegmentBytes; }
};

/// Segments of the longest message; the others have some that are empty.
SHREDDER_HOST_DEVICE inline std::uint32_t segmentsOf(std::uint32_t length) {
    return length == 0 ? 1 : (length + kSegmentBytes - 1) / kSegmentBytes;
}

/// The nonce of a message as three big-endian words.
__device__ inline void nonceWords(const DeviceBatch& batch, std::uint32_t number, std::uint32_t (&words)[3]) {
    std::uint64_t sequence = batch.firstSequence + number;
    words[0] = static_cast<std::uint32_t>(sequence >> 32);
    words[1] = static_cast<std::uint32_t>(sequence);
    words[2] = batch.part;
}

/// Calls take(message's number, segment's number) for each segment of a batch, whole warps together.
template <typename Take>
__device__ void forEachSegment(const DeviceBatch& batch, Take take) {
    std::uint32_t perMessage = segmentsOf(batch.length);
    std::uint64_t total = static_cast<std::uint64_t>(batch.count) * perMessage;
    std::uint64_t warps = static_cast<std::uint64_t>(gridDim.x) * (blockDim.x / kWarp);
    for (std::uint64_t i = blockIdx.x * (blockDim.x / kWarp) + threadIdx.x / kWarp; i < total; i += warps) {
        take(static_cast<std::uint32_t>(i / perMessage), static_cast<std::uint32_t>(i % perMessage));
    }
}

}  // namespace shredder::crypto
