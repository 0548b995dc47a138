// SPDX-License-Identifier: Apache-2.0
//
// Eight loads a step into eight sums, so that no load waits for another's sum; no prefetch, no tricks. And
// the same loads in a scan's order, with a scan's prefetches.
#include "measure/linear_read.h"

#include "cpu/scan.h"

namespace shredder::tools {
namespace {

constexpr std::size_t kLineBytes = 64;
constexpr std::size_t kStretches = 64;
constexpr std::size_t kStretchBytes = kScanBlockBytes / kStretches;
constexpr std::size_t kPrefetchPlaces = 8;
constexpr std::size_t kPlaceBytes = kScanBlockBytes / kPrefetchPlaces;

/// Eight sums of vectors.
template <typename Vector>
struct Sums {
    Vector sums[8] = {};

    /// Adds the eight vectors at data.
    [[gnu::always_inline]] void add(const std::uint8_t* data) {
        const auto* vectors = reinterpret_cast<const Vector*>(data);
#pragma GCC unroll 8
        for (int j = 0; j < 8; j++) {
            sums[j] ^= vectors[j];
        }
    }

    /// Adds the vectors of one line.
    [[gnu::always_inline]] void addLine(const std::uint8_t* data, std::size_t line) {
        const auto* vectors = reinterpret_cast<const Vector*>(data);
        for (std::size_t j = 0; j < kLineBytes / sizeof(Vector); j++) {
            sums[(line + j) % 8] ^= vectors[j];
        }
    }

    [[gnu::always_inline]] std::uint64_t folded() const {
        Vector sum = sums[0] ^ sums[1] ^ sums[2] ^ sums[3] ^ sums[4] ^ sums[5] ^ sums[6] ^ sums[7];
        std::uint64_t all = 0;
        for (std::size_t lane = 0; lane < sizeof(Vector) / 8; lane++) {
            all ^= static_cast<std::uint64_t>(sum[lane]);
        }
        return all;
    }
};

template <typename Vector>
[[gnu::always_inline]] inline std::uint64_t readAs(const std::uint8_t* data, std::size_t size) {
    Sums<Vector> sums;
    for (std::size_t i = 0; i < size; i += sizeof sums) {
        sums.add(data + i);
    }
    return sums.folded();
}

/// A line of each stretch of a block, then the next of each; every load with a prefetch of the next block and
/// one of the stretch, two lines on. Always inline: GCC drops calls to functions that only prefetch.
template <typename Vector>
[[gnu::always_inline]] inline std::uint64_t readInScanOrderAs(const std::uint8_t* data, std::size_t size) {
    Sums<Vector> sums;
    std::size_t blocks = size - size % kScanBlockBytes;
    for (std::size_t block = 0; block < blocks; block += kScanBlockBytes) {
        const std::uint8_t* next = data + block + kScanBlockBytes;
        for (std::size_t i = 0; i < kStretchBytes; i += kLineBytes) {
            const std::uint8_t* line = data + block + i;
            for (std::size_t stretch = 0; stretch < kStretches; stretch++, line += kStretchBytes) {
                __builtin_prefetch(next + stretch % kPrefetchPlaces * kPlaceBytes, 0, 2);
                if (stretch % kPrefetchPlaces == kPrefetchPlaces - 1) next += kLineBytes;
                __builtin_prefetch(line + 2 * kLineBytes, 0, 3);
                sums.addLine(line, stretch);
            }
        }
    }
    return sums.folded() ^ readAs<Vector>(data + blocks, size - blocks);
}

using Lanes2 = long long __attribute__((vector_size(16), may_alias));
using Lanes4 = long long __attribute__((vector_size(32), may_alias));
using Lanes8 = long long __attribute__((vector_size(64), may_alias));

std::uint64_t readSse2(const std::uint8_t* data, std::size_t size) {
    return readAs<Lanes2>(data, size);
}

std::uint64_t readInScanOrderSse2(const std::uint8_t* data, std::size_t size) {
    return readInScanOrderAs<Lanes2>(data, size);
}

[[gnu::target("avx2")]] std::uint64_t readAvx2(const std::uint8_t* data, std::size_t size) {
    return readAs<Lanes4>(data, size);
}

[[gnu::target("avx2")]] std::uint64_t readInScanOrderAvx2(const std::uint8_t* data, std::size_t size) {
    return readInScanOrderAs<Lanes4>(data, size);
}

[[gnu::target("avx512f")]] std::uint64_t readAvx512(const std::uint8_t* data, std::size_t size) {
    return readAs<Lanes8>(data, size);
}

[[gnu::target("avx512f")]] std::uint64_t readInScanOrderAvx512(const std::uint8_t* data, std::size_t size) {
    return readInScanOrderAs<Lanes8>(data, size);
}

}  // namespace

LinearRead linearRead() {
    if (__builtin_cpu_supports("avx512f")) return {"avx512", readAvx512, readInScanOrderAvx512};
    if (__builtin_cpu_supports("avx2")) return {"avx2", readAvx2, readInScanOrderAvx2};
    return {"sse2", readSse2, readInScanOrderSse2};
}

}  // namespace shredder::tools
