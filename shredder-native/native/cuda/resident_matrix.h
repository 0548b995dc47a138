// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "coding/matrix.h"
#include "cuda/coding_kernels.h"
#include "cuda/cuda_resources.h"

namespace shredder {

/// A kernel that the driver has compiled.
class CompiledProgram {
  public:
    /// For the current device. Throws Error if the driver can't compile it.
    ///
    /// @param sharedBytes of shared memory that its launches will ask for
    CompiledProgram(const std::string& ptx, const char* name, int sharedBytes);
    CompiledProgram(const CompiledProgram&) = delete;
    CompiledProgram& operator=(const CompiledProgram&) = delete;
    ~CompiledProgram() { logCuda(cudaLibraryUnload(library_), "cudaLibraryUnload"); }

    void launch(std::size_t blocks, unsigned threads, void** parameters, cudaStream_t stream) const;

  private:
    const char* name_;
    int sharedBytes_;
    cudaLibrary_t library_ = nullptr;
    cudaKernel_t kernel_ = nullptr;
};

/// A matrix that the device which is current where it is made multiplies by, for shards in that device's
/// memory. Immutable.
class ResidentMatrix {
  public:
    /// Has the driver compile a program for a small matrix, which takes it less than 0.1 s.
    explicit ResidentMatrix(const coding::Matrix& matrix);
    /// The rows of a code's parity. Has the driver compile the code's transform if there is one, which takes
    /// it about a second.
    explicit ResidentMatrix(const coding::Code& code);

    /// outputs[i][b] is the sum over j of element(i, j) * inputs[j][b], for b < bytes. Only enqueues. Any
    /// alignment; quick if all pointers are multiples of 16.
    void enqueue(const std::uint8_t* const* inputs, std::uint8_t* const* outputs, std::size_t bytes,
                 cudaStream_t stream) const;

    /// Whether the driver compiled something for this matrix.
    bool hasProgram() const { return program_ != nullptr || transform_ != nullptr; }

  private:
    std::size_t runProgram(const ShardPointers& shards, std::size_t bytes, cudaStream_t stream) const;

    std::size_t rows_;
    std::size_t columns_;
    DeviceMemory<ProductTables> tables_;
    // One of them, or none.
    std::unique_ptr<CompiledProgram> program_;
    std::unique_ptr<CompiledProgram> transform_;
};

}  // namespace shredder
