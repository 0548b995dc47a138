// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "cuda/cuda_check.h"

namespace shredder {

// Owners. Views are plain pointers and cudaStream_t. Destructors log and never throw.

/// Device memory for `count` values. Allocation synchronises the device.
template <typename T>
class DeviceMemory {
  public:
    explicit DeviceMemory(std::size_t count) : count_(count) {
        checkCuda(cudaMalloc(&memory_, bytes()), "cudaMalloc");
    }
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;
    ~DeviceMemory() { logCuda(cudaFree(memory_), "cudaFree"); }

    T* get() const { return memory_; }
    std::size_t count() const { return count_; }
    std::size_t bytes() const { return count_ * sizeof(T); }

  private:
    std::size_t count_;
    T* memory_ = nullptr;
};

/// Page-locked host memory that every device can copy at full speed, and read and write in kernels.
template <typename T>
class PinnedMemory {
  public:
    explicit PinnedMemory(std::size_t count) : count_(count) {
        checkCuda(cudaHostAlloc(&memory_, bytes(), cudaHostAllocPortable | cudaHostAllocMapped),
                  "cudaHostAlloc");
    }
    PinnedMemory(const PinnedMemory&) = delete;
    PinnedMemory& operator=(const PinnedMemory&) = delete;
    ~PinnedMemory() { logCuda(cudaFreeHost(memory_), "cudaFreeHost"); }

    T* get() const { return memory_; }
    std::size_t bytes() const { return count_ * sizeof(T); }

  private:
    std::size_t count_;
    T* memory_ = nullptr;
};

/// A CUDA stream that does not wait for the legacy stream.
class CudaStream {
  public:
    CudaStream() {
        checkCuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
    }
    CudaStream(const CudaStream&) = delete;
    CudaStream& operator=(const CudaStream&) = delete;
    ~CudaStream() { logCuda(cudaStreamDestroy(stream_), "cudaStreamDestroy"); }

    cudaStream_t view() const { return stream_; }
    void synchronize() const { checkCuda(cudaStreamSynchronize(stream_), "cudaStreamSynchronize"); }

  private:
    cudaStream_t stream_ = nullptr;
};

/// An event without timing; who waits for it sleeps.
class CudaEvent {
  public:
    CudaEvent() {
        checkCuda(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming | cudaEventBlockingSync),
                  "cudaEventCreate");
    }
    CudaEvent(const CudaEvent&) = delete;
    CudaEvent& operator=(const CudaEvent&) = delete;
    ~CudaEvent() { logCuda(cudaEventDestroy(event_), "cudaEventDestroy"); }

    cudaEvent_t view() const { return event_; }
    void record(cudaStream_t stream) const { checkCuda(cudaEventRecord(event_, stream), "cudaEventRecord"); }
    void synchronize() const { checkCuda(cudaEventSynchronize(event_), "cudaEventSynchronize"); }

  private:
    cudaEvent_t event_ = nullptr;
};

}  // namespace shredder
