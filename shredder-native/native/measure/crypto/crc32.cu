// SPDX-License-Identifier: Apache-2.0
//
// CRC-32 on a GPU: a warp a message, its threads words in turn. A thread's words are added up by Horner's
// rule with x^1024, and moved to their places at the end. A message is taken as if zeros were before it,
// which change nothing.
#include <algorithm>

#include "cuda/cuda_check.h"
#include "measure/crypto/device_batch.h"

namespace shredder::crypto {
namespace {

constexpr unsigned kThreads = 256;
constexpr std::uint32_t kMostBlocks = 4096;
constexpr std::uint32_t kRowBytes = 4 * kWarp;

/// Product of two remainders; the highest bit is x^0.
SHREDDER_HOST_DEVICE std::uint32_t times(std::uint32_t a, std::uint32_t b) {
    std::uint32_t product = 0;
    for (int i = 0; i < 32; i++) {
        product ^= b & (0U - (a >> 31));
        a <<= 1;
        b = b >> 1 ^ (kCrcPolynomial & (0U - (b & 1)));
    }
    return product;
}

/// x^exponent
SHREDDER_HOST_DEVICE std::uint32_t powerOfX(std::uint64_t exponent) {
    std::uint32_t square = 0x40000000;
    std::uint32_t result = 0x80000000;
    for (; exponent != 0; exponent >>= 1) {
        if ((exponent & 1) != 0) result = times(result, square);
        square = times(square, square);
    }
    return result;
}

/// Four bytes of a message, of which those before its beginning are zeros.
__device__ std::uint32_t wordAt(const std::uint8_t* message, std::int64_t at) {
    if (at >= 0) return loadWord(message + at);
    std::uint32_t word = 0;
    for (std::int64_t byte = 0; byte < at + 4; byte++) {
        word |= static_cast<std::uint32_t>(message[byte]) << (8 * (byte - at));
    }
    return word;
}

/// start: what the ones before a message come to at its end.
__global__ void __launch_bounds__(kThreads)
    addUp(const std::uint8_t* in, std::size_t length, std::size_t count, std::uint32_t start,
          const std::uint32_t* table, std::uint32_t* crcs) {
    __shared__ std::uint32_t byRow[4 * 256];
    for (unsigned i = threadIdx.x; i < 4 * 256; i += kThreads) {
        byRow[i] = table[i];
    }
    __syncthreads();
    const unsigned lane = threadIdx.x % kWarp;
    const std::uint32_t toEnd = powerOfX(32 * (kWarp - lane));
    const std::int64_t padding = static_cast<std::int64_t>((kRowBytes - length % kRowBytes) % kRowBytes);
    for (std::size_t i = blockIdx.x * (kThreads / kWarp) + threadIdx.x / kWarp; i < count;
         i += static_cast<std::size_t>(gridDim.x) * (kThreads / kWarp)) {
        const std::uint8_t* message = in + i * length;
        std::uint32_t sum = 0;
        for (std::int64_t at = 4 * static_cast<std::int64_t>(lane) - padding;
             at < static_cast<std::int64_t>(length); at += kRowBytes) {
            sum = byRow[sum & 0xFF] ^ byRow[256 + (sum >> 8 & 0xFF)] ^ byRow[512 + (sum >> 16 & 0xFF)] ^
                  byRow[768 + (sum >> 24)] ^ wordAt(message, at);
        }
        sum = times(sum, toEnd);
#pragma unroll
        for (unsigned distance = kWarp / 2; distance > 0; distance /= 2) {
            sum ^= __shfl_xor_sync(~0U, sum, distance);
        }
        if (lane == 0) crcs[i] = ~(sum ^ start);
    }
}

}  // namespace

DeviceCrc32::DeviceCrc32() {
    std::uint32_t table[4 * 256];
    std::uint32_t row = powerOfX(8 * kRowBytes);
    for (std::uint32_t i = 0; i < 4 * 256; i++) {
        table[i] = times(i % 256 << (8 * (i / 256)), row);
    }
    checkCuda(cudaMemcpy(table_.get(), table, sizeof table, cudaMemcpyHostToDevice),
              "copy of CRC-32's table");
}

void DeviceCrc32::enqueue(const std::uint8_t* in, std::size_t length, std::size_t count, std::uint32_t* crcs,
                          cudaStream_t stream) const {
    if (count == 0) return;
    std::size_t blocks = std::min<std::size_t>((count * kWarp + kThreads - 1) / kThreads, kMostBlocks);
    addUp<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(
        in, length, count, times(~0U, powerOfX(8 * static_cast<std::uint64_t>(length))), table_.get(), crcs);
    checkLaunch("CRC-32");
}

}  // namespace shredder::crypto
