// SPDX-License-Identifier: Apache-2.0
#include "cuda/shared_sums.h"

#include <bit>
#include <utility>

namespace shredder {
namespace {

constexpr unsigned kInputs = 8;
/// Parts live in registers until their last sum.
constexpr std::size_t kMostParts = 8;

/// Instructions for a sum of so many terms.
int cost(std::uint32_t terms, bool add) {
    int count = std::popcount(terms) + (add ? 1 : 0);
    return count < 2 ? 1 : count / 2;
}

/// Instructions that are spared if the part is computed once.
int spared(const std::vector<std::uint32_t>& sums, std::uint32_t part, std::uint32_t term, bool add) {
    int sparedInAll = -1;
    for (std::uint32_t sum : sums) {
        if ((sum & part) == part) sparedInAll += cost(sum, add) - cost((sum & ~part) | term, add);
    }
    return sparedInAll;
}

}  // namespace

SharedSums sharedSums(std::vector<std::uint32_t> sums, bool add) {
    SharedSums shared;
    while (shared.parts.size() < kMostParts) {
        unsigned terms = kInputs + static_cast<unsigned>(shared.parts.size());
        std::uint32_t term = 1U << terms;
        std::uint32_t best = 0;
        int most = 0;
        for (unsigned a = 0; a < terms; a++) {
            for (unsigned b = a + 1; b < terms; b++) {
                for (unsigned c = b; c < terms; c++) {  // c == b: a part of two terms
                    std::uint32_t part = 1U << a | 1U << b | 1U << c;
                    int these = spared(sums, part, term, add);
                    if (these > most) {
                        most = these;
                        best = part;
                    }
                }
            }
        }
        if (best == 0) break;
        for (std::uint32_t& sum : sums) {
            if ((sum & best) == best) sum = (sum & ~best) | term;
        }
        shared.parts.push_back(best);
    }
    shared.sums = std::move(sums);
    return shared;
}

}  // namespace shredder
