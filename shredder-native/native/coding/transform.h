// SPDX-License-Identifier: Apache-2.0
//
// The Cauchy matrix by an additive Fourier transform, where the shape allows it: exactly the same parity with
// some log2 of the multiplications.
//
// Let V be the elements 0 .. B - 1, B a power of two, and the shards of c + V, c a multiple of B, one block.
// The data of block c are the values at c + V of one polynomial f of degree below B. By Lagrange, at a point
// x of another block d + V, sum over j of data[j] / (x + j) is f(x) * s'(V) / s(d + c), where s is the
// product of all z + v, v in V, which is linear and 0 on V alone, and s'(V) the product of V's elements but
// 0. So a block of parity is: interpolate every block of data (the inverse transform), multiply by a constant
// for each pair of blocks, add, evaluate (the transform). The basis of polynomials, in which both take B / 2
// * log2(B) multiplications, is that of Lin, Chung and Han, "Novel polynomial basis and its application to
// Reed-Solomon erasure codes" (FOCS 2014).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "coding/code.h"
#include "coding/form.h"

namespace shredder::coding {

/// The factor of a butterfly between shards x and x + 2^layer, x a multiple of 2^(layer + 1): s of the
/// elements below 2^layer at x, so that 2^layer has 1.
std::uint8_t transformTwiddle(unsigned layer, std::size_t x);

/// s'(V) / s(d + c), for the blocks that begin with these shards.
std::uint8_t transformScale(std::size_t blockShards, std::size_t parityShard, std::size_t dataShard);

/// Parity by transforms, in a form's own tables; immutable.
class CauchyTransform {
  public:
    /// Nothing where the form has no transform, or where the matrix is not slower: unless the data are whole
    /// blocks of at least 16 shards, and the parity is about as much.
    static std::optional<CauchyTransform> of(const Code& code, const CodingForm& form);

    /// The parity of bytes [from, from + bytes).
    void apply(const std::uint8_t* const* data, std::uint8_t* const* parity, std::size_t from,
               std::size_t bytes) const;

  private:
    CauchyTransform(const Code& code, std::size_t blockShards, const CodingForm& form);

    void choosePasses();
    std::vector<std::uint8_t> twiddles(std::size_t blocks, std::size_t firstShard) const;
    std::vector<std::uint8_t> scales() const;

    Code code_;
    std::size_t blockShards_;
    const CodingForm* form_;
    std::vector<std::size_t> passes_;
    std::vector<std::uint8_t> dataTwiddles_;
    std::vector<std::uint8_t> parityTwiddles_;
    std::vector<std::uint8_t> scales_;
};

}  // namespace shredder::coding
