// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <utility>

#include "cuda/cuda_check.h"

namespace shredder {

// Owners. Move-only; views are plain pointers and cudaStream_t. Destructors log and never throw.

/// Device memory for `count` values. Allocation synchronises the device.
template <typename T>
class DeviceMemory {
  public:
    explicit DeviceMemory(std::size_t count) {
        checkCuda(cudaMalloc(&memory_, count * sizeof(T)), "cudaMalloc");
    }
    DeviceMemory(DeviceMemory&& other) noexcept : memory_(std::exchange(other.memory_, nullptr)) {}
    DeviceMemory& operator=(DeviceMemory&&) = delete;
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;
    ~DeviceMemory() { logCuda(cudaFree(memory_), "cudaFree"); }

    T* get() const { return memory_; }

  private:
    T* memory_ = nullptr;
};

/// Page-locked host memory that every device can read at full speed.
template <typename T>
class PinnedMemory {
  public:
    explicit PinnedMemory(std::size_t count) {
        checkCuda(cudaHostAlloc(&memory_, count * sizeof(T), cudaHostAllocPortable), "cudaHostAlloc");
    }
    PinnedMemory(PinnedMemory&& other) noexcept : memory_(std::exchange(other.memory_, nullptr)) {}
    PinnedMemory& operator=(PinnedMemory&&) = delete;
    PinnedMemory(const PinnedMemory&) = delete;
    PinnedMemory& operator=(const PinnedMemory&) = delete;
    ~PinnedMemory() { logCuda(cudaFreeHost(memory_), "cudaFreeHost"); }

    T* get() const { return memory_; }

  private:
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

/// An event without timing.
class CudaEvent {
  public:
    CudaEvent() { checkCuda(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "cudaEventCreate"); }
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
