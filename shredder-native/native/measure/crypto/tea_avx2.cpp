// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "measure/crypto/tea.h"

namespace shredder::crypto {
namespace {

using Lanes = std::uint32_t __attribute__((vector_size(32)));

constexpr std::size_t kLanesBytes = 2 * sizeof(Lanes);

}  // namespace

void teaAvx2(const TeaKey& key, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes) {
    std::size_t at = 0;
    for (; bytes - at >= kLanesBytes; at += kLanesBytes) {
        Lanes low;
        Lanes high;
        std::memcpy(&low, in + at, sizeof low);
        std::memcpy(&high, in + at + sizeof low, sizeof high);
        Lanes first = __builtin_shufflevector(low, high, 0, 2, 4, 6, 8, 10, 12, 14);
        Lanes second = __builtin_shufflevector(low, high, 1, 3, 5, 7, 9, 11, 13, 15);
        teaEncrypt(key, first, second);
        low = __builtin_shufflevector(first, second, 0, 8, 1, 9, 2, 10, 3, 11);
        high = __builtin_shufflevector(first, second, 4, 12, 5, 13, 6, 14, 7, 15);
        std::memcpy(out + at, &low, sizeof low);
        std::memcpy(out + at + sizeof low, &high, sizeof high);
    }
    teaScalar(key, in + at, out + at, bytes - at);
}

}  // namespace shredder::crypto
