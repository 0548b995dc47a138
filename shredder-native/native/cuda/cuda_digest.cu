// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "cuda/cuda_device.h"
#include "cuda/cuda_workspace.h"

namespace shredder {
namespace {

/// Pieces that go to the device together, unless one alone is larger.
constexpr std::size_t kGroupBytes = 256ULL << 20;

/// Packs pieces begin .. end back to back on the device, digests them there, brings the digests back.
void digestGroup(const std::uint8_t* data, const std::uint64_t* offsets, const std::uint32_t* lengths,
                 std::size_t begin, std::size_t end, DigestAlgorithm algorithm, std::uint8_t* digests) {
    std::size_t bytes = 0;
    DigestBuffers buffers(end - begin);
    for (std::size_t i = begin; i < end; i++) {
        buffers.add(static_cast<std::int64_t>(bytes), lengths[i]);
        bytes += lengths[i];
    }
    CudaStream stream;
    DeviceMemory<std::uint8_t> packed(bytes + kReadAheadBytes);
    std::size_t at = 0;
    for (std::size_t i = begin; i < end; i++) {
        checkCuda(cudaMemcpyAsync(packed.get() + at, data + offsets[i], lengths[i], cudaMemcpyDefault,
                                  stream.view()),
                  "copy of a piece to digest");
        at += lengths[i];
    }
    buffers.start(packed.get(), algorithm, stream.view());
    stream.synchronize();
    for (std::size_t i = begin; i < end; i++) {
        std::memcpy(digests + SHREDDER_DIGEST_BYTES * i, buffers.digest(i - begin), SHREDDER_DIGEST_BYTES);
    }
}

}  // namespace

void digestBatchOnDevice(const std::uint8_t* data, const std::uint64_t* offsets, const std::uint32_t* lengths,
                         std::size_t count, DigestAlgorithm algorithm, std::uint8_t* digests) {
    for (std::size_t begin = 0; begin < count;) {
        std::size_t end = begin + 1;
        for (std::size_t bytes = lengths[begin]; end < count && bytes + lengths[end] <= kGroupBytes; end++) {
            bytes += lengths[end];
        }
        digestGroup(data, offsets, lengths, begin, end, algorithm, digests);
        begin = end;
    }
}

}  // namespace shredder
