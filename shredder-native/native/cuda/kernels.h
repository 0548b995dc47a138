// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "chunk/fingerprint.h"

// The kernels, in the order in which a buffer passes them. Every function only enqueues on the stream.
// Pointers are to device memory, but for those that say "host": page-locked memory that the kernels write or
// read over the link.
namespace shredder {

/// One buffer on the device. The 48 bytes before payload are the stream's bytes before it; kReadBehindBytes
/// before it and kReadAheadBytes after its end may be read. payload is aligned to 32 bytes.
struct DeviceBuffer {
    const std::uint8_t* payload;
    std::size_t bytes;
};

/// Kernels load whole words and groups, and may look this far beyond what they use.
inline constexpr std::size_t kReadBehindBytes = 64;
inline constexpr std::size_t kReadAheadBytes = 512 << 10;

enum class ScanForm {
    Fast,
    /// What the Shredder paper (FAST 2012, section 4.3) starts from: a thread a sub-stream, byte by byte,
    /// each access of a warp to another line. For measuring what the other form is worth.
    Naive,
};

/// Bit i % 64 of bitmap[i / 64]: payload byte i is a candidate. Writes ceil(bytes / 64) words.
void enqueueScan(const ScanSpec& spec, ScanForm form, const DeviceBuffer& buffer, std::uint64_t* bitmap,
                 cudaStream_t stream);

/// Positions that one block of the compaction covers.
inline constexpr std::size_t kCompactionBlockBytes = 64 << 10;

/// The sparse form of a buffer's candidates: for each, in order, the position after it, relative to the
/// payload, and kStrongFlag if it matches the segment mask as well.
struct CandidateList {
    std::uint32_t* cuts;          ///< host; room for `capacity`
    std::uint32_t* count;         ///< host; how many there are. What is above capacity is not in the list
    std::uint32_t* blockOffsets;  ///< room for one per compaction block
    std::uint32_t capacity;
};

/// segments: whether kStrongFlag is wanted.
void enqueueCompaction(const ScanSpec& spec, bool segments, const DeviceBuffer& buffer,
                       const std::uint64_t* bitmap, const CandidateList& candidates, cudaStream_t stream);

/// A message to digest.
struct Message {
    std::int64_t begin;  ///< relative to a base
    std::uint32_t length;
    std::uint32_t firstLeaf;  ///< BLAKE3: number of the leaves of all messages before
};

/// Lengths are told apart in so many classes when messages are ordered.
inline constexpr std::uint32_t kLengthClasses = 2048;

/// Messages, and the working memory for ordering them.
struct MessageList {
    const Message* messages;
    std::uint32_t* order;         ///< room for `count`
    std::uint32_t* classOffsets;  ///< kLengthClasses
    std::uint32_t count;
    std::uint32_t maxLength;
};

/// Copies `bytes` bytes from host memory with a kernel instead of a copy engine: these are busy with payload,
/// and every change from one copy to the next costs them time.
void enqueueFetch(void* target, const void* host, std::size_t bytes, cudaStream_t stream);

/// Fills list.order: longest first. The threads of a warp then digest messages of about the same length, and
/// long ones do not start last.
void enqueueOrder(const MessageList& list, cudaStream_t stream);

/// SHA-256 of each message to digests[i], in the order of messages. Needs list.order.
void enqueueSha256(const std::uint8_t* base, const MessageList& list, std::uint8_t (*digests)[32],
                   cudaStream_t stream);

/// BLAKE3 of each message to digests[i]. leafValues: eight words for each of the messages' leaves.
void enqueueBlake3(const std::uint8_t* base, const MessageList& list, std::uint32_t leaves,
                   std::uint32_t (*leafValues)[8], std::uint8_t (*digests)[32], cudaStream_t stream);

}  // namespace shredder
