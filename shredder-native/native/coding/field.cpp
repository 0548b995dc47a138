// SPDX-License-Identifier: Apache-2.0
#include "coding/field.h"

namespace shredder::coding {

const std::array<std::array<std::uint8_t, kFieldSize>, kFieldSize>& products() {
    static const auto kProducts = [] {
        std::array<std::array<std::uint8_t, kFieldSize>, kFieldSize> all{};
        for (unsigned a = 0; a < kFieldSize; a++) {
            for (unsigned b = 0; b < kFieldSize; b++) {
                all[a][b] = product(static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b));
            }
        }
        return all;
    }();
    return kProducts;
}

const std::array<std::uint8_t, kFieldSize>& inverses() {
    static const auto kInverses = [] {
        std::array<std::uint8_t, kFieldSize> all{};
        for (unsigned a = 0; a < kFieldSize; a++) {
            all[a] = inverse(static_cast<std::uint8_t>(a));
        }
        return all;
    }();
    return kInverses;
}

}  // namespace shredder::coding
