// SPDX-License-Identifier: Apache-2.0
//
// What a worker and its clients say to each other: docs/formats/worker.md. Numbers are little-endian, as on
// every machine that this library runs on.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "chunk/fingerprint.h"

namespace shredder::remote {

static_assert(std::endian::native == std::endian::little);

inline constexpr std::uint64_t kMagic = 0x314b525744524853;  // "SHRDWRK1"
inline constexpr std::uint32_t kVersion = 1;

/// Jobs of a client that may be under way at once, each with a buffer of its own at the worker.
inline constexpr std::uint32_t kMostSlots = 16;
/// Of chunks in one buffer.
inline constexpr std::uint64_t kMostRecords = 1ULL << 19;
inline constexpr std::size_t kNameBytes = 64;
inline constexpr std::size_t kMostTextBytes = 1024;

enum class FrameType : std::uint32_t {
    Hello = 1,       ///< client: first
    Welcome = 2,     ///< worker: its answer
    Scan = 3,        ///< client: a buffer
    Candidates = 4,  ///< worker: of that buffer
    Digest = 5,      ///< client: the chunks in it
    Digests = 6,     ///< worker: of those
    News = 7,        ///< worker: at least once a second while the client waits for something
    Refused = 8      ///< worker: why it closes the connection, as text
};

/// Before each body.
struct FrameHeader {
    FrameType type;
    std::uint32_t slot;      ///< 0 up to the worker's number of slots
    std::uint64_t sequence;  ///< of the slot's buffer: the client counts up, the worker repeats it
    std::uint64_t bodyBytes;
};

struct HelloBody {
    std::uint64_t magic;
    std::uint32_t version;
    std::uint32_t weight;  ///< 1 to 1000: its share beside the worker's other clients
};

struct WelcomeBody {
    std::uint64_t magic;
    std::uint32_t version;
    std::uint32_t slots;
    std::uint64_t mostPayloadBytes;
    char name[kNameBytes];  ///< what it runs on, with a zero at its end
};

/// The payload follows.
struct ScanBody {
    std::uint64_t polynomial;
    std::uint64_t marker;
    std::uint32_t maskBits;
    std::uint32_t segmentMaskBits;  ///< 0: none
    std::uint32_t digestAlgorithm;
    std::uint32_t zero;
    std::uint64_t payloadRoom;  ///< of any buffer of the stream; a multiple of 4 KiB
    std::uint64_t maxRecords;
    std::uint8_t before[kWindowBytes];  ///< the stream's bytes before the payload
};

enum class CandidatesForm : std::uint32_t { List = 0, ListWithStrength = 1, Bitmap = 2 };

/// `count` entries follow: chunk/candidates.h, 4 bytes each in a list, 8 in a bitmap.
struct CandidatesBody {
    CandidatesForm form;
    std::uint32_t zero;
    std::uint64_t count;
};

/// What a Digest frame is made of.
struct DigestPiece {
    std::uint32_t offset;  ///< in the payload
    std::uint32_t length;
};

struct NewsBody {
    std::uint64_t bytesOfOthers;  ///< that wait at the worker, or are worked on, for others than this client
};

}  // namespace shredder::remote
