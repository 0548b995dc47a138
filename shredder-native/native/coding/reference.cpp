// SPDX-License-Identifier: Apache-2.0
#include "coding/reference.h"

#include <algorithm>

#include "coding/field.h"

namespace shredder::coding {
namespace {

Matrix rowsOf(const Matrix& matrix, const std::vector<std::size_t>& numbers) {
    Matrix chosen(numbers.size(), matrix.columns());
    for (std::size_t i = 0; i < numbers.size(); i++) {
        std::copy_n(matrix.row(numbers[i]), matrix.columns(), chosen.row(i));
    }
    return chosen;
}

}  // namespace

Matrix generatorMatrix(const Code& code) {
    Matrix parity = parityRows(code);
    Matrix all(code.shards(), code.data);
    for (std::size_t i = 0; i < code.data; i++) {
        all.at(i, i) = 1;
    }
    std::copy_n(parity.row(0), code.parity * code.data, all.row(code.data));
    return all;
}

void combineReference(const Matrix& rows, const std::uint8_t* const* inputs, std::uint8_t* const* outputs,
                      std::size_t bytes) {
    for (std::size_t i = 0; i < rows.rows(); i++) {
        for (std::size_t at = 0; at < bytes; at++) {
            std::uint8_t sum = 0;
            for (std::size_t j = 0; j < rows.columns(); j++) {
                sum ^= product(rows.at(i, j), inputs[j][at]);
            }
            outputs[i][at] = sum;
        }
    }
}

void encodeReference(const Code& code, const std::uint8_t* const* data, std::uint8_t* const* parity,
                     std::size_t bytes) {
    combineReference(parityRows(code), data, parity, bytes);
}

void decodeReference(const Code& code, const std::uint8_t* const* shards,
                     const std::vector<std::size_t>& wanted, std::uint8_t* const* outputs,
                     std::size_t bytes) {
    std::vector<bool> present;
    present.reserve(code.shards());
    for (std::size_t i = 0; i < code.shards(); i++) {
        present.push_back(shards[i] != nullptr);
    }
    std::vector<std::size_t> sources = sourcesOf(code, present);
    std::vector<const std::uint8_t*> inputs;
    inputs.reserve(sources.size());
    for (std::size_t source : sources) {
        inputs.push_back(shards[source]);
    }
    Matrix generator = generatorMatrix(code);
    Matrix toData = rowsOf(generator, sources).inverted();
    combineReference(rowsOf(generator, wanted).times(toData), inputs.data(), outputs, bytes);
}

}  // namespace shredder::coding
