// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cpu/cpu_kernels.h"
#include "pipeline/error.h"
#include "region/region_reader.h"
#include "shredder_region.h"
#include "tests/guarded_bytes.h"
#include "tests/hmac_of.h"
#include "tests/test_support.h"

namespace shredder::test {
namespace {

using nlohmann::json;

json vectorsOf(const std::string& name) {
    std::ifstream file = vectorFile(name);
    return json::parse(file);
}

/// HKDF-SHA-256 without salt, one block of output (RFC 5869).
Bytes derived(const Bytes& secret, const std::string& purpose) {
    Bytes info = bytesOf("shredder backup 2 " + purpose);
    info.push_back(1);
    return hmacOf(hmacOf(Bytes(kDigestBytes), secret), info);
}

/// The region that another program sealed: three chunks, and its record as a container has it.
class GoldenRegion {
  public:
    /// In the form `raw` or `compressed`; the record begins with this magic.
    explicit GoldenRegion(const std::string& form, const std::string& magic = "CHNK") {
        json vectors = vectorsOf("seal-region.json");
        secret_ = bytesOfHex(vectorsOf("seal.json").at("secret"));
        identityKey_ = derived(secret_, "chunk identity");
        for (const json& plain : vectors.at("plains")) {
            plains_.push_back(bytesOfHex(plain));
            Bytes digest(kDigestBytes);
            DigestMessage message{plains_.back().data(), plains_.back().size(), digest.data()};
            bestCpuKernels().sha256(&message, 1);
            identities_.push_back(hmacOf(identityKey_, digest));
        }
        // A message has all of a record but magic and length before, and the CRC behind its first 72 bytes.
        Bytes message = bytesOfHex(vectors.at(form));
        constexpr std::size_t kFixedBytes = 72;
        std::size_t stored = message.size() - kFixedBytes;
        record_ = bytesOf(magic);
        for (int shift = 24; shift >= 0; shift -= 8) {
            record_.push_back(static_cast<std::uint8_t>(stored >> shift));
        }
        record_.insert(record_.end(), message.begin(), message.begin() + kFixedBytes);
        Bytes crc = bytesOfHex(vectors.at("crc of a record").at(magic).at(form));
        record_.insert(record_.end(), crc.begin(), crc.end());
        record_.insert(record_.end(), message.begin() + kFixedBytes, message.end());
    }

    const Bytes& record() const { return record_; }
    std::size_t count() const { return plains_.size(); }
    const Bytes& plain(std::size_t chunk) const { return plains_[chunk]; }

    ChunkName name(std::size_t chunk) const {
        return {identities_[chunk].data(), static_cast<std::uint32_t>(plains_[chunk].size())};
    }

    Bytes sealingKey() const { return derived(secret_, "chunk sealing"); }
    const Bytes& identityKey() const { return identityKey_; }

  private:
    Bytes secret_;
    Bytes identityKey_;
    std::vector<Bytes> plains_;
    std::vector<Bytes> identities_;
    Bytes record_;
};

/// The 64 bytes that container 1 of a repository begins with.
Bytes containerHeader() {
    Bytes header = bytesOf("SHRDCONT");
    header.insert(header.end(), {0, 2, 0, 0, 0, 0, 0, 1});
    header.resize(kContainerHeaderBytes, 0x77);
    DigestMessage covered{header.data(), 32, header.data() + 32};
    bestCpuKernels().sha256(&covered, 1);
    return header;
}

/// A file that is deleted in the end.
class TemporaryFile {
  public:
    explicit TemporaryFile(const Bytes& bytes) {
        int descriptor = mkstemp(path_.data());
        if (descriptor < 0 || write(descriptor, bytes.data(), bytes.size()) < 0) std::abort();
        close(descriptor);
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() { unlink(path_.c_str()); }

    const char* path() const { return path_.c_str(); }

  private:
    std::string path_ = testing::TempDir() + "region-XXXXXX";
};

TEST(StoredRegionTest, takesARecordApart) {
    GoldenRegion golden("raw");
    StoredRegion region(golden.record());
    ASSERT_EQ(region.chunks.size(), golden.count());
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < golden.count(); i++) {
        EXPECT_EQ(region.chunks[i].bytes, golden.plain(i).size());
        EXPECT_EQ(hexOf(region.chunks[i].identity, kIdentityBytes),
                  hexOf(golden.name(i).identity, kIdentityBytes));
        bytes += golden.plain(i).size();
    }
    EXPECT_EQ(region.plainBytes, bytes);
    EXPECT_EQ(region.sealed.size(), bytes + 1);
    EXPECT_EQ(region.tag.data() + region.tag.size(), golden.record().data() + golden.record().size());
}

TEST(StoredRegionTest, readsNothingOutsideWhateverTheBytesAre) {
    std::mt19937_64 random(randomSeed());
    GoldenRegion golden("compressed");
    int accepted = 0;
    for (int round = 0; round < 20'000; round++) {
        Bytes record = golden.record();
        if (round % 3 == 0) record.resize(random() % (record.size() + 1));
        for (std::size_t flips = random() % 4; flips > 0 && !record.empty(); flips--) {
            std::size_t most = round % 2 == 0 ? std::min<std::size_t>(record.size(), 84) : record.size();
            record[random() % most] ^= static_cast<std::uint8_t>(1U << random() % 8);
        }
        GuardedBytes guarded(record, GuardedBytes::Guard::kBehind);
        try {
            StoredRegion region({guarded.data(), record.size()});
            accepted++;
            ASSERT_EQ(region.tag.data() + region.tag.size(), guarded.data() + record.size());
            ASSERT_LE(region.plainBytes, kMaxRegionBytes);
            ASSERT_GE(region.sealed.data(), region.nonce.data() + region.nonce.size());
        } catch (const Error& error) {
            ASSERT_EQ(error.status(), SHREDDER_SOURCE_ERROR);
        }
    }
    EXPECT_GT(accepted, 100);
}

/// As a message has the region of a record.
struct Message {
    explicit Message(const Bytes& record)
        : fields(record.data() + kFieldsAt),
          stored(std::span(record).subspan(kFieldsAt + kRegionFieldsBytes + 4)) {}

