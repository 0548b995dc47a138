// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace shredder {

/// An irreducible polynomial of degree 48 over GF(2); bit i is the coefficient of x^i.
class Polynomial {
  public:
    static constexpr int kDegree = 48;
    /// x^48 + x^5 + x^3 + x^2 + 1
    static constexpr std::uint64_t kDefaultBits = 0x1'0000'0000'002DULL;

    /// Throws Error(SHREDDER_INVALID_ARGUMENT) unless the degree is 48 and Rabin's test passes.
    explicit Polynomial(std::uint64_t bits);

    std::uint64_t bits() const { return bits_; }
    bool isDefault() const { return bits_ == kDefaultBits; }

    /// Rabin's test: x^(2^48) = x modulo bits, and gcd(x^(2^(48/q)) - x, bits) = 1 for q = 2 and 3.
    static bool isIrreducible(std::uint64_t bits);

    /// value * x^power modulo this polynomial; value has degree below 48.
    std::uint64_t shift(std::uint64_t value, int power) const;

  private:
    std::uint64_t bits_;
};

}  // namespace shredder
