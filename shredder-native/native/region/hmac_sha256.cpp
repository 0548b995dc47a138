// SPDX-License-Identifier: Apache-2.0
#include "region/hmac_sha256.h"

#include <algorithm>
#include <cstring>

#include "cpu/cpu_kernels.h"

namespace shredder {

HmacSha256::HmacSha256(const std::uint8_t* key) : sha256_(bestCpuKernels().sha256) {
    inner_.fill(0x36);
    outer_.fill(0x5c);
    for (std::size_t i = 0; i < kDigestBytes; i++) {
        inner_[i] ^= key[i];
        outer_[i] ^= key[i];
    }
}

void HmacSha256::of(std::span<const std::uint8_t> message, std::uint8_t* tag) {
    room_.assign(inner_.begin(), inner_.end());
    room_.insert(room_.end(), message.begin(), message.end());
    DigestMessage whole{room_.data(), room_.size(), tag};
    sha256_(&whole, 1);
    padded(outer_, tag, 1);
}

void HmacSha256::ofDigests(std::uint8_t* digests, std::size_t count) {
    padded(inner_, digests, count);
    padded(outer_, digests, count);
}

void HmacSha256::padded(const std::array<std::uint8_t, kSha256BlockBytes>& pad, std::uint8_t* digests,
                        std::size_t count) {
    constexpr std::size_t kBytes = kSha256BlockBytes + kDigestBytes;
    room_.resize(count * kBytes);
    messages_.clear();
    for (std::size_t i = 0; i < count; i++) {
        std::uint8_t* message = room_.data() + i * kBytes;
        std::uint8_t* digest = digests + i * kDigestBytes;
        std::copy(pad.begin(), pad.end(), message);
        std::memcpy(message + kSha256BlockBytes, digest, kDigestBytes);
        messages_.push_back({message, kBytes, digest});
    }
    sha256_(messages_.data(), count);
}

}  // namespace shredder
