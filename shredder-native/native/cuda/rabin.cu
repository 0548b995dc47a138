// SPDX-License-Identifier: Apache-2.0
//
// Scan: one thread rolls one fingerprint over a tile of 256 bytes, warmed up on the 48 bytes before it.
#include "cuda/cuda_check.h"
#include "cuda/kernels.h"

namespace shredder {
namespace {

constexpr unsigned kThreads = 256;

/// x^48 + x^5 + x^3 + x^2 + 1 without tables (docs/formats/chunking.md section 1), in two registers.
struct DefaultArithmetic {
    std::uint32_t low = 0;   // bits 0..31
    std::uint32_t high = 0;  // bits 32..47

    __device__ explicit DefaultArithmetic(const RollTables*) {}

    __device__ void roll(std::uint32_t in, std::uint32_t out) {
        std::uint32_t top = high >> 8;
        high = ((high << 8) | (low >> 24)) & 0xFFFF;
        low = (low << 8) | in;
        low ^= top ^ (top << 2) ^ (top << 3) ^ (top << 5);
        low ^= out ^ (out << 16) ^ (out << 24);
        high ^= out << 8;
    }
};

/// Any polynomial, with the tables in shared memory.
struct TableArithmetic {
    const RollTables* tables;
    std::uint32_t low = 0;
    std::uint32_t high = 0;

    __device__ explicit TableArithmetic(const RollTables* shared) : tables(shared) {}

    __device__ void roll(std::uint32_t in, std::uint32_t out) {
        std::uint64_t state = (static_cast<std::uint64_t>(high) << 32) | low;
        state = shredder::roll(*tables, state, static_cast<std::uint8_t>(in), static_cast<std::uint8_t>(out));
        low = static_cast<std::uint32_t>(state);
        high = static_cast<std::uint32_t>(state >> 32);
    }
};

__device__ std::uint32_t byteOf(const uint4& bytes, int i) {
    std::uint32_t word = i < 4 ? bytes.x : i < 8 ? bytes.y : i < 12 ? bytes.z : bytes.w;
    return (word >> (8 * (i % 4))) & 0xFF;
}

__device__ uint4 load16(const std::uint8_t* aligned) {
    return *reinterpret_cast<const uint4*>(aligned);
}

/// Candidates among 64 positions. mask has at most 30 bits, so the low word decides.
template <typename Arithmetic>
__device__ std::uint64_t scan64(Arithmetic& fingerprint, const std::uint8_t* data, std::uint32_t mask,
                                std::uint32_t marker) {
    std::uint64_t bits = 0;
#pragma unroll
    for (int group = 0; group < 4; group++) {
        uint4 in = load16(data + 16 * group);
        uint4 out = load16(data + 16 * group - kWindowBytes);
#pragma unroll
        for (int i = 0; i < 16; i++) {
            fingerprint.roll(byteOf(in, i), byteOf(out, i));
            bits |= static_cast<std::uint64_t>((fingerprint.low & mask) == marker) << (16 * group + i);
        }
    }
    return bits;
}

/// Bits 0 .. valid - 1.
__device__ std::uint64_t lowBits(std::size_t valid) {
    return valid >= 64 ? ~0ULL : (1ULL << valid) - 1;
}

template <typename Arithmetic>
__device__ void scanTile(const RollTables* tables, const std::uint8_t* payload, std::size_t bytes,
                         std::uint64_t* bitmap, std::uint32_t mask, std::uint32_t marker) {
    std::size_t begin = (static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x) * kScanTileBytes;
    if (begin >= bytes) return;
    Arithmetic fingerprint(tables);
#pragma unroll
    for (int group = 0; group < kWindowBytes / 16; group++) {
        uint4 in = load16(payload + begin - kWindowBytes + 16 * group);
#pragma unroll
        for (int i = 0; i < 16; i++) {
            fingerprint.roll(byteOf(in, i), 0);
        }
    }
    for (std::size_t at = begin; at < begin + kScanTileBytes && at < bytes; at += 64) {
        bitmap[at / 64] = scan64(fingerprint, payload + at, mask, marker) & lowBits(bytes - at);
    }
}

__global__ void __launch_bounds__(kThreads)
    scanDefault(const std::uint8_t* payload, std::size_t bytes, std::uint64_t* bitmap, std::uint32_t mask,
                std::uint32_t marker) {
    scanTile<DefaultArithmetic>(nullptr, payload, bytes, bitmap, mask, marker);
}

__global__ void __launch_bounds__(kThreads)
    scanAnyPolynomial(const ScanSpec* spec, const std::uint8_t* payload, std::size_t bytes,
                      std::uint64_t* bitmap, std::uint32_t mask, std::uint32_t marker) {
    __shared__ std::uint64_t shared[sizeof(RollTables) / sizeof(std::uint64_t)];
    auto* tables = reinterpret_cast<RollTables*>(shared);
    for (unsigned i = threadIdx.x; i < 256; i += kThreads) {
        tables->append[i] = spec->tables.append[i];
        tables->remove[i] = spec->tables.remove[i];
    }
    __syncthreads();
    scanTile<TableArithmetic>(tables, payload, bytes, bitmap, mask, marker);
}

}  // namespace

void enqueueScan(const ScanSpec& hostSpec, const ScanSpec* deviceSpec, const DeviceBuffer& buffer,
                 std::uint64_t* bitmap, cudaStream_t stream) {
    if (buffer.bytes == 0) return;
    std::size_t tiles = (buffer.bytes + kScanTileBytes - 1) / kScanTileBytes;
    auto blocks = static_cast<unsigned>((tiles + kThreads - 1) / kThreads);
    auto mask = static_cast<std::uint32_t>(hostSpec.mask);
    auto marker = static_cast<std::uint32_t>(hostSpec.marker);
    if (hostSpec.defaultPolynomial) {
        scanDefault<<<blocks, kThreads, 0, stream>>>(buffer.payload, buffer.bytes, bitmap, mask, marker);
    } else {
        scanAnyPolynomial<<<blocks, kThreads, 0, stream>>>(deviceSpec, buffer.payload, buffer.bytes, bitmap,
                                                           mask, marker);
    }
    checkLaunch("scan");
}

}  // namespace shredder
