// SPDX-License-Identifier: Apache-2.0
//
// Eight loads a step into eight sums, so that no load waits for another's sum; no prefetch, no tricks.
#include "tools/linear_read.h"

namespace shredder::tools {
namespace {

template <typename Vector>
[[gnu::always_inline]] inline std::uint64_t readAs(const std::uint8_t* data, std::size_t size) {
    const auto* vectors = reinterpret_cast<const Vector*>(data);
    Vector sums[8] = {};
    for (std::size_t i = 0; i < size / sizeof(Vector); i += 8) {
#pragma GCC unroll 8
        for (int j = 0; j < 8; j++) {
            sums[j] ^= vectors[i + j];
        }
    }
    Vector sum = sums[0] ^ sums[1] ^ sums[2] ^ sums[3] ^ sums[4] ^ sums[5] ^ sums[6] ^ sums[7];
    std::uint64_t folded = 0;
    for (std::size_t lane = 0; lane < sizeof(Vector) / 8; lane++) {
        folded ^= static_cast<std::uint64_t>(sum[lane]);
    }
    return folded;
}

using Lanes2 = long long __attribute__((vector_size(16), may_alias));
using Lanes4 = long long __attribute__((vector_size(32), may_alias));
using Lanes8 = long long __attribute__((vector_size(64), may_alias));

std::uint64_t readSse2(const std::uint8_t* data, std::size_t size) {
    return readAs<Lanes2>(data, size);
}

[[gnu::target("avx2")]] std::uint64_t readAvx2(const std::uint8_t* data, std::size_t size) {
    return readAs<Lanes4>(data, size);
}

[[gnu::target("avx512f")]] std::uint64_t readAvx512(const std::uint8_t* data, std::size_t size) {
    return readAs<Lanes8>(data, size);
}

}  // namespace

LinearRead linearRead() {
    if (__builtin_cpu_supports("avx512f")) return {"avx512", readAvx512};
    if (__builtin_cpu_supports("avx2")) return {"avx2", readAvx2};
    return {"sse2", readSse2};
}

}  // namespace shredder::tools
