// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "cuda/cuda_resources.h"
#include "cuda/kernels.h"
#include "pipeline/device.h"

namespace shredder {

/// Device memory for a buffer's payload, with room around it for the kernels' loads.
class DevicePayload {
  public:
    explicit DevicePayload(const BufferGeometry& geometry)
        : memory_(kBeforeBytes + geometry.payloadBytes + kReadAheadBytes) {}

    std::uint8_t* payload() const { return memory_.get() + kBeforeBytes; }
    std::size_t bytes() const { return memory_.bytes(); }

  private:
    /// The payload is aligned as device memory is.
    static constexpr std::size_t kBeforeBytes = 4096;
    static_assert(kBeforeBytes >= kReadBehindBytes);

    DeviceMemory<std::uint8_t> memory_;
};

/// What scan leaves for the host.
class CandidateBuffers {
  public:
    explicit CandidateBuffers(std::size_t payloadBytes)
        : capacity_(static_cast<std::uint32_t>(payloadBytes / kBytesPerListed)),
          bitmap_((payloadBytes + 63) / 64),
          blockOffsets_(payloadBytes / kCompactionBlockBytes + 1),
          cuts_(capacity_),
          count_(1) {}

    std::uint64_t* bitmap() const { return bitmap_.get(); }
    CandidateList list() const { return {cuts_.get(), count_.get(), blockOffsets_.get(), capacity_}; }
    /// Once the scan is over. Fetches the bitmap where the list was too short.
    Candidates found(std::size_t payloadBytes, cudaStream_t stream);
    MemoryUse memory() const;

  private:
    /// A list of more candidates than one in so many bytes is no better than the bitmap.
    static constexpr std::size_t kBytesPerListed = 256;

    std::uint32_t capacity_;
    DeviceMemory<std::uint64_t> bitmap_;
    DeviceMemory<std::uint32_t> blockOffsets_;
    PinnedMemory<std::uint32_t> cuts_;
    PinnedMemory<std::uint32_t> count_;
    std::optional<PinnedMemory<std::uint64_t>> hostBitmap_;  // only floods of candidates need it
};

/// Messages on their way to be digested, and the digests on their way back.
class DigestBuffers {
  public:
    explicit DigestBuffers(std::size_t maxMessages);

    /// Clears the list.
    void begin();
    /// The next message: so many bytes from base + begin.
    void add(std::int64_t begin, std::uint32_t length);
    /// Starts the digests of the list, and their way back.
    void start(const std::uint8_t* base, DigestAlgorithm algorithm, cudaStream_t stream);
    /// Of message i, once the stream is there.
    const std::uint8_t* digest(std::size_t i) const { return hostDigests_.get()[i]; }
    MemoryUse memory() const;

  private:
    MessageList list() const;

    PinnedMemory<Message> hostMessages_;
    PinnedMemory<std::uint8_t[SHREDDER_DIGEST_BYTES]> hostDigests_;
    DeviceMemory<Message> messages_;
    DeviceMemory<std::uint32_t> order_;
    DeviceMemory<std::uint32_t> classOffsets_;
    DeviceMemory<std::uint8_t[SHREDDER_DIGEST_BYTES]> digests_;
    std::optional<DeviceMemory<std::uint32_t[8]>> leafValues_;  // only BLAKE3 needs them; grows
    std::uint32_t count_ = 0;
    std::uint32_t leaves_ = 0;
    std::uint32_t maxLength_ = 0;
};

/// One job's place on a GPU: a CUDA stream of its own, so that one buffer's copy runs beside other buffers'
/// kernels.
class CudaWorkspace final : public Workspace {
  public:
    explicit CudaWorkspace(const BufferGeometry& geometry);

    MemoryUse memory() const override;

    CudaStream stream;
    CudaEvent reached;  ///< what was enqueued last
    DevicePayload data;
    CandidateBuffers candidates;
    DigestBuffers digests;
};

}  // namespace shredder
