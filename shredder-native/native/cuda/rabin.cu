// SPDX-License-Identifier: Apache-2.0
//
// Scan. A thread takes four stretches of the buffer, one in each byte of its registers, and keeps their
// fingerprints byte-sliced: register s[k] holds byte k (0 lowest) of the four 48-bit fingerprints.
//
// Why it equals the scalar reference. Appending v and removing o (docs/formats/chunking.md section 1) gives
//   f' = (f << 8) ^ v ^ t * x^48 ^ o * x^384   (mod P),   t the top byte of f.
// The shift by a byte is a renaming, s[k] <- s[k-1]. For P = x^48 + x^5 + x^3 + x^2 + 1, o * x^384 is o
// itself in bytes 5, 3, 2 and 0, and t * x^48 = t * (x^5 + x^3 + x^2 + 1) = t * (x^2 + 1) * (x^3 + 1): two
// shifts and exclusive ors within the bytes, with masks for what crosses into byte 1. A stretch starts with
// the fingerprint of the 48 bytes before it, and a fingerprint depends on nothing else, so where stretches
// begin makes no difference.
//
// A thread loads a whole 32-byte sector of each stretch at a time, half a group ahead, and has the L2 cache
// fetch the rest of its 128 bytes, which the next groups need: the memory behind it is slow at single
// sectors. Eight byte permutations turn four words of the stretches into the words of four steps, which stay
// in a ring of 64 registers until they leave the window, 48 steps later. There is no table and no shared
// memory. Hits are rare: sixteen steps share one branch.
//
// Other polynomials take one stretch a thread and two tables in shared memory.
#include "cuda/cuda_check.h"
#include "cuda/kernels.h"

namespace shredder {
namespace {

constexpr unsigned kThreads = 128;
/// Blocks that a multiprocessor is to hold at once: bounds the registers to 168 a thread.
constexpr unsigned kBlocksPerMultiprocessor = 3;
constexpr unsigned kWarp = 32;
/// A thread's stretches are kWarp apart, so that a warp's are adjacent.
constexpr unsigned kThreadStretches = 4;
constexpr unsigned kWarpStretches = kWarp * kThreadStretches;
/// Steps whose bytes are loaded at once: a sector.
constexpr unsigned kGroup = 32;
/// Steps that enter the ring at once, just before they are taken: the window's oldest ones give way to them.
constexpr unsigned kHalf = kGroup / 2;
constexpr unsigned kRing = 64;
/// Stretches are an odd number of rings, so that they spread over the cache's sets. The warm-up costs about
/// half a ring.
constexpr std::size_t kMinStretchBytes = 3 * kRing;
constexpr std::size_t kMaxStretchBytes = 33 * kRing;
static_assert(kWarpStretches * kMaxStretchBytes + kGroup <= kReadAheadBytes);

/// The fingerprints' low bytes are compared; masks have at most 30 bits.
struct Target {
    std::uint32_t mask[4];
    std::uint32_t marker[4];
};

__device__ constexpr std::uint32_t inEachByte(std::uint32_t byte) {
    return byte * 0x01010101U;
}

struct Sliced {
    std::uint32_t s[6] = {};

    __device__ void roll(std::uint32_t in, std::uint32_t out) {
        std::uint32_t top = s[5];
        // top * (x^2 + 1), in a low byte and two bits above it
        std::uint32_t low = ((top << 2) & inEachByte(0xFC)) ^ top;
        std::uint32_t high = (top >> 6) & inEachByte(0x03);
        // the same times (x^3 + 1)
        std::uint32_t carried = ((low >> 5) & inEachByte(0x07)) ^ s[0];
        low = ((low << 3) & inEachByte(0xF8)) ^ low;
        s[5] = s[4] ^ out;
        s[4] = s[3];
        s[3] = s[2] ^ out;
        s[2] = s[1] ^ out;
        s[1] = carried ^ (high * 9);
        s[0] = low ^ in ^ out;
    }

