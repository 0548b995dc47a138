// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace shredder::coding {

/// A matrix over the field; a value.
class Matrix {
  public:
    /// Of zeros.
    Matrix(std::size_t rows, std::size_t columns)
        : rows_(rows), columns_(columns), elements_(rows * columns) {}

    static Matrix identity(std::size_t size);

    std::size_t rows() const { return rows_; }
    std::size_t columns() const { return columns_; }
    std::uint8_t& at(std::size_t row, std::size_t column) { return elements_[row * columns_ + column]; }
    std::uint8_t at(std::size_t row, std::size_t column) const { return elements_[row * columns_ + column]; }
    /// The elements of a row, back to back.
    std::uint8_t* row(std::size_t row) { return elements_.data() + row * columns_; }
    const std::uint8_t* row(std::size_t row) const { return elements_.data() + row * columns_; }

    /// Row by column; other has as many rows as this has columns.
    Matrix times(const Matrix& other) const;

    /// The matrix with which a square one gives the identity, by Gauss and Jordan. Throws
    /// Error(SHREDDER_INTERNAL) if there is none, which never happens to the matrices of a code.
    Matrix inverted() const;

    bool operator==(const Matrix&) const = default;

  private:
    std::size_t rows_;
    std::size_t columns_;
    std::vector<std::uint8_t> elements_;
};

}  // namespace shredder::coding
