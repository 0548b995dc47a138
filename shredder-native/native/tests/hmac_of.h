// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "region/hmac_sha256.h"
#include "tests/test_support.h"

namespace shredder::test {

inline Bytes bytesOf(const std::string& text) {
    return {text.begin(), text.end()};
}

/// HMAC-SHA-256 under a key of 32 bytes.
inline Bytes hmacOf(const Bytes& key, const Bytes& message) {
    Bytes tag(kDigestBytes);
    HmacSha256(key.data()).of(message, tag.data());
    return tag;
}

}  // namespace shredder::test
