// SPDX-License-Identifier: Apache-2.0
#include "coding/prepared_matrix.h"

#include <algorithm>

namespace shredder::coding {
namespace {

bool isRowOfOnes(const Matrix& matrix) {
    return matrix.rows() == 1 && std::all_of(matrix.row(0), matrix.row(0) + matrix.columns(),
                                             [](std::uint8_t e) { return e == 1; });
}

}  // namespace

PreparedMatrix::PreparedMatrix(const Matrix& matrix, const CodingForm& form)
    : form_(&form), rows_(matrix.rows()), columns_(matrix.columns()), isSum_(isRowOfOnes(matrix)) {
    prepareGroups(matrix);
}

/// As few groups as can be, of nearly equal size.
void PreparedMatrix::prepareGroups(const Matrix& matrix) {
    factors_.resize(rows_ * columns_ * form_->factorBytes);
    std::size_t count = (rows_ + kMostRows - 1) / kMostRows;
    std::size_t at = 0;
    for (std::size_t i = 0; i < count; i++) {
        std::size_t first = rows_ * i / count;
        Group group{first, rows_ * (i + 1) / count - first, at};
        for (std::size_t column = 0; column < columns_; column++) {
            for (std::size_t row = 0; row < group.rows; row++) {
                form_->prepare(matrix.at(first + row, column), factors_.data() + at);
                at += form_->factorBytes;
            }
        }
        groups_.push_back(group);
    }
}

/// Of many inputs a form reads those behind the first ones by instructions that they share, and what fetches
/// ahead loses them; so they are taken a few at a time. What a core's own caches hold it reads as well all at
/// once, which spares the traffic of the outputs. A tile of the outputs stays in the second cache.
Traversal PreparedMatrix::traversalFor(std::size_t bytes) const {
    constexpr std::size_t kCachedBytes = 8 << 20;
    constexpr std::size_t kMostColumns = 14;
    if (columns_ > kOwnColumns && bytes > kCachedBytes / (rows_ + columns_)) {
        std::size_t passes = (columns_ + kMostColumns - 1) / kMostColumns;
        return {.tileBytes = 32768, .columns = (columns_ + passes - 1) / passes};
    }
    return groups_.size() == 1 ? kFlat : Traversal{.tileBytes = 4096, .columns = SIZE_MAX};
}

void PreparedMatrix::apply(const std::uint8_t* const* inputs, std::uint8_t* const* outputs, std::size_t from,
                           std::size_t bytes, const Traversal& traversal) const {
    for (std::size_t done = 0; done < bytes;) {
        std::size_t tile = std::min(bytes - done, traversal.tileBytes);
        for (const Group& group : groups_) {
            applyGroup(group, inputs, outputs, from + done, tile, traversal.columns);
        }
        done += tile;
    }
}

void PreparedMatrix::applyGroup(const Group& group, const std::uint8_t* const* inputs,
                                std::uint8_t* const* outputs, std::size_t from, std::size_t bytes,
                                std::size_t columnsAtOnce) const {
    for (std::size_t column = 0; column < columns_;) {
        std::size_t columns = std::min(columns_ - column, columnsAtOnce);
        Combination work{
            .factors = factors_.data() + group.factorsAt + column * group.rows * form_->factorBytes,
            .rows = group.rows,
            .columns = columns,
            .inputs = inputs + column,
            .outputs = outputs + group.firstRow,
            .from = from,
            .bytes = bytes,
            .addToOutputs = column != 0};
        (isSum_ ? form_->sum : form_->combine)(work);
        column += columns;
    }
}

}  // namespace shredder::coding
