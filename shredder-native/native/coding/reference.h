// SPDX-License-Identifier: Apache-2.0
//
// The readable reference of the coder, by definition and byte by byte; every fast form gives the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "coding/code.h"

namespace shredder::coding {

/// A shard for each row of the code, the data shards first: the identity over parityRows.
Matrix generatorMatrix(const Code& code);

/// outputs[i][b] is the sum over j of rows.at(i, j) * inputs[j][b].
void combineReference(const Matrix& rows, const std::uint8_t* const* inputs, std::uint8_t* const* outputs,
                      std::size_t bytes);

/// Computes the parity shards of `data` shards.
void encodeReference(const Code& code, const std::uint8_t* const* data, std::uint8_t* const* parity,
                     std::size_t bytes);

/// Computes wanted shards from the first `data` of those that are there: by the inverse of the whole matrix
/// that made them.
///
/// @param shards one for each shard, null where it is not there
void decodeReference(const Code& code, const std::uint8_t* const* shards,
                     const std::vector<std::size_t>& wanted, std::uint8_t* const* outputs, std::size_t bytes);

}  // namespace shredder::coding
