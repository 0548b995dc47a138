// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <vector>

#include "cuda/cuda_device.h"
#include "cuda/cuda_resources.h"
#include "cuda/kernels.h"

namespace shredder {
namespace {

/// Pieces that go to the device together, unless one alone is larger.
constexpr std::size_t kGroupBytes = 256ULL << 20;
constexpr std::size_t kReadAheadBytes = 64;

/// Packs pieces begin .. end back to back on the device, digests them there, brings the digests back.
void digestGroup(const std::uint8_t* data, const std::uint64_t* offsets, const std::uint32_t* lengths,
                 std::size_t begin, std::size_t end, std::uint8_t* digests) {
    std::vector<shredder_record> records;
    std::uint64_t bytes = 0;
    for (std::size_t i = begin; i < end; i++) {
        records.push_back({bytes, lengths[i], 0, {}});
        bytes += lengths[i];
    }
    CudaStream stream;
    DeviceMemory<std::uint8_t> packed(bytes + kReadAheadBytes);
    DeviceMemory<shredder_record> deviceRecords(records.size());
    DeviceMemory<SelectionSummary> deviceSummary(1);
    SelectionSummary summary{records.size(), 0};
    auto copy = [&](void* to, const void* from, std::size_t size) {
        checkCuda(cudaMemcpyAsync(to, from, size, cudaMemcpyDefault, stream.view()), "cudaMemcpyAsync");
    };
    for (std::size_t i = begin; i < end; i++) {
        copy(packed.get() + records[i - begin].offset, data + offsets[i], lengths[i]);
    }
    copy(deviceRecords.get(), records.data(), records.size() * sizeof(shredder_record));
    copy(deviceSummary.get(), &summary, sizeof summary);
    enqueueDigests(packed.get(), 0, deviceRecords.get(), deviceSummary.get(), records.size(), stream.view());
    copy(records.data(), deviceRecords.get(), records.size() * sizeof(shredder_record));
    stream.synchronize();
    for (std::size_t i = begin; i < end; i++) {
        std::memcpy(digests + SHREDDER_DIGEST_BYTES * i, records[i - begin].digest, SHREDDER_DIGEST_BYTES);
    }
}

}  // namespace

void digestBatchOnDevice(const std::uint8_t* data, const std::uint64_t* offsets, const std::uint32_t* lengths,
                         std::size_t count, std::uint8_t* digests) {
    for (std::size_t begin = 0; begin < count;) {
        std::size_t end = begin + 1;
        for (std::size_t bytes = lengths[begin]; end < count && bytes + lengths[end] <= kGroupBytes; end++) {
            bytes += lengths[end];
        }
        digestGroup(data, offsets, lengths, begin, end, digests);
        begin = end;
    }
}

}  // namespace shredder
