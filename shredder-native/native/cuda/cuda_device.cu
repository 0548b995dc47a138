// SPDX-License-Identifier: Apache-2.0
//
// A GPU as a device. Each slot has a CUDA stream of its own, so that one buffer's copy runs beside other
// buffers' kernels. Only selection depends on the buffer before: an event chains the selections of a stream,
// and the compacted candidates and the tail, which belong to the lane, are used between two links of that
// chain.
//
//   slot k:    copy  scan ----wait--> place tail  compact  select  keep tail --event-> digests  records back
//   slot k+1:        copy  scan -------------------------------------wait--> place tail  ...
#include <atomic>
#include <cstring>
#include <vector>

#include "cuda/cuda_device.h"
#include "cuda/cuda_resources.h"
#include "cuda/kernels.h"

namespace shredder {
namespace {

/// Aligned loads of the digest kernel may reach this far beyond the payload.
constexpr std::size_t kReadAheadBytes = 64;

class CudaSlot final : public Slot {
  public:
    explicit CudaSlot(const SlotGeometry& geometry)
        : Slot(geometry),
          hostData_(geometry.carryBytes + geometry.payloadBytes),
          hostRecords_(geometry.maxRecords),
          hostSummary_(1),
          deviceData_(geometry.carryBytes + geometry.payloadBytes + kReadAheadBytes),
          deviceBitmap_(geometry.payloadBytes / 64),
          deviceRecords_(geometry.maxRecords),
          deviceSummary_(1) {}

    std::uint8_t* payload() override { return hostData_.get() + geometry().carryBytes; }
    shredder_record* records() override { return hostRecords_.get(); }

    std::uint8_t* devicePayload() const { return deviceData_.get() + geometry().carryBytes; }
    std::uint64_t* deviceBitmap() const { return deviceBitmap_.get(); }
    shredder_record* deviceRecords() const { return deviceRecords_.get(); }
    SelectionSummary* deviceSummary() const { return deviceSummary_.get(); }
    SelectionSummary& hostSummary() const { return *hostSummary_.get(); }
    cudaStream_t stream() const { return stream_.view(); }
    const CudaEvent& selected() const { return selected_; }
    void synchronize() const { stream_.synchronize(); }

  private:
    PinnedMemory<std::uint8_t> hostData_;
    PinnedMemory<shredder_record> hostRecords_;
    PinnedMemory<SelectionSummary> hostSummary_;
    DeviceMemory<std::uint8_t> deviceData_;
    DeviceMemory<std::uint64_t> deviceBitmap_;
    DeviceMemory<shredder_record> deviceRecords_;
    DeviceMemory<SelectionSummary> deviceSummary_;
    CudaStream stream_;
    CudaEvent selected_;
};

class CudaDevice final : public Device {
  public:
    explicit CudaDevice(int ordinal) : ordinal_(ordinal) {}

    std::unique_ptr<Slot> createSlot(const SlotGeometry& geometry) override {
        return std::make_unique<CudaSlot>(geometry);
    }
    std::unique_ptr<Lane> createLane(const StreamPlan& plan) override;
    void digestBatch(const std::uint8_t* data, const std::uint64_t* offsets, const std::uint32_t* lengths,
                     std::size_t count, std::uint8_t* digests) override {
        digestBatchOnDevice(data, offsets, lengths, count, digests);
    }
    void attachThread() override { checkCuda(cudaSetDevice(ordinal_), "cudaSetDevice"); }
    std::uint64_t bytesScanned() const override { return bytesScanned_; }

    void countScanned(std::size_t bytes) { bytesScanned_ += bytes; }

  private:
    int ordinal_;
    std::atomic<std::uint64_t> bytesScanned_{0};
};

class CudaLane final : public Lane {
  public:
    CudaLane(CudaDevice& device, const StreamPlan& plan)
        : device_(device),
          plan_(plan),
          spec_(1),
          state_(1),
          tail_(plan.rules.maxBytes),
          candidateCuts_(plan.geometry.payloadBytes),
          blockOffsets_(plan.geometry.payloadBytes / kCompactionBlockBytes + 1),
          candidateCount_(1) {
        hostTail_.reserve(plan.rules.maxBytes);
        CutState start;
        CudaStream setup;
        checkCuda(
            cudaMemcpyAsync(spec_.get(), &plan_.scan, sizeof(ScanSpec), cudaMemcpyHostToDevice, setup.view()),
            "copy of the scan's tables");
        checkCuda(cudaMemcpyAsync(state_.get(), &start, sizeof start, cudaMemcpyHostToDevice, setup.view()),
                  "copy of the first state");
        setup.synchronize();
    }

