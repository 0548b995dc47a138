// SPDX-License-Identifier: Apache-2.0
#include "cuda/resident_matrix.h"

#include <algorithm>

#include "cuda/coding_program.h"
#include "cuda/transform_program.h"

namespace shredder {
namespace {

constexpr std::size_t kVectorBytes = 16;

}  // namespace

CompiledProgram::CompiledProgram(const std::string& ptx, const char* name, int sharedBytes)
    : name_(name), sharedBytes_(sharedBytes) {
    int device = 0;
    checkCuda(cudaGetDevice(&device), "cudaGetDevice");
    checkCuda(cudaLibraryLoadData(&library_, ptx.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0),
              "compilation of a coding program");
    cudaError_t result = cudaLibraryGetKernel(&kernel_, library_, name);
    if (result == cudaSuccess) {
        result = cudaKernelSetAttributeForDevice(kernel_, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                 sharedBytes, device);
    }
    if (result != cudaSuccess) logCuda(cudaLibraryUnload(library_), "cudaLibraryUnload");
    checkCuda(result, name);
}

void CompiledProgram::launch(std::size_t blocks, unsigned threads, void** parameters,
                             cudaStream_t stream) const {
    if (blocks == 0) return;
    checkCuda(cudaLaunchKernel(reinterpret_cast<const void*>(kernel_), dim3(static_cast<unsigned>(blocks)),
                               dim3(threads), parameters, static_cast<std::size_t>(sharedBytes_), stream),
              name_);
}

ResidentMatrix::ResidentMatrix(const coding::Matrix& matrix)
    : rows_(matrix.rows()), columns_(matrix.columns()), tables_(productTables(matrix).size()) {
    copyTables(productTables(matrix), tables_.get(), CudaStream().view());
    if (deservesProgram(matrix)) {
        program_ = std::make_unique<CompiledProgram>(codingProgram(matrix), kCodingProgramName, 0);
    }
}

ResidentMatrix::ResidentMatrix(const coding::Code& code) : ResidentMatrix(coding::parityRows(code)) {
    if (hasTransformProgram(code)) {
        transform_ = std::make_unique<CompiledProgram>(transformProgram(code), kTransformProgramName,
                                                       kTransformProgramSharedBytes);
    }
}

void ResidentMatrix::enqueue(const std::uint8_t* const* inputs, std::uint8_t* const* outputs,
                             std::size_t bytes, cudaStream_t stream) const {
    ShardPointers shards{};
    for (std::size_t i = 0; i < columns_; i++) {
        shards.at[i] = const_cast<std::uint8_t*>(inputs[i]);  // kernels don't write there
    }
    std::copy_n(outputs, rows_, shards.at + columns_);
    std::size_t done = areAligned(shards, columns_ + rows_) ? runProgram(shards, bytes, stream) : 0;
    std::for_each_n(shards.at, columns_ + rows_, [&](std::uint8_t*& shard) { shard += done; });
    enqueueProduct(tables_.get(), rows_, columns_, shards, bytes - done, stream);
}

/// Returns how many bytes, from the first on, the program computes: its last ones may be too few for it.
std::size_t ResidentMatrix::runProgram(const ShardPointers& shards, std::size_t bytes,
                                       cudaStream_t stream) const {
    ShardPointers pointers = shards;
    std::uint64_t vectors = bytes / kVectorBytes;
    void* parameters[] = {&pointers, &vectors};
    if (transform_) {
        transform_->launch(bytes / kTransformProgramBytes, kTransformProgramThreads, parameters, stream);
        return bytes / kTransformProgramBytes * kTransformProgramBytes;
    }
    if (!program_) return 0;
    std::size_t blocks = (vectors + kCodingProgramThreads - 1) / kCodingProgramThreads;
    program_->launch(blocks, kCodingProgramThreads, parameters, stream);
    return vectors * kVectorBytes;
}

}  // namespace shredder
