// SPDX-License-Identifier: Apache-2.0
//
// Gopal et al.: Fast CRC computation for generic polynomials using PCLMULQDQ instruction (Intel, 2009).
#include <immintrin.h>

#include "measure/crypto/crc32.h"

namespace shredder::crypto {
namespace {

constexpr std::size_t kFoldedBytes = 64;

__m128i load(const std::uint8_t* data) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(data));
}

/// What is `value` so far before, moved on by as many bits as the constants stand for, plus `next`.
__m128i fold(__m128i value, __m128i constants, __m128i next) {
    __m128i low = _mm_clmulepi64_si128(value, constants, 0x00);
    __m128i high = _mm_clmulepi64_si128(value, constants, 0x11);
    return _mm_xor_si128(_mm_xor_si128(low, high), next);
}

}  // namespace

std::uint32_t crc32Folded(const std::uint8_t* data, std::size_t bytes) {
    if (bytes < kFoldedBytes) return crc32Sliced(data, bytes);
    // x^(n+32) and x^(n-32) modulo the polynomial, reflected: n of four vectors, and of one.
    const __m128i byFour = _mm_set_epi64x(0x01C6E41596, 0x0154442BD4);
    const __m128i byOne = _mm_set_epi64x(0x00CCAA009E, 0x01751997D0);
    __m128i sums[4];
    for (std::size_t i = 0; i < 4; i++) {
        sums[i] = load(data + 16 * i);
    }
    sums[0] = _mm_xor_si128(sums[0], _mm_cvtsi32_si128(-1));
    data += kFoldedBytes;
    bytes -= kFoldedBytes;
    for (; bytes >= kFoldedBytes; bytes -= kFoldedBytes, data += kFoldedBytes) {
        for (std::size_t i = 0; i < 4; i++) {
            sums[i] = fold(sums[i], byFour, load(data + 16 * i));
        }
    }
    for (int i = 1; i < 4; i++) {
        sums[i] = fold(sums[i - 1], byOne, sums[i]);
    }
    __m128i sum = sums[3];
    for (; bytes >= 16; bytes -= 16, data += 16) {
        sum = fold(sum, byOne, load(data));
    }
    // Sixteen bytes with the same remainder as all before.
    alignas(16) std::uint8_t rest[16];
    _mm_store_si128(reinterpret_cast<__m128i*>(rest), sum);
    return ~crc32Continue(crc32Continue(0, rest, sizeof rest), data, bytes);
}

}  // namespace shredder::crypto