    void transfer(Job& job) override {
        auto& slot = static_cast<CudaSlot&>(*job.slot);
        checkCuda(cudaMemcpyAsync(slot.devicePayload() - kWindowBytes, slot.payload() - kWindowBytes,
                                  kWindowBytes + job.payloadBytes, cudaMemcpyHostToDevice, slot.stream()),
                  "copy to the device");
    }

    void kernel(Job& job) override {
        auto& slot = static_cast<CudaSlot&>(*job.slot);
        DeviceBuffer buffer{slot.devicePayload(), job.payloadBytes, job.streamOffset, job.last};
        enqueueScan(plan_.scan, spec_.get(), buffer, slot.deviceBitmap(), slot.stream());
        device_.countScanned(job.payloadBytes);
        enqueueCuts(buffer, slot);
        if (plan_.computeDigests) {
            enqueueDigests(buffer.payload, buffer.streamOffset, slot.deviceRecords(), slot.deviceSummary(),
                           slot.geometry().maxRecords, slot.stream());
        }
    }

    void store(Job& job) override {
        auto& slot = static_cast<CudaSlot&>(*job.slot);
        slot.selected().synchronize();
        job.recordCount = slot.hostSummary().recordCount;
        checkCuda(
            cudaMemcpyAsync(slot.records(), slot.deviceRecords(), job.recordCount * sizeof(shredder_record),
                            cudaMemcpyDeviceToHost, slot.stream()),
            "copy of the records");
        slot.synchronize();
        carryHostTail(job, slot);
    }

    void abandon(Job& job) noexcept override {
        auto& slot = static_cast<CudaSlot&>(*job.slot);
        logCuda(cudaStreamSynchronize(slot.stream()), "abandoned buffer");
    }

  private:
    /// What depends on the buffer before: between the event of its selection and that of this one.
    void enqueueCuts(const DeviceBuffer& buffer, CudaSlot& slot) {
        cudaStream_t stream = slot.stream();
        if (previousSelected_ != nullptr) {
            checkCuda(cudaStreamWaitEvent(stream, previousSelected_->view()), "cudaStreamWaitEvent");
        }
        CandidateList candidates{candidateCuts_.get(), blockOffsets_.get(), candidateCount_.get()};
        enqueuePlaceTail(buffer, state_.get(), tail_.get(), plan_.rules.maxBytes, stream);
        enqueueCompaction(spec_.get(), plan_.rules.hasSegments, buffer, slot.deviceBitmap(), candidates,
                          stream);
        enqueueSelection(plan_.rules, buffer, candidates, state_.get(), slot.deviceRecords(),
                         slot.deviceSummary(), stream);
        enqueueKeepTail(buffer, state_.get(), tail_.get(), plan_.rules.maxBytes, stream);
        checkCuda(cudaMemcpyAsync(&slot.hostSummary(), slot.deviceSummary(), sizeof(SelectionSummary),
                                  cudaMemcpyDeviceToHost, stream),
                  "copy of the summary");
        slot.selected().record(stream);
        previousSelected_ = &slot.selected();
    }

    /// The host's copy of the data gets the unfinished chunk in front as well, so that chunks are contiguous
    /// there.
    void carryHostTail(const Job& job, CudaSlot& slot) {
        std::memcpy(slot.payload() - hostTail_.size(), hostTail_.data(), hostTail_.size());
        const std::uint8_t* end = slot.payload() + job.payloadBytes;
        hostTail_.assign(end - (job.streamOffset + job.payloadBytes - slot.hostSummary().lastCut), end);
    }

    CudaDevice& device_;
    StreamPlan plan_;
    DeviceMemory<ScanSpec> spec_;
    DeviceMemory<CutState> state_;
    DeviceMemory<std::uint8_t> tail_;
    DeviceMemory<std::uint32_t> candidateCuts_;
    DeviceMemory<std::uint32_t> blockOffsets_;
    DeviceMemory<std::uint32_t> candidateCount_;
    std::vector<std::uint8_t> hostTail_;           // store thread only
    const CudaEvent* previousSelected_ = nullptr;  // launch thread only
};

std::unique_ptr<Lane> CudaDevice::createLane(const StreamPlan& plan) {
    return std::make_unique<CudaLane>(*this, plan);
}

}  // namespace

std::unique_ptr<Device> openCudaDevice(int ordinal) {
    return std::make_unique<CudaDevice>(ordinal);
}

}  // namespace shredder
