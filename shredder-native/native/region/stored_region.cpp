// SPDX-License-Identifier: Apache-2.0
#include "region/stored_region.h"

#include <array>
#include <cstring>
#include <string>

#include "cpu/cpu_kernels.h"
#include "pipeline/error.h"

namespace shredder {
namespace {

// The record's head, container.md section 3.
constexpr std::size_t kStoredBytesAt = 4;
constexpr std::size_t kFieldsAt = 8;
constexpr std::size_t kCrcAt = kFieldsAt + kRegionFieldsBytes;
constexpr std::size_t kHeadBytes = kCrcAt + 4;

// Among the fields; the first chunk's identity comes first.
constexpr std::size_t kFirstBytesAt = 64;
constexpr std::size_t kCodecAt = 68;
constexpr std::size_t kOthersAt = 69;

constexpr std::size_t kMemberBytes = kIdentityBytes + 4;
constexpr std::uint8_t kSingle = 2;
constexpr std::uint8_t kTogether = 3;

constexpr std::size_t kNonceBytes = 12;
constexpr std::size_t kTagBytesBehind = 16;

std::uint32_t bigEndian32(const std::uint8_t* bytes) {
    return static_cast<std::uint32_t>(bytes[0]) << 24 | static_cast<std::uint32_t>(bytes[1]) << 16 |
           static_cast<std::uint32_t>(bytes[2]) << 8 | bytes[3];
}

/// CRC-32C (RFC 3720, appendix B.4) of bytes that follow those with this checksum; 0 of none.
std::uint32_t crc32c(std::uint32_t before, std::span<const std::uint8_t> bytes) {
    constexpr std::uint32_t kPolynomial = 0x82f63b78;
    static const auto kTable = [] {
        std::array<std::uint32_t, 256> table{};
        for (std::uint32_t byte = 0; byte < table.size(); byte++) {
            std::uint32_t crc = byte;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
            }
            table[byte] = crc;
        }
        return table;
    }();
    std::uint32_t crc = ~before;
    for (std::uint8_t byte : bytes) {
        crc = (crc >> 8) ^ kTable[(crc ^ byte) & 0xff];
    }
    return ~crc;
}

void require(bool holds, const std::string& problem) {
    if (!holds) throw Error(SHREDDER_SOURCE_ERROR, problem);
}

/// The fields of a record that has all that comes before its stored bytes.
const std::uint8_t* fieldsOf(std::span<const std::uint8_t> record) {
    require(record.size() > kHeadBytes, "the record ends inside its head");
    // The second says that some of its chunks were kept elsewhere when it was written.
    bool begins = std::memcmp(record.data(), "CHNK", 4) == 0 || std::memcmp(record.data(), "CHNP", 4) == 0;
    require(begins, "no record begins here");
    require(bigEndian32(record.data() + kStoredBytesAt) == record.size() - kHeadBytes,
            "the record has another length");
    return record.data() + kFieldsAt;
}

}  // namespace

StoredRegion::StoredRegion(std::span<const std::uint8_t> record)
    : StoredRegion(fieldsOf(record), record.subspan(kHeadBytes)) {
    std::size_t tableBytes = (chunks.size() - 1) * kMemberBytes;
    std::uint32_t crc = crc32c(crc32c(0, record.first(kCrcAt)), record.subspan(kHeadBytes, tableBytes));
    require(crc == bigEndian32(record.data() + kCrcAt), "the record's head is damaged");
}

StoredRegion::StoredRegion(const std::uint8_t* fields, std::span<const std::uint8_t> stored) : plainBytes(0) {
    std::size_t others = fields[kOthersAt];
    require(fields[kCodecAt] == (others == 0 ? kSingle : kTogether), "the region has another codec");
    std::size_t tableBytes = others * kMemberBytes;
    require(stored.size() > tableBytes + kNonceBytes + kTagBytesBehind, "the region ends inside its table");

    chunks.reserve(1 + others);
    chunks.push_back({fields, bigEndian32(fields + kFirstBytesAt)});
    for (std::size_t i = 0; i < others; i++) {
        const std::uint8_t* member = stored.data() + i * kMemberBytes;
        chunks.push_back({member, bigEndian32(member + kIdentityBytes)});
    }
    for (const ChunkName& chunk : chunks) {
        plainBytes += chunk.bytes;
    }
    require(plainBytes <= kMaxRegionBytes, "the region's chunks are too long");
    nonce = stored.subspan(tableBytes, kNonceBytes);
    std::size_t sealedAt = tableBytes + kNonceBytes;
    sealed = stored.subspan(sealedAt, stored.size() - sealedAt - kTagBytesBehind);
    tag = stored.last(kTagBytesBehind);
}

void requireContainerHeader(const std::uint8_t* header) {
    constexpr std::size_t kDigestAt = 32;
    constexpr std::uint8_t kMagicAndVersion[] = {'S', 'H', 'R', 'D', 'C', 'O', 'N', 'T', 0, 2, 0, 0};
    std::uint8_t digest[kDigestBytes];
    DigestMessage covered{header, kDigestAt, digest};
    bestCpuKernels().sha256(&covered, 1);
    require(std::memcmp(header, kMagicAndVersion, sizeof kMagicAndVersion) == 0, "no container of version 2");
    require(std::memcmp(header + kDigestAt, digest, kDigestBytes) == 0, "the container's header is damaged");
}

}  // namespace shredder
