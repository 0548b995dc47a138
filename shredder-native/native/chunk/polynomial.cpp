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

/// Squares modulo p. (a + b)^2 = a^2 + b^2 over GF(2), so a square is the sum of the squares of its terms.
class Squaring {
  public:
    explicit Squaring(std::uint64_t p) {
        std::uint64_t square = 1;
        for (std::uint64_t& ofTerm : squares_) {
            ofTerm = square;
            square = timesX(timesX(square, p), p);
        }
    }

    std::uint64_t operator()(std::uint64_t a) const {
        std::uint64_t square = 0;
        for (; a != 0; a &= a - 1) {
            square ^= squares_[std::countr_zero(a)];
        }
        return square;
    }

  private:
    std::uint64_t squares_[Polynomial::kDegree];  // of x^i
};

std::uint64_t greatestCommonDivisor(std::uint64_t a, std::uint64_t b) {
    while (b != 0) {
        while (a != 0 && degree(a) >= degree(b)) {
            a ^= b << (degree(a) - degree(b));
        }
        std::swap(a, b);
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
    const Squaring square(bits);
    std::uint64_t power = kX;  // x^(2^squarings)
    for (int squarings = 1; squarings <= kDegree; squarings++) {
        power = square(power);
        bool isDegreeOverPrime = squarings == kDegree / 2 || squarings == kDegree / 3;
        if (isDegreeOverPrime && greatestCommonDivisor(bits, power ^ kX) != 1) return false;
    }
    return power == kX;
}

std::uint64_t Polynomial::shift(std::uint64_t value, int power) const {
    for (int i = 0; i < power; i++) {
        value = timesX(value, bits_);
    }
    return value;
}

}  // namespace shredder
