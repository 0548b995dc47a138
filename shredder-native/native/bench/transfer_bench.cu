// SPDX-License-Identifier: Apache-2.0
//
// The limit that figures of the CUDA backend are held against: pinned host memory to device 0, in pieces of
// the engine's default buffer.
#include <cstdio>
#include <exception>

#include "cuda/cuda_resources.h"

namespace {

constexpr std::size_t kPieceBytes = 32ULL << 20;
constexpr int kPieces = 8;
constexpr int kRounds = 32;

void measure() {
    shredder::PinnedMemory<unsigned char> host(kPieces * kPieceBytes);
    shredder::DeviceMemory<unsigned char> device(kPieces * kPieceBytes);
    shredder::CudaStream stream;
    cudaEvent_t begin = nullptr;
    cudaEvent_t end = nullptr;
    shredder::checkCuda(cudaEventCreate(&begin), "cudaEventCreate");
    shredder::checkCuda(cudaEventCreate(&end), "cudaEventCreate");
    for (int round = -1; round < kRounds; round++) {
        if (round == 0) shredder::checkCuda(cudaEventRecord(begin, stream.view()), "cudaEventRecord");
        for (int piece = 0; piece < kPieces; piece++) {
            shredder::checkCuda(
                cudaMemcpyAsync(device.get() + piece * kPieceBytes, host.get() + piece * kPieceBytes,
                                kPieceBytes, cudaMemcpyHostToDevice, stream.view()),
                "cudaMemcpyAsync");
        }
    }
    shredder::checkCuda(cudaEventRecord(end, stream.view()), "cudaEventRecord");
    stream.synchronize();
    float milliseconds = 0;
    shredder::checkCuda(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
    std::printf("pinned host to device, pieces of 32 MiB: %.1f GB/s\n",
                static_cast<double>(kRounds) * kPieces * kPieceBytes / milliseconds / 1e6);
}

}  // namespace

int main() {
    try {
        measure();
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "shredder_transfer: %s\n", error.what());
        return 2;
    }
}
