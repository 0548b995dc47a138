// SPDX-License-Identifier: Apache-2.0
#include "chunk/fingerprint.h"

namespace shredder {

RollTables::RollTables(const Polynomial& polynomial) {
    for (unsigned value = 0; value < 256; value++) {
        append[value] = polynomial.shift(value, Polynomial::kDegree);
        remove[value] = polynomial.shift(value, 8 * kWindowBytes);
    }
}

}  // namespace shredder
