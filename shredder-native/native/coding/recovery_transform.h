// SPDX-License-Identifier: Apache-2.0
//
// Many lost data shards by transforms, where the code has them: exactly what the matrix gives.
//
// Let E be the data shards that are missing and S the parity shards that are read in their place, as many.
// What remains of a parity shard i of S when the share of the data that are there is taken from it,
//   rest[i] = parity[i] + sum over those data j of data[j] / (i + j),
// is the sum over E of data[j] / (i + j). The inverse of that Cauchy matrix is one, too, with a factor for
// each row and each column (Schechter, "On the inversion of certain matrices", 1959):
//   data[j] = u[j] * sum over S of v[i] * rest[i] / (i + j),
//   u[j] = product over S of (j + i) / product over E but j of (j + l),
//   v[i] = product over E of (i + l) / product over S but i of (i + l).
// Both sums are transforms, there and back. Where no data shard is there, rest is the parity and there is
// only the way back; where besides E and S are whole blocks, u and v are the same for each shard of a block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "coding/transform.h"

namespace shredder::coding {

/// Immutable.
class RecoveryTransform {
  public:
    /// Nothing where the code or the form has no transform, where a parity shard is wanted, or where the
    /// matrix is not slower.
    ///
    /// @param sources numbers of the shards that are read, as many as there are data, ascending
    /// @param wanted numbers of shards that are not read
    static std::optional<RecoveryTransform> of(const Code& code, const std::vector<std::size_t>& sources,
                                               const std::vector<std::size_t>& wanted,
                                               const CodingForm& form);

    /// Bytes [from, from + bytes) of the shards that are wanted; false, and nothing, where there is no memory
    /// for tiles, which are more than a small stack has.
    bool apply(const std::uint8_t* const* sources, std::uint8_t* const* outputs, std::size_t from,
               std::size_t bytes) const;

  private:
    /// Who is what.
    struct Shards {
        std::vector<std::size_t> known;    ///< data shards that are there
        std::vector<std::size_t> parity;   ///< S
        std::vector<std::size_t> missing;  ///< E
        std::vector<std::size_t> wanted;   ///< of E
    };
    struct Scratch;

    RecoveryTransform(const Shards& shards, std::size_t blockShards, const CodingForm& form);

    void prepareFactors(const std::vector<std::uint8_t>& u, const std::vector<std::uint8_t>& v);
    std::size_t cost() const;
    void applyDirectly(const std::uint8_t* const* sources, std::uint8_t* const* outputs, std::size_t from,
                       std::size_t bytes) const;
    void tile(Scratch& scratch, const std::uint8_t* const* sources, std::uint8_t* const* outputs,
              std::size_t at, std::size_t bytes) const;
    void takeKnown(Scratch& scratch, const std::uint8_t* const* sources, std::size_t at,
                   std::size_t bytes) const;
    void scale(const std::uint8_t* factors, const std::uint8_t* const* inputs, std::size_t inputCount,
               std::uint8_t* output, std::size_t bytes) const;

    const CodingForm* form_;
    Shards shards_;
    ShardRange knownRange_;    ///< whole blocks around the known ones
    ShardRange parityRange_;   ///< around S
    ShardRange missingRange_;  ///< around E
    bool isDirect_;
    std::optional<CauchyTransform> there_;  ///< none if no data shard is there
    std::optional<CauchyTransform> back_;
    std::vector<std::uint8_t> inputFactors_;   ///< v, each twice, prepared
    std::vector<std::uint8_t> outputFactors_;  ///< u of those that are wanted, prepared
};

}  // namespace shredder::coding