    /// A zero byte wherever the stretch's fingerprint matches.
    template <int Bytes>
    __device__ std::uint32_t difference(const Target& target) const {
        std::uint32_t difference = s[0] ^ target.marker[0];
        // Only the highest compared byte is masked: those below it count as a whole.
        if constexpr (Bytes == 1) {
            return difference & target.mask[0];
        } else {
            if constexpr (Bytes > 2) difference |= s[1] ^ target.marker[1];
            if constexpr (Bytes > 3) difference |= s[2] ^ target.marker[2];
            return difference | ((s[Bytes - 1] ^ target.marker[Bytes - 1]) & target.mask[Bytes - 1]);
        }
    }
};

/// Sets the top bit of each zero byte, and perhaps of a byte above one.
__device__ std::uint32_t zeroBytes(std::uint32_t value) {
    return (value - inEachByte(0x01)) & ~value;
}

/// Byte k of each of a, b, c, d becomes word k.
__device__ void transpose(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d,
                          std::uint32_t* words) {
    std::uint32_t ab01 = __byte_perm(a, b, 0x5140);
    std::uint32_t ab23 = __byte_perm(a, b, 0x7362);
    std::uint32_t cd01 = __byte_perm(c, d, 0x5140);
    std::uint32_t cd23 = __byte_perm(c, d, 0x7362);
    words[0] = __byte_perm(ab01, cd01, 0x5410);
    words[1] = __byte_perm(ab01, cd01, 0x7632);
    words[2] = __byte_perm(ab23, cd23, 0x5410);
    words[3] = __byte_perm(ab23, cd23, 0x7632);
}

__device__ uint4 loadAndFetchLine(const std::uint8_t* at) {
    uint4 value;
    asm volatile("ld.global.L2::128B.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
                 : "l"(at));
    return value;
}

/// A group's bytes of a thread's stretches.
class Rows {
  public:
    __device__ Rows(const std::uint8_t* first, std::size_t stretch) : next_(first), apart_(kWarp * stretch) {}

    /// Starts the loads of the next group.
    __device__ void load() {
#pragma unroll
        for (unsigned i = 0; i < kThreadStretches; i++) {
            rows_[i][0] = loadAndFetchLine(next_ + i * apart_);
            rows_[i][1] = loadAndFetchLine(next_ + i * apart_ + sizeof(uint4));
        }
        next_ += kGroup;
    }

    /// The words of kHalf steps.
    __device__ void toSteps(unsigned half, std::uint32_t* steps) const {
        uint4 a = rows_[0][half], b = rows_[1][half], c = rows_[2][half], d = rows_[3][half];
        transpose(a.x, b.x, c.x, d.x, steps);
        transpose(a.y, b.y, c.y, d.y, steps + 4);
        transpose(a.z, b.z, c.z, d.z, steps + 8);
        transpose(a.w, b.w, c.w, d.w, steps + 12);
    }

