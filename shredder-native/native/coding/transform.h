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
#include <functional>
#include <optional>
#include <vector>

#include "coding/code.h"
#include "coding/form.h"

namespace shredder::coding {

/// The factor of a butterfly between shards x and x + 2^layer, x a multiple of 2^(layer + 1): s of the
/// elements below 2^layer at x, so that 2^layer has 1.
std::uint8_t transformTwiddle(unsigned layer, std::size_t x);

/// s'(V) / s(d + c), for the blocks of outputs and of inputs that begin with these shards.
std::uint8_t transformScale(std::size_t blockShards, std::size_t output, std::size_t input);

/// Shards side by side.
struct ShardRange {
    std::size_t first;
    std::size_t count;

    std::size_t end() const { return first + count; }
};

/// How many shards the blocks of a code's transforms have; nothing where it has none: unless the data are
/// whole blocks of at least 16 shards.
std::optional<std::size_t> transformBlockShards(const Code& code);

/// Whether so many multiplications of transforms, each of which comes with more additions and more traffic,
/// take less time than so many of a matrix.
bool transformsPayOff(std::size_t theirs, std::size_t ofMatrix);

/// For each output shard i of a range the sum over the input shards j of another of factor * input[j] / (i +
/// j), in a form's own tables; immutable. A code's parity is that of its data, with the factor 1.
class CauchyTransform {
  public:
    /// By which the sums that go from one block to another are multiplied; asked for the first shards of
    /// both.
    using BlockFactor = std::function<std::uint8_t(std::size_t output, std::size_t input)>;

    /// A code's parity; nothing where the form has no transform, or where the matrix is not slower: unless
    /// there are blocks, and the parity is about as much as the data.
    static std::optional<CauchyTransform> of(const Code& code, const CodingForm& form);

    /// @param form has a transform
    /// @param inputs whole blocks
    /// @param outputs apart from the inputs, beginning where a block does
    CauchyTransform(const CodingForm& form, std::size_t blockShards, const ShardRange& inputs,
                    const ShardRange& outputs, const BlockFactor& factor);

    /// For each byte of a shard.
    std::size_t multiplications() const;

    /// Bytes [from, from + bytes) of the outputs.
    void apply(const std::uint8_t* const* inputs, std::uint8_t* const* outputs, std::size_t from,
               std::size_t bytes) const;

  private:
    void choosePasses();
    std::vector<std::uint8_t> twiddles(const ShardRange& shards) const;
    std::vector<std::uint8_t> scales(const BlockFactor& factor) const;

    const CodingForm* form_;
    std::size_t blockShards_;
    ShardRange inputs_;
    ShardRange outputs_;
    std::vector<std::size_t> passes_;
    std::vector<std::uint8_t> inputTwiddles_;
    std::vector<std::uint8_t> outputTwiddles_;
    std::vector<std::uint8_t> scales_;
};

}  // namespace shredder::coding
