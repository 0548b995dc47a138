// SPDX-License-Identifier: Apache-2.0
#include "cpu/carryless.h"
#include "cpu/keyed_tags.h"

namespace shredder {
namespace {

constexpr std::size_t kStepBlocks = 8;
constexpr std::size_t kQuarterBlocks = 4;

__m128i absorbWhole(const KeyPowers<kStepBlocks>& key, __m128i sum, const std::uint8_t* data,
                    std::size_t blocks) {
    __m128i loaded[kStepBlocks];
    for (std::size_t i = 0; i < blocks; i++) {
        loaded[i] = loadBlock(data + kTagBytes * i);
    }
    return absorb(key, sum, loaded, blocks);
}

__m128i tagOf(const KeyPowers<kStepBlocks>& key, const std::uint8_t* data, std::size_t size) {
    __m128i sum = _mm_setzero_si128();
    std::size_t left = size;
    for (; left >= kStepBlocks * kTagBytes; left -= kStepBlocks * kTagBytes) {
        sum = absorbWhole(key, sum, data, kStepBlocks);
        data += kStepBlocks * kTagBytes;
    }
    if (left >= kQuarterBlocks * kTagBytes) {
        sum = absorbWhole(key, sum, data, kQuarterBlocks);
        data += kQuarterBlocks * kTagBytes;
        left -= kQuarterBlocks * kTagBytes;
    }
    return absorbEnd(key, sum, data, left, size);
}

}  // namespace

void tagManyPclmul(const std::uint8_t* key, const TagMessage* messages, std::size_t count) {
    const KeyPowers<kStepBlocks> powers(key);
    for (std::size_t i = 0; i < count; i++) {
        storeTag(messages[i].tag, tagOf(powers, messages[i].data, messages[i].size));
    }
}

}  // namespace shredder
