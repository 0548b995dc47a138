// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "coding/form.h"
#include "coding/matrix.h"

namespace shredder::coding {

/// In which order a product goes over its inputs.
struct Traversal {
    /// Bytes of each buffer that are done with before the next ones.
    std::size_t tileBytes;
    /// Inputs of one pass over a tile's outputs, which then stay in the nearest cache.
    std::size_t columns;
};

/// All inputs at once, from the first byte to the last.
inline constexpr Traversal kFlat{SIZE_MAX, SIZE_MAX};

/// A matrix in a form's own tables; immutable.
class PreparedMatrix {
  public:
    PreparedMatrix(const Matrix& matrix, const CodingForm& form);

    /// The order for buffers of so many bytes.
    Traversal traversalFor(std::size_t bytes) const;

    /// outputs[i][b] is the sum over j of element(i, j) * inputs[j][b], for each b of [from, from + bytes).
    void apply(const std::uint8_t* const* inputs, std::uint8_t* const* outputs, std::size_t from,
               std::size_t bytes, const Traversal& traversal) const;

    /// The same in the order for buffers that are no longer.
    void apply(const std::uint8_t* const* inputs, std::uint8_t* const* outputs, std::size_t from,
               std::size_t bytes) const {
        apply(inputs, outputs, from, bytes, traversalFor(bytes));
    }

  private:
    /// Rows that are computed together.
    struct Group {
        std::size_t firstRow;
        std::size_t rows;
        std::size_t factorsAt;
    };

    void prepareGroups(const Matrix& matrix);
    void applyGroup(const Group& group, const std::uint8_t* const* inputs, std::uint8_t* const* outputs,
                    std::size_t from, std::size_t bytes, std::size_t columnsAtOnce) const;

    const CodingForm* form_;
    std::size_t rows_;
    std::size_t columns_;
    bool isSum_;  ///< one row of ones
    std::vector<Group> groups_;
    std::vector<std::uint8_t> factors_;
};

}  // namespace shredder::coding
