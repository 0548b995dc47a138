// SPDX-License-Identifier: Apache-2.0
#include "measure/crypto/tea.h"

#include <cstring>

namespace shredder::crypto {

void teaScalar(const TeaKey& key, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes) {
    for (std::size_t at = 0; at < bytes; at += kTeaBlockBytes) {
        std::uint32_t block[2];
        std::memcpy(block, in + at, sizeof block);
        teaEncrypt(key, block[0], block[1]);
        std::memcpy(out + at, block, sizeof block);
    }
}

}  // namespace shredder::crypto
