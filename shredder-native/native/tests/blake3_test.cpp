// SPDX-License-Identifier: Apache-2.0
#include "cpu/blake3.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cpu/features.h"
#include "tests/guarded_bytes.h"
#include "tests/test_support.h"

namespace shredder::test {
namespace {

struct Blake3Form {
    const char* name;
    DigestMany digest;
    bool available;
};

class Blake3Test : public testing::TestWithParam<Blake3Form> {
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

TEST_P(Blake3Test, manyTogetherGiveWhatThePortableFormGives) {
    std::mt19937_64 random(randomSeed());
    Bytes data = splitmix64(random(), 400'000);
    for (std::size_t count : {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 33, 100, 1'000}) {
        std::vector<DigestMessage> messages(count);
        Bytes digests(count * kDigestBytes);
        Bytes expected(count * kDigestBytes);
        for (std::size_t i = 0; i < count; i++) {
            std::size_t size = random() % 3 == 0 ? random() % 130 : random() % 20'000;
            messages[i] = {data.data() + random() % 380'000, size, expected.data() + kDigestBytes * i};
        }
        blake3ManyPortable(messages.data(), count);
        for (std::size_t i = 0; i < count; i++) {
            messages[i].digest = digests.data() + kDigestBytes * i;
        }
        GetParam().digest(messages.data(), count);
        ASSERT_EQ(digests, expected) << count;
    }
}

TEST_P(Blake3Test, longAndShortMessagesInTurnGiveWhatThePortableFormGives) {
    std::mt19937_64 random(randomSeed());
    Bytes data = splitmix64(random(), 1 << 20);
    std::vector<DigestMessage> messages(60);
    Bytes digests(messages.size() * kDigestBytes);
    Bytes expected(messages.size() * kDigestBytes);
    for (std::size_t i = 0; i < messages.size(); i++) {
        std::size_t size = random() % (i % 3 == 0 ? 900'000 : 100'000);
        messages[i] = {data.data() + random() % 100'000, size, expected.data() + kDigestBytes * i};
    }
    blake3ManyPortable(messages.data(), messages.size());
    for (std::size_t i = 0; i < messages.size(); i++) {
        messages[i].digest = digests.data() + kDigestBytes * i;
    }
    GetParam().digest(messages.data(), messages.size());
    ASSERT_EQ(digests, expected);
}

TEST_P(Blake3Test, longMessagesGiveWhatThePortableFormGives) {
    Bytes data = splitmix64(21, 9 << 20);
    for (std::size_t size : {(256 << 10) - 1, 256 << 10, (256 << 10) + 1, (257 << 10) + 1, 512 << 10,
                             (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 2 << 20, (3 << 20) + 1024, 9 << 20}) {
        Bytes message(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(size));
        std::uint8_t expected[kDigestBytes];
        DigestMessage one{message.data(), size, expected};
        blake3ManyPortable(&one, 1);
        EXPECT_EQ(digestOf(message), hexOf(expected, sizeof expected)) << size;
    }
}

TEST_P(Blake3Test, readsNothingButTheMessage) {
    for (std::size_t size : {0, 1, 63, 64, 65, 1'023, 1'025, 4'095, 4'096, 20'000}) {
        Bytes message = countingBytes(size);
        for (auto guard : {GuardedBytes::Guard::kBefore, GuardedBytes::Guard::kBehind}) {
            GuardedBytes guarded(message, guard);
            std::uint8_t digest[kDigestBytes];
            DigestMessage one{guarded.data(), size, digest};
            GetParam().digest(&one, 1);
            EXPECT_EQ(hexOf(digest, sizeof digest), digestOf(message));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Forms, Blake3Test,
                         testing::Values(Blake3Form{"Portable", blake3ManyPortable, true},
                                         Blake3Form{"Avx2", blake3ManyAvx2, cpuFeatures().avx2},
                                         Blake3Form{"Avx512", blake3ManyAvx512, cpuFeatures().avx512}),
                         [](const auto& form) { return form.param.name; });

}  // namespace
}  // namespace shredder::test
