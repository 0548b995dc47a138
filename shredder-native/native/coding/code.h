// SPDX-License-Identifier: Apache-2.0
//
// What an erasure code is: docs/formats/coding.md. Of `data` shards of equal length it makes `parity` more,
// and any `data` of all of them give back the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "coding/matrix.h"
#include "shredder.h"

namespace shredder::coding {

/// Shards of a code at most: the field has no more elements.
inline constexpr std::size_t kMostShards = 256;

/// Which code, and how many shards.
struct Code {
    std::uint32_t kind;  ///< a shredder_code
    std::size_t data;
    std::size_t parity;

    std::size_t shards() const { return data + parity; }
};

/// Throws Error(SHREDDER_INVALID_ARGUMENT) unless there is such a code.
void validate(const Code& code);

/// Row i says which multiples of the data shards add up to parity shard i.
Matrix parityRows(const Code& code);

/// What is to be computed to get shards back: outputs are rows times inputs.
struct Recovery {
    /// Numbers of the shards that are read, ascending: the first `data` that are there.
    std::vector<std::size_t> sources;
    /// A row for each shard that is wanted, a column for each source.
    Matrix rows;
};

/// The sources of a recovery where present[i] tells whether shard i is there. Throws
/// Error(SHREDDER_INVALID_ARGUMENT) if they are fewer than the data shards.
std::vector<std::size_t> sourcesOf(const Code& code, const std::vector<bool>& present);

/// How to compute the wanted shards, none of which is a source. Inverts a matrix no larger than the number of
/// data shards that are not sources.
///
/// @param parity parityRows of the code
Recovery recovery(const Code& code, const Matrix& parity, std::vector<std::size_t> sources,
                  const std::vector<std::size_t>& wanted);

}  // namespace shredder::coding
