// SPDX-License-Identifier: Apache-2.0
#include "cpu/blake3.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/test_support.h"

namespace shredder::test {
namespace {

struct Form {
    const char* name;
    Blake3Many digest;
    bool available;
};

class Blake3Test : public testing::TestWithParam<Form> {
  protected:
    void SetUp() override {
        if (!GetParam().available) GTEST_SKIP() << "this CPU can't run " << GetParam().name;
    }

    std::string digestOf(const Bytes& data) const {
        std::uint8_t digest[kDigestBytes];
        DigestMessage message{data.data(), data.size(), digest};
        GetParam().digest(&message, 1);
        return hexOf(digest, sizeof digest);
    }
};

/// The input of BLAKE3's own vectors.
Bytes countingBytes(std::size_t size) {
    Bytes bytes(size);
    for (std::size_t i = 0; i < size; i++) {
        bytes[i] = static_cast<std::uint8_t>(i % 251);
    }
    return bytes;
}

TEST_P(Blake3Test, givesTheVectorsOfItsAuthors) {
    std::ifstream file = vectorFile("blake3.json");
    nlohmann::json vectors = nlohmann::json::parse(file);
    ASSERT_GE(vectors.size(), 30U);
    for (const auto& vector : vectors) {
        std::size_t length = vector.at("length");
        EXPECT_EQ(digestOf(countingBytes(length)), vector.at("digest").get<std::string>()) << length;
    }
}

INSTANTIATE_TEST_SUITE_P(Forms, Blake3Test, testing::Values(Form{"portable", blake3ManyPortable, true}),
                         [](const auto& form) { return form.param.name; });

}  // namespace
}  // namespace shredder::test
