// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "measure/crypto/cipher_batch.h"
#include "tests/test_support.h"

namespace shredder::test {

/// One of testvectors/ciphers.json.
struct CipherVector {
    std::string name;
    std::string algorithm;
    std::uint8_t key[crypto::kKeyBytes];
    std::uint8_t nonce[crypto::kNonceBytes];
    Bytes clear;
    Bytes plain;
    std::string sealedHex;  ///< with the tag
};

inline std::vector<CipherVector> cipherVectors() {
    std::vector<CipherVector> all;
    for (const auto& read : nlohmann::json::parse(vectorFile("ciphers.json"))) {
        CipherVector vector{
            read["name"],  read["algorithm"], {}, {}, bytesOfHex(read["clear"]), bytesOfHex(read["plain"]),
            read["sealed"]};
        std::ranges::copy(bytesOfHex(read["key"]), vector.key);
        std::ranges::copy(bytesOfHex(read["nonce"]), vector.nonce);
        all.push_back(vector);
    }
    return all;
}

}  // namespace shredder::test
