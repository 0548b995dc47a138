// SPDX-License-Identifier: Apache-2.0
#include "chunk/fingerprint.h"

namespace shredder {
namespace {

/// table[v] = v * product mod P. That is linear in v, so the products of its eight bits give all others.
void fillProducts(std::uint64_t (&table)[256], std::uint64_t product, const Polynomial& polynomial) {
    table[0] = 0;
    for (unsigned bit = 1; bit < 256; bit *= 2) {
        for (unsigned rest = 0; rest < bit; rest++) {
            table[bit + rest] = product ^ table[rest];
        }
        product = polynomial.shift(product, 1);
    }
}

}  // namespace

RollTables::RollTables(const Polynomial& polynomial) {
    fillProducts(append, polynomial.shift(1, Polynomial::kDegree), polynomial);
    fillProducts(remove, polynomial.shift(1, 8 * kWindowBytes), polynomial);
}

}  // namespace shredder
