// SPDX-License-Identifier: Apache-2.0
//
// SHA-256 of 16 messages side by side: sha256_lanes.h.
#include "cpu/avx512_words.h"
#include "cpu/sha256.h"
#include "cpu/sha256_lanes.h"
#include "cpu/sha256_packing.h"

namespace shredder {

void sha256ManyAvx512(const DigestMessage* messages, std::size_t count) {
    static constexpr Sha256LaneForm kForm{.lanes = 16,
                                          .worthwhileLanes = 3,
                                          .compress = Sha256Lanes<Avx512Words>::compress,
                                          .rest = &kSha256Portable};
    sha256ManyPacked(kForm, messages, count);
}

void sha256ManyAvx512AndSha(const DigestMessage* messages, std::size_t count) {
    static constexpr Sha256LaneForm kForm{.lanes = 16,
                                          .worthwhileLanes = 14,
                                          .compress = Sha256Lanes<Avx512Words>::compress,
                                          .rest = &kSha256ShaInstructions};
    sha256ManyPacked(kForm, messages, count);
}

}  // namespace shredder
