// SPDX-License-Identifier: Apache-2.0
//
// SHA-256 of 8 messages side by side: sha256_lanes.h.
#include "cpu/avx2_words.h"
#include "cpu/sha256.h"
#include "cpu/sha256_lanes.h"
#include "cpu/sha256_packing.h"

namespace shredder {

void sha256ManyAvx2(const DigestMessage* messages, std::size_t count) {
    static constexpr Sha256LaneForm kForm{.lanes = 8,
                                          .worthwhileLanes = 3,
                                          .compress = Sha256Lanes<Avx2Words>::compress,
                                          .rest = &kSha256Portable};
    sha256ManyPacked(kForm, messages, count);
}

}  // namespace shredder
