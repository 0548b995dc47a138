// SPDX-License-Identifier: Apache-2.0
#include "coding/matrix.h"

#include <algorithm>

#include "coding/field.h"
#include "pipeline/error.h"

namespace shredder::coding {
namespace {

void scale(std::uint8_t* row, std::uint8_t factor, std::size_t count) {
    const auto& multiples = products()[factor];
    for (std::size_t i = 0; i < count; i++) {
        row[i] = multiples[row[i]];
    }
}

void swapRows(Matrix& matrix, std::size_t a, std::size_t b) {
    std::swap_ranges(matrix.row(a), matrix.row(a) + matrix.columns(), matrix.row(b));
}

/// The first row from `column` on that has something in that column.
std::size_t pivotRow(const Matrix& matrix, std::size_t column) {
    for (std::size_t row = column; row < matrix.rows(); row++) {
        if (matrix.at(row, column) != 0) return row;
    }
    throw Error(SHREDDER_INTERNAL, "a matrix of an erasure code has no inverse");
}

}  // namespace

Matrix Matrix::identity(std::size_t size) {
    Matrix one(size, size);
    for (std::size_t i = 0; i < size; i++) {
        one.at(i, i) = 1;
    }
    return one;
}

Matrix Matrix::times(const Matrix& other) const {
    Matrix result(rows_, other.columns_);
    for (std::size_t i = 0; i < rows_; i++) {
        for (std::size_t j = 0; j < columns_; j++) {
            addMultiple(result.row(i), at(i, j), other.row(j), other.columns_);
        }
    }
    return result;
}

Matrix Matrix::inverted() const {
    Matrix left = *this;
    Matrix right = identity(rows_);
    for (std::size_t column = 0; column < rows_; column++) {
        std::size_t pivot = pivotRow(left, column);
        swapRows(left, pivot, column);
        swapRows(right, pivot, column);
        std::uint8_t factor = inverses()[left.at(column, column)];
        scale(left.row(column), factor, rows_);
        scale(right.row(column), factor, rows_);
        for (std::size_t row = 0; row < rows_; row++) {
            if (row == column) continue;
            std::uint8_t multiple = left.at(row, column);
            addMultiple(left.row(row), multiple, left.row(column), rows_);
            addMultiple(right.row(row), multiple, right.row(column), rows_);
        }
    }
    return right;
}

}  // namespace shredder::coding
