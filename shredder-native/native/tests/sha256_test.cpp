// SPDX-License-Identifier: Apache-2.0
#include "cpu/sha256.h"

#include <gtest/gtest.h>

#include "cpu/features.h"
#include "tests/guarded_bytes.h"
#include "tests/test_support.h"

namespace shredder::test {
namespace {

std::vector<Sha256Compress> forms() {
    std::vector<Sha256Compress> forms{sha256CompressPortable};
    if (cpuFeatures().sha) forms.push_back(sha256CompressShaInstructions);
    return forms;
}

std::string digestOf(Sha256Compress form, const Bytes& data) {
    std::uint8_t digest[kDigestBytes];
    sha256(form, data.data(), data.size(), digest);
    return hexOf(digest, sizeof digest);
}

TEST(Sha256Test, everyFormGivesTheStandardsExamples) {
    const std::string abc = "abc";
    const std::string twoBlocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    for (Sha256Compress form : forms()) {
        EXPECT_EQ(digestOf(form, {}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        EXPECT_EQ(digestOf(form, Bytes(abc.begin(), abc.end())),
                  "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        EXPECT_EQ(digestOf(form, Bytes(twoBlocks.begin(), twoBlocks.end())),
                  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
        EXPECT_EQ(digestOf(form, Bytes(1'000'000, 'a')),
                  "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    }
}

TEST(Sha256Test, theFormsAgreeAtEveryLengthAroundBlockEnds) {
    Bytes data = splitmix64(7, 300);
    for (std::size_t size = 0; size <= data.size(); size++) {
        Bytes message(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(size));
        for (Sha256Compress form : forms()) {
            ASSERT_EQ(digestOf(form, message), digestOf(sha256CompressPortable, message)) << size;
        }
    }
}

struct ManyForm {
    const char* name;
    DigestMany digest;
    bool available;
};

class Sha256ManyTest : public testing::TestWithParam<ManyForm> {
  protected:
    void SetUp() override {
        if (!GetParam().available) GTEST_SKIP() << "this CPU can't run " << GetParam().name;
    }
};

TEST_P(Sha256ManyTest, givesWhatEachMessageGivesAlone) {
    std::mt19937_64 random(randomSeed());
    Bytes data = splitmix64(9, 40'000);
    for (std::size_t count : {0, 1, 2, 3, 4, 5, 7, 8, 9, 13, 14, 15, 16, 17, 33, 100, 1'024, 1'025, 2'500}) {
        std::vector<DigestMessage> messages(count);
        Bytes digests(count * kDigestBytes);
        for (std::size_t i = 0; i < count; i++) {
            std::size_t size = random() % 3 == 0 ? random() % 130 : random() % 5'000;
            messages[i] = {data.data() + random() % 30'000, size, digests.data() + kDigestBytes * i};
        }
        GetParam().digest(messages.data(), count);
        for (const DigestMessage& message : messages) {
            ASSERT_EQ(hexOf(message.digest, kDigestBytes),
                      digestOf(sha256CompressPortable, Bytes(message.data, message.data + message.size)));
        }
    }
}

TEST_P(Sha256ManyTest, aLongMessageEndsAloneAfterManyShortOnes) {
    Bytes data = splitmix64(10, 300'000);
    for (std::size_t longAt : {0, 5, 39}) {
        std::vector<DigestMessage> messages(40);
        Bytes digests(messages.size() * kDigestBytes);
        for (std::size_t i = 0; i < messages.size(); i++) {
            messages[i] = {data.data() + i, i == longAt ? 299'000 : 64 * i,
                           digests.data() + kDigestBytes * i};
        }
        GetParam().digest(messages.data(), messages.size());
        for (const DigestMessage& message : messages) {
            ASSERT_EQ(hexOf(message.digest, kDigestBytes),
                      digestOf(sha256CompressPortable, Bytes(message.data, message.data + message.size)));
        }
    }
}

TEST_P(Sha256ManyTest, readsNothingButTheMessages) {
    for (auto guard : {GuardedBytes::Guard::kBefore, GuardedBytes::Guard::kBehind}) {
        for (std::size_t size : {0, 1, 55, 56, 63, 64, 65, 4'095, 4'096}) {
            Bytes message = splitmix64(size, size);
            GuardedBytes guarded(message, guard);
            Bytes digests(20 * kDigestBytes);
            std::vector<DigestMessage> messages;
            for (std::size_t i = 0; i < 20; i++) {
                messages.push_back({guarded.data(), size, &digests[kDigestBytes * i]});
            }
            GetParam().digest(messages.data(), messages.size());
            for (const DigestMessage& each : messages) {
                ASSERT_EQ(hexOf(each.digest, kDigestBytes), digestOf(sha256CompressPortable, message));
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Forms, Sha256ManyTest,
                         testing::Values(ManyForm{"Portable", sha256ManyPortable, true},
                                         ManyForm{"ShaInstructions", sha256ManyShaInstructions,
                                                  cpuFeatures().sha},
                                         ManyForm{"Avx2", sha256ManyAvx2, cpuFeatures().avx2},
                                         ManyForm{"Avx512", sha256ManyAvx512, cpuFeatures().avx512},
                                         ManyForm{"Avx512AndSha", sha256ManyAvx512AndSha,
                                                  cpuFeatures().avx512&& cpuFeatures().sha}),
                         [](const auto& form) { return form.param.name; });

TEST(Sha256Test, everyBackendDigestsABatch) {
    Bytes data = splitmix64(8, 200'000);
    std::vector<std::uint64_t> offsets{0, 1, 63, 1000, 199'999, 50};
    std::vector<std::uint32_t> lengths{0, 1, 64, 150'000, 1, 127};
    for (shredder_backend backend : availableBackends()) {
        SCOPED_TRACE(nameOf(backend));
        EnginePtr engine = openEngine(backend);
        Bytes digests(offsets.size() * 32);
        check(shredder_digest_batch(engine.get(), data.data(), offsets.data(), lengths.data(), offsets.size(),
                                    1, digests.data()));
        for (std::size_t i = 0; i < offsets.size(); i++) {
            auto begin = data.begin() + static_cast<std::ptrdiff_t>(offsets[i]);
            EXPECT_EQ(hexOf(&digests[32 * i], 32),
                      digestOf(sha256CompressPortable, Bytes(begin, begin + lengths[i])));
        }
    }
}

TEST(Sha256Test, piecesOfMemoryAreDigestedWithoutAnEngine) {
    Bytes data = splitmix64(8, 200'000);
    std::vector<shredder_piece> pieces{{data.data() + 199'999, 1},
                                       {nullptr, 0},
                                       {data.data() + 3, 64},
                                       {data.data() + 50, 150'000},
                                       {data.data() + 4, 127}};
    Bytes digests(pieces.size() * kDigestBytes);
    check(shredder_digest_pieces(pieces.data(), pieces.size(), 1, digests.data()));
    for (std::size_t i = 0; i < pieces.size(); i++) {
        EXPECT_EQ(hexOf(&digests[kDigestBytes * i], kDigestBytes),
                  digestOf(sha256CompressPortable, Bytes(pieces[i].data, pieces[i].data + pieces[i].bytes)));
    }
    EXPECT_EQ(shredder_digest_pieces(nullptr, 0, 1, nullptr), SHREDDER_OK);
    EXPECT_EQ(shredder_digest_pieces(nullptr, 1, 1, digests.data()), SHREDDER_INVALID_ARGUMENT);
    EXPECT_EQ(shredder_digest_pieces(pieces.data(), 1, 9, digests.data()), SHREDDER_INVALID_ARGUMENT);
    pieces[1].bytes = 1;
    EXPECT_EQ(shredder_digest_pieces(pieces.data(), 2, 1, digests.data()), SHREDDER_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace shredder::test
