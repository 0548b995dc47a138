// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "cpu/keyed_tags.h"

namespace shredder {
namespace {

/// An element of GF(2^128) modulo x^128 + x^127 + x^126 + x^121 + 1: bit i of the little-endian number is the
/// coefficient of x^i.
struct Element {
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    void add(const Element& other) {
        low ^= other.low;
        high ^= other.high;
    }

    bool has(unsigned power) const { return (((power < 64 ? low : high) >> (power % 64)) & 1) != 0; }

    /// By x: adds the modulus if there is a constant term, so that there is none, and shifts.
    void divideByX() {
        bool constantTerm = has(0);
        low = (low >> 1) | (high << 63);
        high >>= 1;
        // x^128 + x^127 + x^126 + x^121, shifted.
        if (constantTerm) high ^= 0xE1ULL << 56;
    }
};

std::uint64_t littleEndian(const std::uint8_t* bytes) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < 8; i++) {
        value |= static_cast<std::uint64_t>(bytes[i]) << (8 * i);
    }
    return value;
}

Element elementOf(const std::uint8_t* bytes) {
    return {littleEndian(bytes), littleEndian(bytes + 8)};
}

/// a · b · x^-128.
Element dot(const Element& a, const Element& b) {
    Element product;
    for (unsigned power = 0; power < 128; power++) {
        if (a.has(power)) product.add(b);
        product.divideByX();
    }
    return product;
}

Element polyval(const Element& key, const TagMessage& message) {
    Element sum;
    auto absorb = [&](const std::uint8_t* block) {
        sum.add(elementOf(block));
        sum = dot(sum, key);
    };
    for (std::size_t at = 0; at < message.size; at += kTagBytes) {
        std::uint8_t block[kTagBytes] = {};
        std::memcpy(block, message.data + at, std::min(kTagBytes, message.size - at));
        absorb(block);
    }
    absorb(LengthBlock(message.size).bytes);
    return sum;
}

}  // namespace

void tagManyPortable(const std::uint8_t* key, const TagMessage* messages, std::size_t count) {
    for (std::size_t i = 0; i < count; i++) {
        Element tag = polyval(elementOf(key), messages[i]);
        for (unsigned byte = 0; byte < kTagBytes; byte++) {
            messages[i].tag[byte] =
                static_cast<std::uint8_t>((byte < 8 ? tag.low : tag.high) >> (8 * (byte % 8)));
        }
    }
}

}  // namespace shredder