    RegionBytes region() const { return {fields, static_cast<std::uint32_t>(stored.size())}; }

    static constexpr std::size_t kFieldsAt = 8;
    const std::uint8_t* fields;
    std::span<const std::uint8_t> stored;
};

/// Opens the regions of these records, which it may ask for in any order.
void openAll(RegionReader& reader, const std::vector<Bytes>& records, std::span<const ChunkName> wanted,
             std::uint8_t* target) {
    std::vector<RegionBytes> regions;
    regions.reserve(records.size());
    for (const Bytes& record : records) {
        regions.push_back(Message(record).region());
    }
    auto copy = [&](std::size_t region, std::uint8_t* to) {
        Message message(records.at(region));
        std::copy(message.stored.begin(), message.stored.end(), to);
    };
    reader.open(regions, copy, wanted, target);
}

TEST(StoredRegionTest, readsNothingOutsideAMessageEither) {
    std::mt19937_64 random(randomSeed());
    GoldenRegion golden("compressed");
    Message whole(golden.record());
    int accepted = 0;
    for (int round = 0; round < 20'000; round++) {
        Bytes fields(whole.fields, whole.fields + kRegionFieldsBytes);
        Bytes stored(whole.stored.begin(), whole.stored.end());
        if (round % 3 == 0) stored.resize(random() % (stored.size() + 1));
        fields[random() % fields.size()] ^= static_cast<std::uint8_t>(round % 2 << random() % 8);
        GuardedBytes guardedFields(fields, GuardedBytes::Guard::kBehind);
        GuardedBytes guarded(stored, GuardedBytes::Guard::kBehind);
        try {
            StoredRegion region(guardedFields.data(), {guarded.data(), stored.size()});
            accepted++;
            ASSERT_EQ(region.tag.data() + region.tag.size(), guarded.data() + stored.size());
            ASSERT_LE(region.plainBytes, kMaxRegionBytes);
            ASSERT_GE(region.sealed.data(), region.nonce.data() + region.nonce.size());
        } catch (const Error& error) {
            ASSERT_EQ(error.status(), SHREDDER_SOURCE_ERROR);
        }
    }
    EXPECT_GT(accepted, 100);
}

class RegionReaderTest : public testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        Bytes key(kDigestBytes);
        try {
            RegionReader reader({key.data(), key.data(), DigestAlgorithm::Sha256});
        } catch (const Error& error) {
            ASSERT_EQ(error.status(), SHREDDER_UNAVAILABLE);
            GTEST_SKIP() << error.what();
        }
    }

    /// The wanted chunks of the golden region, by their numbers, from a container with this record.
    Bytes read(const Bytes& record, const std::vector<std::size_t>& numbers) {
        return read(golden_.sealingKey(), golden_.identityKey(), record, numbers);
    }

    Bytes read(const Bytes& sealing, const Bytes& identity, const Bytes& record,
               const std::vector<std::size_t>& numbers) {
        Bytes file = containerHeader();
        file.resize(kOffset);
        file.insert(file.end(), record.begin(), record.end());
        return read(sealing, identity, TemporaryFile(file), numbers);
    }

