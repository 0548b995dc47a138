// SPDX-License-Identifier: Apache-2.0
#pragma once

// Include only in files compiled with -mpclmul -mssse3.
#include <immintrin.h>

#include <cstring>

#include "cpu/keyed_tags.h"

namespace shredder {

/// Sums of products of two elements of POLYVAL's field, before reduction: the low, middle and high 128 bits
/// of the products of their halves. Many products, one reduction.
struct ProductSum {
    __m128i low = _mm_setzero_si128();
    __m128i middle = _mm_setzero_si128();
    __m128i high = _mm_setzero_si128();

    void add(__m128i a, __m128i b) {
        low = _mm_xor_si128(low, _mm_clmulepi64_si128(a, b, 0x00));
        middle = _mm_xor_si128(middle, _mm_clmulepi64_si128(a, b, 0x01));
        middle = _mm_xor_si128(middle, _mm_clmulepi64_si128(a, b, 0x10));
        high = _mm_xor_si128(high, _mm_clmulepi64_si128(a, b, 0x11));
    }

    /// Times x^-128, modulo the field's polynomial (Montgomery's way, 64 bits at a time: Gueron and
    /// Kounavis).
    __m128i reduced() const {
        __m128i lower = _mm_xor_si128(low, _mm_slli_si128(middle, 8));
        __m128i upper = _mm_xor_si128(high, _mm_srli_si128(middle, 8));
        return _mm_xor_si128(upper, foldHalf(foldHalf(lower)));
    }

  private:
    /// Adds the multiple of the polynomial that clears the low 64 bits, and swaps the halves.
    static __m128i foldHalf(__m128i value) {
        const __m128i polynomial = _mm_set_epi64x(static_cast<long long>(0xC200000000000000ULL), 1);
        __m128i multiple = _mm_clmulepi64_si128(value, polynomial, 0x10);
        return _mm_xor_si128(multiple, _mm_shuffle_epi32(value, 0x4E));
    }
};

inline __m128i loadBlock(const std::uint8_t* bytes) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
}

/// The last bytes of a message, fewer than a block, and zeros.
inline __m128i loadPartBlock(const std::uint8_t* bytes, std::size_t count) {
    std::uint8_t block[kTagBytes] = {};
    std::memcpy(block, bytes, count);
    return loadBlock(block);
}

inline void storeTag(std::uint8_t* tag, __m128i value) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(tag), value);
}

/// The key's powers from the `Count`-th down to the first: what the blocks of a step are multiplied with.
template <std::size_t Count>
struct KeyPowers {
    explicit KeyPowers(const std::uint8_t* key) {
        const __m128i first = loadBlock(key);
        __m128i power = first;
        for (std::size_t i = Count; i-- > 0;) {
            powers[i] = power;
            ProductSum next;
            next.add(power, first);
            power = next.reduced();
        }
    }

    alignas(64) __m128i powers[Count];
};

/// One step over at most Count blocks, the sum so far added to the first of them.
template <std::size_t Count>
__m128i absorb(const KeyPowers<Count>& key, __m128i sum, const __m128i* blocks, std::size_t count) {
    ProductSum products;
    for (std::size_t i = 0; i < count; i++) {
        products.add(i == 0 ? _mm_xor_si128(blocks[0], sum) : blocks[i], key.powers[Count - count + i]);
    }
    return products.reduced();
}

/// Takes what is left of a message, fewer than 4 blocks and bytes of another, and its length.
template <std::size_t Count>
__m128i absorbEnd(const KeyPowers<Count>& key, __m128i sum, const std::uint8_t* data, std::size_t left,
                  std::size_t messageBytes) {
    __m128i blocks[5];
    std::size_t count = 0;
    for (; left >= kTagBytes; left -= kTagBytes, data += kTagBytes) {
        blocks[count++] = loadBlock(data);
    }
    if (left != 0) blocks[count++] = loadPartBlock(data, left);
    blocks[count++] = loadBlock(LengthBlock(messageBytes).bytes);
    return absorb(key, sum, blocks, count);
}

}  // namespace shredder
