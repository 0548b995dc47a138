// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "chunk/cut_selector.h"
#include "chunk/fingerprint.h"
#include "shredder.h"

// The kernels, in the order in which a buffer passes them. All pointers are to device memory; every function
// only enqueues on the stream.
namespace shredder {

/// One buffer on the device. The 48 bytes before payload are the stream's bytes before it; further down lies
/// the carry area, at least max bytes.
struct DeviceBuffer {
    std::uint8_t* payload;
    std::size_t bytes;
    std::uint64_t streamOffset;  ///< of payload[0]
    bool last;
};

/// Bytes that one thread scans. Payload memory must be readable up to the next multiple of it.
inline constexpr std::size_t kScanTileBytes = 256;
/// Positions that one block of the compaction covers.
inline constexpr std::size_t kCompactionBlockBytes = 64 << 10;

inline constexpr std::uint32_t kStrongFlag = 1U << 31;

/// The sparse form of a buffer's candidates: for each, in order, the position after it, relative to the
/// payload, and kStrongFlag if it matches the segment mask as well.
struct CandidateList {
    std::uint32_t* cuts;          ///< room for one per payload byte
    std::uint32_t* blockOffsets;  ///< room for one per compaction block
    std::uint32_t* count;
};

/// What the host needs to fetch a buffer's results.
struct SelectionSummary {
    std::uint64_t recordCount;
    std::uint64_t lastCut;
};

/// Bit i % 64 of bitmap[i / 64]: payload byte i is a candidate. spec is the same on host and device.
void enqueueScan(const ScanSpec& hostSpec, const ScanSpec* deviceSpec, const DeviceBuffer& buffer,
                 std::uint64_t* bitmap, cudaStream_t stream);

void enqueueCompaction(const ScanSpec* spec, bool segments, const DeviceBuffer& buffer,
                       const std::uint64_t* bitmap, const CandidateList& candidates, cudaStream_t stream);

/// Moves the unfinished chunk's bytes from tail to right before the payload. state is the previous buffer's.
void enqueuePlaceTail(const DeviceBuffer& buffer, const CutState* state, const std::uint8_t* tail,
                      std::size_t maxBytes, cudaStream_t stream);

/// Cuts: writes records (no digests yet), the summary, and the state for the next buffer.
void enqueueSelection(const CutRules& rules, const DeviceBuffer& buffer, const CandidateList& candidates,
                      CutState* state, shredder_record* records, SelectionSummary* summary,
                      cudaStream_t stream);

/// Copies the bytes after the last cut to tail.
void enqueueKeepTail(const DeviceBuffer& buffer, const CutState* state, std::uint8_t* tail,
                     std::size_t maxBytes, cudaStream_t stream);

/// SHA-256 of each record's bytes, which begin at base + offset - baseOffset, into the record.
void enqueueDigests(const std::uint8_t* base, std::uint64_t baseOffset, shredder_record* records,
                    const SelectionSummary* summary, std::size_t maxRecords, cudaStream_t stream);

}  // namespace shredder
