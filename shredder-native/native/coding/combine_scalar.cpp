// SPDX-License-Identifier: Apache-2.0
#include "coding/field.h"
#include "coding/form.h"

namespace shredder::coding {
namespace {

/// Bytes that are computed before the next column is looked at: they stay in the nearest cache.
constexpr std::size_t kStretchBytes = 4096;

void prepare(std::uint8_t factor, std::uint8_t* prepared) {
    *prepared = factor;
}

void add(std::uint8_t* target, const std::uint8_t* source, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; i++) {
        target[i] ^= source[i];
    }
}

/// Calls addColumn(row, column, at, bytes) for all of the work, and clears the outputs before unless they are
/// added to.
template <typename AddColumn>
void inStretches(const Combination& work, AddColumn addColumn) {
    std::size_t end = work.from + work.bytes;
    for (std::size_t at = work.from; at < end; at += kStretchBytes) {
        std::size_t bytes = end - at < kStretchBytes ? end - at : kStretchBytes;
        for (std::size_t row = 0; row < work.rows; row++) {
            for (std::size_t i = 0; !work.addToOutputs && i < bytes; i++) {
                work.outputs[row][at + i] = 0;
            }
            for (std::size_t column = 0; column < work.columns; column++) {
                addColumn(row, column, at, bytes);
            }
        }
    }
}

void combine(const Combination& work) {
    inStretches(work, [&](std::size_t row, std::size_t column, std::size_t at, std::size_t bytes) {
        addMultiple(work.outputs[row] + at, work.factors[column * work.rows + row], work.inputs[column] + at,
                    bytes);
    });
}

void sum(const Combination& work) {
    inStretches(work, [&](std::size_t row, std::size_t column, std::size_t at, std::size_t bytes) {
        add(work.outputs[row] + at, work.inputs[column] + at, bytes);
    });
}

}  // namespace

const CodingForm kCodingScalar{"scalar", "any CPU", 1, prepare, combine, sum, 0, nullptr};

}  // namespace shredder::coding
