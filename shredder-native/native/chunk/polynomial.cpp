// SPDX-License-Identifier: Apache-2.0
#include "chunk/polynomial.h"

#include <bit>
#include <cstdio>
#include <string>

#include "pipeline/error.h"

namespace shredder {
namespace {

constexpr std::uint64_t kX = 2;

int degree(std::uint64_t a) {
    return static_cast<int>(std::bit_width(a)) - 1;
}

/// a * x modulo p; deg a < 48.
std::uint64_t timesX(std::uint64_t a, std::uint64_t p) {
    a <<= 1;
    return (a >> Polynomial::kDegree) != 0 ? a ^ p : a;
}

std::uint64_t multiply(std::uint64_t a, std::uint64_t b, std::uint64_t p) {
    std::uint64_t product = 0;
    for (; b != 0; b >>= 1) {
        if ((b & 1) != 0) product ^= a;
        a = timesX(a, p);
    }
    return product;
}

std::uint64_t greatestCommonDivisor(std::uint64_t a, std::uint64_t b) {
    while (b != 0) {
        while (a != 0 && degree(a) >= degree(b)) {
            a ^= b << (degree(a) - degree(b));
        }
        std::swap(a, b);
    }
    return a;
}

/// x^(2^squarings) modulo p.
std::uint64_t powerOfX(int squarings, std::uint64_t p) {
    std::uint64_t a = kX;
    for (int i = 0; i < squarings; i++) {
        a = multiply(a, a, p);
    }
    return a;
}

}  // namespace

Polynomial::Polynomial(std::uint64_t bits) : bits_(bits) {
    if (!isIrreducible(bits)) {
        char hex[32];
        std::snprintf(hex, sizeof hex, "0x%llx", static_cast<unsigned long long>(bits));
        throw Error(SHREDDER_INVALID_ARGUMENT,
                    std::string("polynomial ") + hex + " is not an irreducible polynomial of degree 48");
    }
}

bool Polynomial::isIrreducible(std::uint64_t bits) {
    if (degree(bits) != kDegree) return false;
    if (powerOfX(kDegree, bits) != kX) return false;
    for (int primeDivisor : {2, 3}) {
        if (greatestCommonDivisor(bits, powerOfX(kDegree / primeDivisor, bits) ^ kX) != 1) return false;
    }
    return true;
}

std::uint64_t Polynomial::shift(std::uint64_t value, int power) const {
    for (int i = 0; i < power; i++) {
        value = timesX(value, bits_);
    }
    return value;
}

}  // namespace shredder
