// SPDX-License-Identifier: Apache-2.0
//
// Runs a command while other processes load the first GPU, as other users of a machine do:
//
//   shredder_stress PROCESSES COMMAND [ARGUMENTS..]
//
// Each process has a context of its own, among which the driver divides the GPU's time, and keeps all of its
// multiprocessors busy with arithmetic and reads of memory, kernel after kernel, until the command has ended.
// The command begins when all of them have begun. Exit code: the command's; 2 if the load can't be made.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cuda/cuda_resources.h"
#include "measure/child_command.h"

namespace {

using shredder::checkCuda;
using shredder::DeviceMemory;
using shredder::tools::exitCodeOf;

constexpr std::size_t kWords = 64ULL << 20;
constexpr int kThreads = 256;
constexpr int kBlocksPerMultiprocessor = 8;
constexpr int kRoundsOfKernel = 20'000;  // some milliseconds
constexpr int kMostProcesses = 64;

/// Each thread multiplies and adds, and reads memory that no cache holds.
__global__ void load(const float* words, float* results) {
    std::size_t thread = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    float sum = 1;
    for (int round = 0; round < kRoundsOfKernel; round++) {
        sum = sum * 0.999F + words[(thread + static_cast<std::size_t>(round) * stride) % kWords];
    }
    results[thread] = sum;
}

/// In a process of its own: tells by a byte that it has begun, and goes on until it is killed.
[[noreturn]] void keepBusy(int begun) {
    // Else who waits takes a core, too.
    checkCuda(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync), "cudaSetDeviceFlags");
    cudaDeviceProp properties{};
    checkCuda(cudaGetDeviceProperties(&properties, 0), "properties of the GPU");
    int blocks = properties.multiProcessorCount * kBlocksPerMultiprocessor;
    DeviceMemory<float> words(kWords);
    DeviceMemory<float> results(static_cast<std::size_t>(blocks) * kThreads);
    checkCuda(cudaMemset(words.get(), 0, words.bytes()), "zeroing");
    for (bool told = false;; told = true) {
        load<<<blocks, kThreads>>>(words.get(), results.get());
        checkCuda(cudaGetLastError(), "launch of the load");
        checkCuda(cudaDeviceSynchronize(), "the load");
        if (!told && write(begun, "", 1) != 1) throw std::runtime_error("nobody hears of the load");
    }
}

pid_t startLoad(int begun) {
    pid_t child = fork();
    if (child != 0) return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    try {
        keepBusy(begun);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "shredder_stress: %s\n", error.what());
    }
    if (write(begun, "!", 1) != 1) _exit(3);  // Nobody is left to hear it.
    _exit(2);
}

int underLoad(int processes, char** command) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("no pipe");
    std::vector<pid_t> children;
    for (int i = 0; i < processes; i++) {
        children.push_back(startLoad(ends[1]));
    }
    close(ends[1]);
    char byte = 0;
    int begun = 0;
    while (begun < processes && read(ends[0], &byte, 1) == 1 && byte == 0) {
        begun++;
    }
    int code = begun == processes ? exitCodeOf(command) : 2;
    for (pid_t child : children) {
        if (child <= 0) continue;
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
    }
    return code;
}

}  // namespace

int main(int argc, char** argv) {
    int processes = argc > 1 ? std::atoi(argv[1]) : 0;
    if (argc < 3 || processes < 1 || processes > kMostProcesses) {
        std::fprintf(stderr, "usage: shredder_stress PROCESSES COMMAND [ARGUMENTS..], 1 to %d processes\n",
                     kMostProcesses);
        return 2;
    }
    try {
        return underLoad(processes, argv + 2);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "shredder_stress: %s\n", error.what());
        return 2;
    }
}
