// SPDX-License-Identifier: Apache-2.0
#include "cpu/keyed_tags.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "cpu/features.h"
#include "tests/guarded_bytes.h"
#include "tests/test_support.h"

namespace shredder::test {
namespace {

using nlohmann::json;

struct TagForm {
    const char* name;
    TagMany tag;
    bool available;
};

Bytes messageOf(const json& input) {
    std::string kind = input.at("kind");
    if (kind == "hex") return bytesOfHex(input.at("hex"));
    std::size_t length = input.at("length");
    return kind == "zeros" ? Bytes(length) : splitmix64(input.at("seed"), length);
}

std::string tagOf(TagMany form, const Bytes& key, const std::uint8_t* data, std::size_t size) {
    std::uint8_t tag[kTagBytes];
    TagMessage message{data, size, tag};
    form(key.data(), &message, 1);
    return hexOf(tag, sizeof tag);
}

class KeyedTagsTest : public testing::TestWithParam<TagForm> {
  protected:
    void SetUp() override {
        if (!GetParam().available) GTEST_SKIP() << "this CPU can't run " << GetParam().name;
    }
};

TEST_P(KeyedTagsTest, givesTheVectorsThatAnotherProgramComputed) {
    std::ifstream file = vectorFile("tags.json");
    json vectors = json::parse(file);
    ASSERT_GE(vectors.size(), 50U);
    for (const json& vector : vectors) {
        Bytes input = messageOf(vector.at("input"));
        EXPECT_EQ(tagOf(GetParam().tag, bytesOfHex(vector.at("key")), input.data(), input.size()),
                  vector.at("tag").get<std::string>())
            << vector.at("input");
    }
}

TEST_P(KeyedTagsTest, givesWhatTheReferenceGivesAtEveryLengthAndPlace) {
    std::mt19937_64 random(randomSeed());
    Bytes data = splitmix64(random(), 2'000);
    Bytes key = splitmix64(random(), kTagBytes);
    for (std::size_t size = 0; size <= 1'200; size++) {
        const std::uint8_t* at = data.data() + random() % 800;
        ASSERT_EQ(tagOf(GetParam().tag, key, at, size), tagOf(tagManyPortable, key, at, size)) << size;
    }
}

TEST_P(KeyedTagsTest, tagsEachOfManyAsItTagsOne) {
    std::mt19937_64 random(randomSeed());
    Bytes data = splitmix64(random(), 50'000);
    Bytes key = splitmix64(random(), kTagBytes);
    std::vector<TagMessage> messages(100);
    Bytes tags(messages.size() * kTagBytes);
    for (std::size_t i = 0; i < messages.size(); i++) {
        messages[i] = {data.data() + random() % 40'000, random() % 10'000, &tags[kTagBytes * i]};
    }
    GetParam().tag(key.data(), messages.data(), messages.size());
    for (const TagMessage& message : messages) {
        ASSERT_EQ(hexOf(message.tag, kTagBytes), tagOf(GetParam().tag, key, message.data, message.size));
    }
}

TEST_P(KeyedTagsTest, everyBitAndTheLengthCount) {
    Bytes key = splitmix64(3, kTagBytes);
    Bytes data(600);
    std::set<std::string> tags{tagOf(GetParam().tag, key, data.data(), data.size())};
    for (std::size_t bit = 0; bit < 8 * data.size(); bit++) {
        data[bit / 8] ^= static_cast<std::uint8_t>(1U << (bit % 8));
        tags.insert(tagOf(GetParam().tag, key, data.data(), data.size()));
        data[bit / 8] = 0;
    }
    for (std::size_t size = 1; size < data.size(); size++) {
        tags.insert(tagOf(GetParam().tag, key, data.data(), size));
    }
    EXPECT_EQ(tags.size(), 1 + 8 * data.size() + data.size() - 1);
}

TEST_P(KeyedTagsTest, readsNothingButTheMessage) {
    Bytes key = splitmix64(4, kTagBytes);
    for (std::size_t size : {0, 1, 15, 16, 17, 63, 64, 65, 511, 512, 513, 4'095, 4'096, 5'000}) {
        Bytes message = splitmix64(size, size);
        for (auto guard : {GuardedBytes::Guard::kBefore, GuardedBytes::Guard::kBehind}) {
            GuardedBytes guarded(message, guard);
            EXPECT_EQ(tagOf(GetParam().tag, key, guarded.data(), size),
                      tagOf(tagManyPortable, key, message.data(), size));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Forms, KeyedTagsTest,
                         testing::Values(TagForm{"Portable", tagManyPortable, true},
                                         TagForm{"Pclmul", tagManyPclmul, cpuFeatures().pclmul},
                                         TagForm{"Vpclmul", tagManyVpclmul, cpuFeatures().vpclmul}),
                         [](const auto& form) { return form.param.name; });

TEST(TagChunksTest, tagsChunksBackToBackWithTheFastestForm) {
    Bytes data = splitmix64(11, 5'000);
    Bytes key = splitmix64(12, kTagBytes);
    std::vector<std::uint32_t> lengths{1'000, 0, 3, 3'997};
    Bytes tags(lengths.size() * kTagBytes);
    check(shredder_tag_chunks(key.data(), data.data(), lengths.data(), lengths.size(), tags.data()));
    std::size_t at = 0;
    for (std::size_t i = 0; i < lengths.size(); i++) {
        EXPECT_EQ(hexOf(&tags[kTagBytes * i], kTagBytes),
                  tagOf(tagManyPortable, key, data.data() + at, lengths[i]));
        at += lengths[i];
    }
    EXPECT_EQ(bestTagMany(), cpuFeatures().vpclmul  ? tagManyVpclmul
                             : cpuFeatures().pclmul ? tagManyPclmul
                                                    : tagManyPortable);
    EXPECT_EQ(shredder_tags_are_fast(), cpuFeatures().pclmul ? 1U : 0U);
    EXPECT_EQ(shredder_tag_chunks(nullptr, data.data(), lengths.data(), 1, tags.data()),
              SHREDDER_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace shredder::test
