// SPDX-License-Identifier: Apache-2.0
//
// A GPU as a device. A job's work is enqueued on its workspace's CUDA stream in three parts:
//
//   scan         payload to the device                                               ---event--->
//   candidates   scan  compact                                                       ---event---> candidates
//   digest       messages to the device  order  digest  digests to the host          ---event--->
//   finish       meanwhile the CPU goes on with the carried bytes' digest: one long message is what a GPU's
//                threads are slow at
//
// The copy engine to the device is the limit, so nothing may hold it up. Only payloads use it: the small
// things go by kernels that read host memory. And no kernel is enqueued behind a copy that is under way: the
// host waits for the copy first, asleep. A device-side dependency between copy and kernel cost an H200 about
// 45 us of its copy engine each time, 7 % of a 32 MiB buffer.
#include <atomic>
#include <cstring>

#include "cpu/cpu_kernels.h"
#include "cuda/cuda_device.h"
#include "cuda/cuda_workspace.h"
#include "pipeline/carried_bytes.h"
#include "pipeline/plain_memory.h"

namespace shredder {
namespace {

class PageLockedMemory final : public HostMemory {
  public:
    explicit PageLockedMemory(std::size_t bytes) : memory_(bytes) {}

    std::uint8_t* data() override { return memory_.get(); }
    std::size_t size() const override { return memory_.bytes(); }
    bool pinned() const override { return true; }

  private:
    PinnedMemory<std::uint8_t> memory_;
};

CudaWorkspace& own(Workspace& workspace) {
    return static_cast<CudaWorkspace&>(workspace);
}

class CudaDevice final : public Device {
  public:
    CudaDevice(int ordinal, ScanForm form) : ordinal_(ordinal), form_(form) {}

    std::string name() const override { return "cuda:" + std::to_string(ordinal_); }
    bool isGpu() const override { return true; }

    std::unique_ptr<HostMemory> createHostMemory(std::size_t bytes, bool pinned) override {
        if (!pinned) return std::make_unique<PlainMemory>(bytes);
        use();
        return std::make_unique<PageLockedMemory>(bytes);
    }

    std::unique_ptr<Workspace> createWorkspace(const BufferGeometry& geometry) override {
        use();
        return std::make_unique<CudaWorkspace>(geometry);
    }

    void scan(const Job& job, Workspace& workspace) override {
        use();
        CudaWorkspace& place = own(workspace);
        checkCuda(
            cudaMemcpyAsync(place.data.payload() - kReadBehindBytes, job.payload - kReadBehindBytes,
                            kReadBehindBytes + job.payloadBytes, cudaMemcpyHostToDevice, place.stream.view()),
            "copy to the device");
        place.reached.record(place.stream.view());
    }

    Candidates candidates(const Job& job, Workspace& workspace) override {
        use();
        CudaWorkspace& place = own(workspace);
        cudaStream_t stream = place.stream.view();
        place.reached.synchronize();
        DeviceBuffer buffer{place.data.payload(), job.payloadBytes};
        enqueueScan(job.plan->scan, form_, buffer, place.candidates.bitmap(), stream);
        enqueueCompaction(job.plan->scan, job.plan->rules.hasSegments, buffer, place.candidates.bitmap(),
                          place.candidates.list(), stream);
        place.reached.record(stream);
        bytesScanned_ += job.payloadBytes;
        place.reached.synchronize();
        return place.candidates.found(job.payloadBytes, stream);
    }

    void digest(const Job& job, Workspace& workspace) override {
        use();
        CudaWorkspace& place = own(workspace);
        place.digests.begin();
        for (std::size_t i = job.firstInPayload(); i < job.recordCount; i++) {
            const shredder_record& record = job.records[i];
            place.digests.add(static_cast<std::int64_t>(record.offset - job.streamOffset), record.length);
        }
        place.digests.start(place.data.payload(), job.plan->digestAlgorithm, place.stream.view());
        place.reached.record(place.stream.view());
    }

    void finish(Job& job, Workspace& workspace) override {
        CudaWorkspace& place = own(workspace);
        digestCarried(job, bestCpuKernels().running);
        place.reached.synchronize();
        for (std::size_t i = job.firstInPayload(); i < job.recordCount; i++) {
            std::memcpy(job.records[i].digest, place.digests.digest(i - job.firstInPayload()),
                        SHREDDER_DIGEST_BYTES);
        }
    }

    void abandon(Workspace& workspace) noexcept override {
        logCuda(cudaStreamSynchronize(own(workspace).stream.view()), "abandoned buffer");
    }

    void digestBatch(const std::uint8_t* data, const std::uint64_t* offsets, const std::uint32_t* lengths,
                     std::size_t count, DigestAlgorithm algorithm, std::uint8_t* digests) override {
        use();
        digestBatchOnDevice(data, offsets, lengths, count, algorithm, digests);
    }

    std::uint64_t bytesScanned() const override { return bytesScanned_; }

  private:
    /// CUDA calls of this thread are for this device from now on.
    void use() const { checkCuda(cudaSetDevice(ordinal_), "cudaSetDevice"); }

    int ordinal_;
    ScanForm form_;
    std::atomic<std::uint64_t> bytesScanned_{0};
};

}  // namespace

std::unique_ptr<Device> openCudaDevice(int ordinal, bool naiveScan) {
    return std::make_unique<CudaDevice>(ordinal, naiveScan ? ScanForm::Naive : ScanForm::Fast);
}

}  // namespace shredder
