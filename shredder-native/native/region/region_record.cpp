// SPDX-License-Identifier: Apache-2.0
#include "region/region_record.h"

#include <array>
#include <cstring>
#include <string>

#include "cpu/cpu_kernels.h"
#include "pipeline/error.h"

namespace shredder {
namespace {

// The record's head, container.md section 3.
constexpr std::size_t kStoredBytesAt = 4;
constexpr std::size_t kFirstIdentityAt = 8;
constexpr std::size_t kFirstBytesAt = 72;
constexpr std::size_t kCodecAt = 76;
constexpr std::size_t kOthersAt = 77;
constexpr std::size_t kCrcAt = 80;
constexpr std::size_t kHeadBytes = 84;
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

}  // namespace

RegionRecord::RegionRecord(std::span<const std::uint8_t> record) : plainBytes(0) {
    require(record.size() > kHeadBytes, "the record ends inside its head");
    const std::uint8_t* head = record.data();
    require(std::memcmp(head, "CHNK", 4) == 0, "no record begins here");
    require(bigEndian32(head + kStoredBytesAt) == record.size() - kHeadBytes,
            "the record has another length");
    std::size_t others = head[kOthersAt];
    require(head[kCodecAt] == (others == 0 ? kSingle : kTogether), "the record has another codec");
    std::size_t sealedAt = kHeadBytes + others * kMemberBytes;
    require(record.size() > sealedAt + kNonceBytes + kTagBytesBehind, "the record ends inside its table");
    std::uint32_t crc =
        crc32c(crc32c(0, record.first(kCrcAt)), record.subspan(kHeadBytes, sealedAt - kHeadBytes));
    require(crc == bigEndian32(head + kCrcAt), "the record's head is damaged");

    chunks.reserve(1 + others);
    chunks.push_back({head + kFirstIdentityAt, bigEndian32(head + kFirstBytesAt)});
    for (std::size_t i = 0; i < others; i++) {
        const std::uint8_t* member = head + kHeadBytes + i * kMemberBytes;
        chunks.push_back({member, bigEndian32(member + kIdentityBytes)});
    }
    for (const ChunkName& chunk : chunks) {
        plainBytes += chunk.bytes;
    }
    require(plainBytes <= kMaxRegionBytes, "the record's chunks are too long");
    nonce = record.subspan(sealedAt, kNonceBytes);
    sealed = record.subspan(sealedAt + kNonceBytes, record.size() - sealedAt - kNonceBytes - kTagBytesBehind);
    tag = record.last(kTagBytesBehind);
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
