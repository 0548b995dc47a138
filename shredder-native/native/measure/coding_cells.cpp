// SPDX-License-Identifier: Apache-2.0
#include "measure/coding_cells.h"

#include <cstring>
#include <numeric>

namespace shredder::tools {
namespace {

constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kStaggerBytes = 2112;
constexpr std::size_t kJavaBytes = 16;
constexpr std::size_t kProbeBytes = 128;

template <typename Vector>
[[gnu::always_inline]] inline void probeAs(const CodingShape& shape, std::uint8_t* const* cells,
                                           std::size_t from, std::size_t bytes) {
    constexpr std::size_t kTogether = kProbeBytes / sizeof(Vector);
    for (std::size_t at = from; at + kProbeBytes <= from + bytes; at += kProbeBytes) {
        Vector sums[kTogether] = {};
        for (std::size_t j = 0; j < shape.data; j++) {
            for (std::size_t v = 0; v < kTogether; v++) {
                Vector loaded;
                std::memcpy(&loaded, cells[j] + at + v * sizeof(Vector), sizeof loaded);
                sums[v] ^= loaded;
            }
        }
        for (std::size_t i = shape.data; i < shape.shards(); i++) {
            std::memcpy(cells[i] + at, sums, sizeof sums);
        }
    }
}

using Lanes2 = long long __attribute__((vector_size(16)));
using Lanes4 = long long __attribute__((vector_size(32)));
using Lanes8 = long long __attribute__((vector_size(64)));

[[gnu::target("avx512f")]] void probeAvx512(const CodingShape& shape, std::uint8_t* const* cells,
                                            std::size_t from, std::size_t bytes) {
    probeAs<Lanes8>(shape, cells, from, bytes);
}

[[gnu::target("avx2")]] void probeAvx2(const CodingShape& shape, std::uint8_t* const* cells, std::size_t from,
                                       std::size_t bytes) {
    probeAs<Lanes4>(shape, cells, from, bytes);
}

}  // namespace

CodingCells::CodingCells(const CodingShape& shape, std::size_t cellBytes, std::size_t stripes,
                         CellPlace place)
    : shards_(shape.shards()), stripes_(stripes) {
    std::size_t count = shards_ * stripes;
    // Room for the place in the page, whole pages.
    std::size_t stride = (cellBytes + 2 * kPageBytes) / kPageBytes * kPageBytes;
    memory_.reset(static_cast<std::uint8_t*>(::operator new[](count* stride + kPageBytes, kAlignment)));
    std::iota(memory_.get(), memory_.get() + count * stride, std::uint8_t{0});
    for (std::size_t i = 0; i < count; i++) {
        std::size_t inPage = place == CellPlace::kJava ? kJavaBytes : kStaggerBytes * i % kPageBytes;
        cells_.push_back(memory_.get() + i * stride + inPage);
    }
}

std::uint8_t* const* CodingCells::next() {
    std::uint8_t* const* stripe = cells_.data() + at_ * shards_;
    at_ = (at_ + 1) % stripes_;
    return stripe;
}

void probeMemory(const CodingShape& shape, std::uint8_t* const* cells, std::size_t from, std::size_t bytes) {
    static const auto kWidest = __builtin_cpu_supports("avx512f") ? probeAvx512
                                : __builtin_cpu_supports("avx2")  ? probeAvx2
                                                                  : probeAs<Lanes2>;
    kWidest(shape, cells, from, bytes);
}

}  // namespace shredder::tools
