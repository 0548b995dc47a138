// SPDX-License-Identifier: Apache-2.0
#include "cpu/carryless.h"
#include "cpu/keyed_tags.h"

namespace shredder {
namespace {

constexpr std::size_t kRegisterBlocks = 4;
constexpr std::size_t kStepRegisters = 8;
constexpr std::size_t kStepBlocks = kStepRegisters * kRegisterBlocks;
constexpr std::size_t kRegisterBytes = kRegisterBlocks * kTagBytes;

using Powers = KeyPowers<kStepBlocks>;

__m128i sumOfLanes(__m512i lanes) {
    __m256i halves = _mm256_xor_si256(_mm512_castsi512_si256(lanes), _mm512_extracti64x4_epi64(lanes, 1));
    return _mm_xor_si128(_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1));
}

/// The products of four blocks at once, lane by lane.
struct WideProductSum {
    __m512i low = _mm512_setzero_si512();
    __m512i middle = _mm512_setzero_si512();
    __m512i high = _mm512_setzero_si512();

    void add(__m512i a, __m512i b) {
        low = _mm512_xor_si512(low, _mm512_clmulepi64_epi128(a, b, 0x00));
        middle = _mm512_ternarylogic_epi64(middle, _mm512_clmulepi64_epi128(a, b, 0x01),
                                           _mm512_clmulepi64_epi128(a, b, 0x10), 0x96);
        high = _mm512_xor_si512(high, _mm512_clmulepi64_epi128(a, b, 0x11));
    }

    __m128i reduced() const {
        ProductSum sum;
        sum.low = sumOfLanes(low);
        sum.middle = sumOfLanes(middle);
        sum.high = sumOfLanes(high);
        return sum.reduced();
    }
};

/// One step over `registers` times four blocks. The first register, which needs the sum so far, comes last.
inline __m128i absorbRegisters(const Powers& key, __m128i sum, const std::uint8_t* data,
                               std::size_t registers) {
    const __m128i* powers = key.powers + (kStepBlocks - registers * kRegisterBlocks);
    WideProductSum products;
    for (std::size_t i = 1; i < registers; i++) {
        products.add(_mm512_loadu_si512(data + kRegisterBytes * i),
                     _mm512_load_si512(powers + kRegisterBlocks * i));
    }
    __m512i first = _mm512_xor_si512(_mm512_loadu_si512(data), _mm512_zextsi128_si512(sum));
    products.add(first, _mm512_load_si512(powers));
    return products.reduced();
}

__m128i tagOf(const Powers& key, const std::uint8_t* data, std::size_t size) {
    __m128i sum = _mm_setzero_si128();
    std::size_t left = size;
    for (; left >= kStepRegisters * kRegisterBytes; left -= kStepRegisters * kRegisterBytes) {
        sum = absorbRegisters(key, sum, data, kStepRegisters);
        data += kStepRegisters * kRegisterBytes;
    }
    if (std::size_t registers = left / kRegisterBytes; registers != 0) {
        sum = absorbRegisters(key, sum, data, registers);
        data += registers * kRegisterBytes;
        left -= registers * kRegisterBytes;
    }
    return absorbEnd(key, sum, data, left, size);
}

}  // namespace

void tagManyVpclmul(const std::uint8_t* key, const TagMessage* messages, std::size_t count) {
    const Powers powers(key);
    for (std::size_t i = 0; i < count; i++) {
        storeTag(messages[i].tag, tagOf(powers, messages[i].data, messages[i].size));
    }
}

}  // namespace shredder
