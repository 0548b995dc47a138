// SPDX-License-Identifier: Apache-2.0
#include "cuda/cuda_workspace.h"

#include <algorithm>

#include "chunk/blake3_compress.h"

namespace shredder {

Candidates CandidateBuffers::found(std::size_t payloadBytes, cudaStream_t stream) {
    std::uint32_t count = *count_.get();
    if (count <= capacity_)
        return {.list = cuts_.get(), .count = count, .bitmap = nullptr, .strengthListed = true};
    if (!hostBitmap_) hostBitmap_.emplace(bitmap_.count());
    checkCuda(
        cudaMemcpyAsync(hostBitmap_->get(), bitmap_.get(), (payloadBytes + 63) / 64 * sizeof(std::uint64_t),
                        cudaMemcpyDeviceToHost, stream),
        "copy of the bitmap");
    checkCuda(cudaStreamSynchronize(stream), "copy of the bitmap");
    return {.list = nullptr, .count = 0, .bitmap = hostBitmap_->get()};
}

MemoryUse CandidateBuffers::memory() const {
    std::size_t pinned = cuts_.bytes() + count_.bytes() + (hostBitmap_ ? hostBitmap_->bytes() : 0);
    return {
        .hostBytes = pinned, .pinnedBytes = pinned, .deviceBytes = bitmap_.bytes() + blockOffsets_.bytes()};
}

DigestBuffers::DigestBuffers(std::size_t maxMessages)
    : hostMessages_(maxMessages),
      hostDigests_(maxMessages),
      messages_(maxMessages),
      order_(maxMessages),
      classOffsets_(kLengthClasses),
      digests_(maxMessages) {}

void DigestBuffers::begin() {
    count_ = 0;
    leaves_ = 0;
    maxLength_ = 0;
}

void DigestBuffers::add(std::int64_t begin, std::uint32_t length) {
    hostMessages_.get()[count_++] = {begin, length, leaves_};
    leaves_ += length == 0 ? 1 : (length - 1) / kBlake3LeafBytes + 1;
    maxLength_ = std::max(maxLength_, length);
}

MessageList DigestBuffers::list() const {
    return {messages_.get(), order_.get(), classOffsets_.get(), count_, maxLength_};
}

void DigestBuffers::start(const std::uint8_t* base, DigestAlgorithm algorithm, cudaStream_t stream) {
    if (count_ == 0) return;
    enqueueFetch(messages_.get(), hostMessages_.get(), count_ * sizeof(Message), stream);
    if (algorithm == DigestAlgorithm::Blake3) {
        if (!leafValues_ || leafValues_->count() < leaves_) {
            leafValues_.reset();
            leafValues_.emplace(leaves_ + leaves_ / 4);
        }
        enqueueBlake3(base, list(), leaves_, leafValues_->get(), digests_.get(), stream);
    } else {
        enqueueOrder(list(), stream);
        enqueueSha256(base, list(), digests_.get(), stream);
    }
    checkCuda(cudaMemcpyAsync(hostDigests_.get(), digests_.get(), count_ * sizeof *digests_.get(),
                              cudaMemcpyDeviceToHost, stream),
              "copy of the digests");
}

MemoryUse DigestBuffers::memory() const {
    std::size_t pinned = hostMessages_.bytes() + hostDigests_.bytes();
    std::size_t device = messages_.bytes() + order_.bytes() + classOffsets_.bytes() + digests_.bytes() +
                         (leafValues_ ? leafValues_->bytes() : 0);
    return {.hostBytes = pinned, .pinnedBytes = pinned, .deviceBytes = device};
}

CudaWorkspace::CudaWorkspace(const BufferGeometry& geometry)
    : Workspace(geometry), data(geometry), candidates(geometry.payloadBytes), digests(geometry.maxRecords) {}

MemoryUse CudaWorkspace::memory() const {
    MemoryUse a = candidates.memory();
    MemoryUse b = digests.memory();
    std::size_t pinned = a.pinnedBytes + b.pinnedBytes;
    return {.hostBytes = pinned,
            .pinnedBytes = pinned,
            .deviceBytes = a.deviceBytes + b.deviceBytes + data.bytes()};
}

}  // namespace shredder