    Bytes read(const Bytes& sealing, const Bytes& identity, const TemporaryFile& container,
               const std::vector<std::size_t>& numbers) {
        std::vector<ChunkName> wanted = names(numbers);
        Bytes target(plainOf(numbers).size());
        RegionPlace place{container.path(), kOffset, static_cast<std::uint32_t>(golden_.record().size())};
        RegionReader reader({sealing.data(), identity.data(), DigestAlgorithm::Sha256});
        reader.read({&place, 1}, wanted, target.data());
        return target;
    }

    /// The same from memory, as it is in a message.
    Bytes open(const Bytes& record, const std::vector<std::size_t>& numbers) {
        Bytes target(plainOf(numbers).size());
        Bytes sealing = golden_.sealingKey();
        RegionReader reader({sealing.data(), golden_.identityKey().data(), DigestAlgorithm::Sha256});
        openAll(reader, {record}, names(numbers), target.data());
        return target;
    }

    std::vector<ChunkName> names(const std::vector<std::size_t>& numbers) const {
        std::vector<ChunkName> wanted;
        wanted.reserve(numbers.size());
        for (std::size_t number : numbers) {
            wanted.push_back(golden_.name(number));
        }
        return wanted;
    }

    Bytes plainOf(const std::vector<std::size_t>& numbers) const {
        Bytes plain;
        for (std::size_t number : numbers) {
            plain.insert(plain.end(), golden_.plain(number).begin(), golden_.plain(number).end());
        }
        return plain;
    }

    static constexpr std::uint64_t kOffset = 100;
    GoldenRegion golden_{GetParam()};
};

TEST_P(RegionReaderTest, writesAnyOfTheChunksInAnyOrder) {
    for (const std::vector<std::size_t>& numbers :
         std::vector<std::vector<std::size_t>>{{0, 1, 2}, {2, 1, 0}, {1}, {0, 2}, {2, 0}, {1, 2}, {}}) {
        EXPECT_EQ(read(golden_.record(), numbers), plainOf(numbers));
        EXPECT_EQ(open(golden_.record(), numbers), plainOf(numbers));
    }
}

TEST_P(RegionReaderTest, readsARegionOfWhichSomeChunksWereKeptElsewhereLikeAnyOther) {
    GoldenRegion partly(GetParam(), "CHNP");
    EXPECT_EQ(read(partly.record(), {2, 0}), plainOf({2, 0}));
}

TEST_P(RegionReaderTest, refusesEveryFlippedBitOfAMessageThatSaysAnything) {
    constexpr std::size_t kFieldsAt = 8;
    constexpr std::size_t kDigestAt = kFieldsAt + kIdentityBytes;
    constexpr std::size_t kOthersAt = kFieldsAt + 69;
    constexpr std::size_t kHeadBytes = 84;
    for (std::size_t i = kFieldsAt * 8; i < golden_.record().size() * 8; i++) {
        std::size_t byte = i / 8;
        bool digest = byte >= kDigestAt && byte < kDigestAt + kDigestBytes;  // For those without the key.
        bool unused = byte > kOthersAt && byte < kHeadBytes;
        if (digest || unused) continue;
        Bytes record = golden_.record();
        record[byte] ^= static_cast<std::uint8_t>(1U << i % 8);
        try {
            open(record, {0, 1, 2});
            ADD_FAILURE() << "bit " << i;
        } catch (const Error& error) {
            EXPECT_EQ(error.status(), SHREDDER_SOURCE_ERROR);
        }
    }
}

TEST_P(RegionReaderTest, namesARegionOfSeveralByItsNumber) {
    Bytes damaged = golden_.record();
    damaged.back() ^= 1;
    Bytes sealing = golden_.sealingKey();
    RegionReader reader({sealing.data(), golden_.identityKey().data(), DigestAlgorithm::Sha256});
    Bytes target(golden_.plain(0).size());
    try {
        openAll(reader, {golden_.record(), damaged}, names({0}), target.data());
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("region 1: the seal is broken"), std::string::npos);
    }
}

TEST_P(RegionReaderTest, refusesEveryFlippedBitOfARecord) {
    for (std::size_t i = 0; i < golden_.record().size() * 8; i++) {
        Bytes record = golden_.record();
        record[i / 8] ^= static_cast<std::uint8_t>(1U << i % 8);
        try {
            read(record, {0, 1, 2});
            ADD_FAILURE() << "bit " << i;
        } catch (const Error& error) {
            EXPECT_EQ(error.status(), SHREDDER_SOURCE_ERROR);
            EXPECT_NE(std::string(error.what()).find("at 100: "), std::string::npos) << error.what();
        }
    }
}

