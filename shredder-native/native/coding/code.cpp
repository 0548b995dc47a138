// SPDX-License-Identifier: Apache-2.0
#include "coding/code.h"

#include <algorithm>
#include <string>

#include "coding/field.h"
#include "pipeline/error.h"

namespace shredder::coding {
namespace {

std::string text(const Code& code) {
    return std::to_string(code.data) + " data and " + std::to_string(code.parity) + " parity shards";
}

/// Row i is 1 / ((data + i) XOR j): every square part of such a matrix has an inverse.
Matrix cauchyRows(const Code& code) {
    Matrix rows(code.parity, code.data);
    for (std::size_t i = 0; i < code.parity; i++) {
        for (std::size_t j = 0; j < code.data; j++) {
            rows.at(i, j) = inverses()[(code.data + i) ^ j];
        }
    }
    return rows;
}

/// The polynomial with roots 2^0 .. 2^(degree - 1), without its leading term, which is 1; element i is the
/// coefficient of x^i.
std::vector<std::uint8_t> generator(std::size_t degree) {
    std::vector<std::uint8_t> polynomial{1};
    std::uint8_t root = 1;
    for (std::size_t i = 0; i < degree; i++) {
        polynomial.insert(polynomial.begin(), 0);
        for (std::size_t j = 0; j + 1 < polynomial.size(); j++) {
            polynomial[j] ^= product(polynomial[j + 1], root);
        }
        root = product(root, 2);
    }
    polynomial.pop_back();
    return polynomial;
}

/// Column j is the remainder of x^(parity + j) by the generator.
Matrix legacyRows(const Code& code) {
    std::vector<std::uint8_t> divisor = generator(code.parity);
    std::vector<std::uint8_t> remainder = divisor;
    Matrix rows(code.parity, code.data);
    for (std::size_t j = 0; j < code.data; j++) {
        for (std::size_t i = 0; i < code.parity; i++) {
            rows.at(i, j) = remainder[i];
        }
        std::uint8_t over = remainder.back();
        std::rotate(remainder.begin(), remainder.end() - 1, remainder.end());
        remainder.front() = 0;
        for (std::size_t i = 0; i < code.parity; i++) {
            remainder[i] ^= product(over, divisor[i]);
        }
    }
    return rows;
}

/// The multiples of the sources that add up to the data shards that are not sources: with E those, S the
/// parity shards among the sources, D the data shards among them, and C the parity rows,
/// C[S,E] * data[E] = parity[S] + C[S,D] * data[D].
Matrix missingData(const Matrix& parity, const std::vector<std::size_t>& sources,
                   const std::vector<std::size_t>& missing) {
    std::size_t present = sources.size() - missing.size();
    Matrix unknown(missing.size(), missing.size());
    Matrix known(missing.size(), sources.size());
    for (std::size_t i = 0; i < missing.size(); i++) {
        const std::uint8_t* row = parity.row(sources[present + i] - parity.columns());
        for (std::size_t j = 0; j < missing.size(); j++) {
            unknown.at(i, j) = row[missing[j]];
        }
        for (std::size_t j = 0; j < present; j++) {
            known.at(i, j) = row[sources[j]];
        }
        known.at(i, present + i) = 1;
    }
    return unknown.inverted().times(known);
}

/// The row of a shard over all data shards.
void putGeneratorRow(const Matrix& parity, std::size_t shard, std::uint8_t* row) {
    if (shard < parity.columns()) {
        row[shard] = 1;
    } else {
        std::copy_n(parity.row(shard - parity.columns()), parity.columns(), row);
    }
}

}  // namespace

void validate(const Code& code) {
    if (code.kind != SHREDDER_CODE_RS && code.kind != SHREDDER_CODE_RS_LEGACY &&
        code.kind != SHREDDER_CODE_XOR) {
        throw Error(SHREDDER_INVALID_ARGUMENT, "code " + std::to_string(code.kind) + " does not exist");
    }
    if (code.data == 0 || code.parity == 0) {
        throw Error(SHREDDER_INVALID_ARGUMENT, text(code) + ": at least one of each is needed");
    }
    if (code.kind == SHREDDER_CODE_XOR && code.parity != 1) {
        throw Error(SHREDDER_INVALID_ARGUMENT, text(code) + ": XOR has one parity shard");
    }
    // The generator's root has 255 powers.
    std::size_t most = code.kind == SHREDDER_CODE_RS_LEGACY ? kMostShards - 1 : kMostShards;
    if (code.data > most || code.parity > most || code.shards() > most) {
        throw Error(SHREDDER_INVALID_ARGUMENT, text(code) + ": at most " + std::to_string(most) + " in all");
    }
}

Matrix parityRows(const Code& code) {
    if (code.kind == SHREDDER_CODE_RS) return cauchyRows(code);
    if (code.kind == SHREDDER_CODE_RS_LEGACY) return legacyRows(code);
    Matrix ones(1, code.data);
    std::fill_n(ones.row(0), code.data, std::uint8_t{1});
    return ones;
}

std::vector<std::size_t> sourcesOf(const Code& code, const std::vector<bool>& present) {
    std::vector<std::size_t> sources;
    for (std::size_t shard = 0; shard < code.shards() && sources.size() < code.data; shard++) {
        if (present[shard]) sources.push_back(shard);
    }
    if (sources.size() < code.data) {
        throw Error(
            SHREDDER_INVALID_ARGUMENT,
            "of " + text(code) + " only " + std::to_string(sources.size()) + " are there, which is too few");
    }
    return sources;
}

Recovery recovery(const Code& code, const Matrix& parity, std::vector<std::size_t> sources,
                  const std::vector<std::size_t>& wanted) {
    std::vector<std::size_t> missing;
    for (std::size_t shard = 0; shard < code.data; shard++) {
        if (!std::binary_search(sources.begin(), sources.end(), shard)) missing.push_back(shard);
    }
    Matrix found = missingData(parity, sources, missing);
    // Every data shard by the sources.
    Matrix data(code.data, code.data);
    for (std::size_t i = 0; i < code.data - missing.size(); i++) {
        data.at(sources[i], i) = 1;
    }
    for (std::size_t i = 0; i < missing.size(); i++) {
        std::copy_n(found.row(i), code.data, data.row(missing[i]));
    }
    Matrix generator(wanted.size(), code.data);
    for (std::size_t i = 0; i < wanted.size(); i++) {
        putGeneratorRow(parity, wanted[i], generator.row(i));
    }
    return {std::move(sources), generator.times(data)};
}

}  // namespace shredder::coding