  private:
    uint4 rows_[kThreadStretches][2];
    const std::uint8_t* next_;
    std::size_t apart_;
};

/// Bits 0 .. valid - 1.
__device__ std::uint32_t lowBits(std::size_t valid) {
    return valid >= 32 ? ~0U : (1U << valid) - 1;
}

/// Steps that are looked at together once one of their hits is known.
constexpr unsigned kReported = 4;

/// Writes the hits among kReported steps of one stretch; the first step's byte is at `position`.
__device__ void report(const std::uint32_t* differences, std::uint32_t hits, std::size_t position,
                       std::size_t stretch, std::size_t bytes, std::uint32_t* bitmap) {
    for (; hits != 0; hits &= hits - 1) {
        unsigned shift = static_cast<unsigned>(__ffs(static_cast<int>(hits))) - 8;
        std::size_t at = position + shift / 8 * kWarp * stretch;
        std::uint32_t bits = 0;
#pragma unroll
        for (unsigned step = 0; step < kReported; step++) {
            bits |= static_cast<std::uint32_t>(((differences[step] >> shift) & 0xFF) == 0) << step;
        }
        if (at < bytes) bits &= lowBits(bytes - at);
        if (bits != 0 && at < bytes) atomicOr(bitmap + at / 32, bits << (at % 32));
    }
}

/// The bitmap is zero.
template <int Bytes>
__global__ void __launch_bounds__(kThreads, kBlocksPerMultiprocessor)
    scanDefault(DeviceBuffer buffer, std::size_t stretch, std::uint32_t* bitmap, Target target) {
    std::size_t warp = static_cast<std::size_t>(blockIdx.x) * (kThreads / kWarp) + threadIdx.x / kWarp;
    std::size_t begin = (warp * kWarpStretches + threadIdx.x % kWarp) * stretch;
    if (begin >= buffer.bytes) return;
    Rows rows(buffer.payload + begin - kRing, stretch);
    Sliced fingerprints;
    std::uint32_t ring[kRing];  // the bytes of step i are at i % kRing
#pragma unroll
    for (unsigned first = 0; first < kRing; first += kGroup) {  // more than the window: whole sectors
        rows.load();
        rows.toSteps(0, ring + first);
        rows.toSteps(1, ring + first + kHalf);
    }
#pragma unroll
    for (unsigned step = kRing - kWindowBytes; step < kRing; step++) {
        fingerprints.roll(ring[step], 0);
    }
    rows.load();
    for (std::size_t at = 0; at < stretch; at += kRing) {
#pragma unroll
        for (unsigned first = 0; first < kRing; first += kHalf) {
            unsigned half = first / kHalf % 2;
            rows.toSteps(half, ring + first);
            if (half == 1) rows.load();
            std::uint32_t differences[kHalf];
            std::uint32_t hits[kHalf / kReported] = {};
#pragma unroll
            for (unsigned i = 0; i < kHalf; i++) {
                fingerprints.roll(ring[first + i], ring[(first + i + kRing - kWindowBytes) % kRing]);
                differences[i] = fingerprints.difference<Bytes>(target);
                hits[i / kReported] |= zeroBytes(differences[i]);
            }
            if (((hits[0] | hits[1] | hits[2] | hits[3]) & inEachByte(0x80)) == 0) continue;
#pragma unroll
            for (unsigned i = 0; i < kHalf; i += kReported) {
                report(differences + i, hits[i / kReported] & inEachByte(0x80), begin + at + first + i,
                       stretch, buffer.bytes, bitmap);
            }
        }
    }
}

constexpr unsigned kTileThreads = 256;
constexpr std::size_t kTileBytes = 256;
constexpr unsigned kTileLoad = 16;

__device__ std::uint8_t byteOf(const uint4& bytes, unsigned i) {
    std::uint32_t word = i < 4 ? bytes.x : i < 8 ? bytes.y : i < 12 ? bytes.z : bytes.w;
    return static_cast<std::uint8_t>(word >> (8 * (i % 4)));
}

/// Candidates among 64 positions.
__device__ std::uint64_t scan64(const RollTables& tables, std::uint64_t& fingerprint,
                                const std::uint8_t* data, std::uint32_t mask, std::uint32_t marker) {
    std::uint64_t bits = 0;
#pragma unroll
    for (unsigned group = 0; group < 64 / kTileLoad; group++) {
        uint4 in = *reinterpret_cast<const uint4*>(data + kTileLoad * group);
        uint4 out = *reinterpret_cast<const uint4*>(data + kTileLoad * group - kWindowBytes);
#pragma unroll
        for (unsigned i = 0; i < kTileLoad; i++) {
            fingerprint = roll(tables, fingerprint, byteOf(in, i), byteOf(out, i));
            bits |= static_cast<std::uint64_t>((static_cast<std::uint32_t>(fingerprint) & mask) == marker)
                    << (kTileLoad * group + i);
        }
    }
    return bits;
}

__device__ std::uint64_t validBits(std::size_t valid) {
    return valid >= 64 ? ~0ULL : (1ULL << valid) - 1;
}

__global__ void __launch_bounds__(kTileThreads)
    scanAnyPolynomial(DeviceBuffer buffer, std::uint64_t* bitmap, const __grid_constant__ ScanSpec spec) {
    __shared__ std::uint64_t shared[sizeof(RollTables) / sizeof(std::uint64_t)];
    auto* tables = reinterpret_cast<RollTables*>(shared);
    tables->append[threadIdx.x] = spec.tables.append[threadIdx.x];
    tables->remove[threadIdx.x] = spec.tables.remove[threadIdx.x];
    __syncthreads();
    std::size_t begin = (static_cast<std::size_t>(blockIdx.x) * kTileThreads + threadIdx.x) * kTileBytes;
    if (begin >= buffer.bytes) return;
    std::uint64_t fingerprint = windowFingerprint(*tables, buffer.payload + begin);
    for (std::size_t at = begin; at < begin + kTileBytes && at < buffer.bytes; at += 64) {
        bitmap[at / 64] =
            scan64(*tables, fingerprint, buffer.payload + at, static_cast<std::uint32_t>(spec.mask),
                   static_cast<std::uint32_t>(spec.marker)) &
            validBits(buffer.bytes - at);
    }
}

constexpr std::size_t kNaiveTileBytes = 4096;

__global__ void __launch_bounds__(kTileThreads)
    scanNaive(DeviceBuffer buffer, std::uint64_t* bitmap, const __grid_constant__ ScanSpec spec) {
    std::size_t begin = (static_cast<std::size_t>(blockIdx.x) * kTileThreads + threadIdx.x) * kNaiveTileBytes;
    std::size_t end = begin + kNaiveTileBytes < buffer.bytes ? begin + kNaiveTileBytes : buffer.bytes;
    if (begin >= end) return;
    std::uint64_t fingerprint = windowFingerprint(spec.tables, buffer.payload + begin);
    std::uint64_t bits = 0;
    for (std::size_t at = begin; at < end; at++) {
        fingerprint = roll(spec.tables, fingerprint, buffer.payload[at], buffer.payload[at - kWindowBytes]);
        bits |= static_cast<std::uint64_t>((fingerprint & spec.mask) == spec.marker) << (at % 64);
        if (at % 64 == 63 || at + 1 == end) {
            bitmap[at / 64] = bits;
            bits = 0;
        }
    }
}

Target targetOf(const ScanSpec& spec) {
    Target target{};
    for (int k = 0; k < 4; k++) {
        target.mask[k] = static_cast<std::uint32_t>(spec.mask >> (8 * k) & 0xFF) * 0x01010101U;
        target.marker[k] = static_cast<std::uint32_t>(spec.marker >> (8 * k) & 0xFF) * 0x01010101U;
    }
    return target;
}

unsigned blocksFor(std::size_t bytes, std::size_t bytesPerBlock) {
    return static_cast<unsigned>((bytes + bytesPerBlock - 1) / bytesPerBlock);
}

/// Long stretches for long buffers, but enough of them to fill the GPU.
std::size_t stretchFor(std::size_t bytes) {
    int device = 0;
    int multiprocessors = 0;
    checkCuda(cudaGetDevice(&device), "cudaGetDevice");
    checkCuda(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
              "cudaDeviceGetAttribute");
    std::size_t streams =
        static_cast<std::size_t>(multiprocessors) * kBlocksPerMultiprocessor * kThreads * kThreadStretches;
    std::size_t rings = bytes / streams / kRing;
    std::size_t stretch = (rings % 2 == 0 && rings > 0 ? rings - 1 : rings) * kRing;
    return stretch < kMinStretchBytes   ? kMinStretchBytes
           : stretch > kMaxStretchBytes ? kMaxStretchBytes
                                        : stretch;
}

void enqueueScanDefault(const ScanSpec& spec, const DeviceBuffer& buffer, std::uint64_t* bitmap,
                        cudaStream_t stream) {
    checkCuda(cudaMemsetAsync(bitmap, 0, (buffer.bytes + 63) / 64 * sizeof(std::uint64_t), stream),
              "cudaMemsetAsync");
    std::size_t stretch = stretchFor(buffer.bytes);
    unsigned blocks = blocksFor(buffer.bytes, stretch * kThreadStretches * kThreads);
    Target target = targetOf(spec);
    auto* words = reinterpret_cast<std::uint32_t*>(bitmap);
    if (spec.mask <= 0xFF) {
        scanDefault<1><<<blocks, kThreads, 0, stream>>>(buffer, stretch, words, target);
    } else if (spec.mask <= 0xFFFF) {
        scanDefault<2><<<blocks, kThreads, 0, stream>>>(buffer, stretch, words, target);
    } else if (spec.mask <= 0xFFFFFF) {
        scanDefault<3><<<blocks, kThreads, 0, stream>>>(buffer, stretch, words, target);
    } else {
        scanDefault<4><<<blocks, kThreads, 0, stream>>>(buffer, stretch, words, target);
    }
}

}  // namespace

void enqueueScan(const ScanSpec& spec, ScanForm form, const DeviceBuffer& buffer, std::uint64_t* bitmap,
                 cudaStream_t stream) {
    if (buffer.bytes == 0) return;
    if (form == ScanForm::Naive) {
        scanNaive<<<blocksFor(buffer.bytes, kNaiveTileBytes * kTileThreads), kTileThreads, 0, stream>>>(
            buffer, bitmap, spec);
    } else if (spec.defaultPolynomial) {
        enqueueScanDefault(spec, buffer, bitmap, stream);
    } else {
        scanAnyPolynomial<<<blocksFor(buffer.bytes, kTileBytes * kTileThreads), kTileThreads, 0, stream>>>(
            buffer, bitmap, spec);
    }
    checkLaunch("scan");
}

}  // namespace shredder