TEST_P(RegionReaderTest, refusesEveryFlippedBitOfAContainersHeader) {
    for (std::size_t i = 0; i < kContainerHeaderBytes * 8; i++) {
        Bytes file = containerHeader();
        file[i / 8] ^= static_cast<std::uint8_t>(1U << i % 8);
        file.resize(kOffset);
        file.insert(file.end(), golden_.record().begin(), golden_.record().end());
        TemporaryFile container(file);
        EXPECT_THROW(read(golden_.sealingKey(), golden_.identityKey(), container, {0, 1, 2}), Error)
            << "bit " << i;
    }
}

TEST_P(RegionReaderTest, refusesAFileThatEndsSooner) {
    for (std::size_t bytes = 0; bytes < golden_.record().size(); bytes++) {
        Bytes record = golden_.record();
        record.resize(bytes);
        EXPECT_THROW(read(record, {0}), Error);
    }
}

TEST_P(RegionReaderTest, refusesOtherKeysAndOtherChunks) {
    Bytes other = splitmix64(3, kDigestBytes);
    EXPECT_THROW(read(other, golden_.identityKey(), golden_.record(), {0}), Error);
    EXPECT_THROW(read(golden_.sealingKey(), other, golden_.record(), {0}), Error);

    Bytes file = containerHeader();
    file.insert(file.end(), golden_.record().begin(), golden_.record().end());
    TemporaryFile container(file);
    RegionPlace place{container.path(), kContainerHeaderBytes,
                      static_cast<std::uint32_t>(golden_.record().size())};
    Bytes sealing = golden_.sealingKey();
    RegionReader reader({sealing.data(), golden_.identityKey().data(), DigestAlgorithm::Sha256});
    Bytes target(1000);
    ChunkName missing{other.data(), 10};
    EXPECT_THROW(reader.read({&place, 1}, {&missing, 1}, target.data()), Error);
    ChunkName longer = golden_.name(0);
    longer.bytes++;
    EXPECT_THROW(reader.read({&place, 1}, {&longer, 1}, target.data()), Error);
    ChunkName whole = golden_.name(0);
    reader.read({&place, 1}, {&whole, 1}, target.data());  // It is still good for others.
    target.resize(whole.bytes);
    EXPECT_EQ(target, golden_.plain(0));
}

TEST_P(RegionReaderTest, namesAContainerThatIsNotThere) {
    Bytes key(kDigestBytes);
    RegionReader reader({key.data(), key.data(), DigestAlgorithm::Blake3});
    RegionPlace place{"/nonexistent/00000001.container", 7, 200};
    try {
        reader.read({&place, 1}, {}, nullptr);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.status(), SHREDDER_SOURCE_ERROR);
        EXPECT_NE(std::string(error.what()).find("/nonexistent/00000001.container at 7: can't be opened"),
                  std::string::npos);
    }
}

TEST(RegionApiTest, endsACallWhoseBytesCantBeCopied) {
    Bytes key(kDigestBytes);
    shredder_region_reader* reader = nullptr;
    shredder_status opened = shredder_region_reader_open(key.data(), key.data(), 1, &reader);
    if (opened == SHREDDER_UNAVAILABLE) {
        GTEST_SKIP() << shredder_last_error();
    }
    ASSERT_EQ(opened, SHREDDER_OK);
    Bytes fields(SHREDDER_REGION_FIELDS_BYTES);
    std::array<shredder_region_bytes, 2> regions{{{fields.data(), 10}, {fields.data(), 10}}};
    auto refuse = [](void* context, std::size_t region, std::uint8_t*) {
        static_cast<std::vector<std::size_t>*>(context)->push_back(region);
        return 1;
    };
    std::vector<std::size_t> asked;
    EXPECT_EQ(shredder_region_reader_open_regions(reader, regions.data(), regions.size(), refuse, &asked,
                                                  nullptr, 0, nullptr),
              SHREDDER_SOURCE_ERROR);
    EXPECT_STREQ(shredder_last_error(), "region 0: can't be copied");
    EXPECT_EQ(asked, std::vector<std::size_t>{0});
    EXPECT_EQ(
        shredder_region_reader_open_regions(reader, regions.data(), 1, nullptr, nullptr, nullptr, 0, nullptr),
        SHREDDER_INVALID_ARGUMENT);
    shredder_region_reader_close(reader);
}

INSTANTIATE_TEST_SUITE_P(Forms, RegionReaderTest, testing::Values("raw", "compressed"));

}  // namespace
}  // namespace shredder::test
