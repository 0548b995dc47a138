// SPDX-License-Identifier: Apache-2.0
//
// What the coder does on the first GPU. One JSON object a line; rates are of data, parity not counted.
//
//   shredder_coding_gpu [resident | link]      both if nothing is said
//
// coding-copy       device memory copied: 10^9 bytes read and written a second, the limit of what is resident
// coding-resident   encoding of shards in device memory, 6 GB of them in all
// coding-h2d        page-locked memory to the device, the limit of the link
// coding-h2d-d2h    as much as coding-link moves, both ways at once, in two plain copies: the limit of that
// code coding-link       encoding of shards in page-locked memory, parity back there
#include <cuda_runtime.h>

#include <cstdio>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "coding/code.h"
#include "cuda/cuda_coder.h"
#include "cuda/cuda_resources.h"
#include "cuda/resident_matrix.h"
#include "measure/clocks.h"
#include "measure/json_line.h"

namespace {

using namespace shredder;
using coding::Code;
using tools::JsonLine;

constexpr std::size_t kResidentBytes = 6ULL << 30;
constexpr std::size_t kLinkBytes = 3ULL << 30;
constexpr int kRuns = 9;
constexpr Code kCodes[] = {{SHREDDER_CODE_RS, 6, 3},
                           {SHREDDER_CODE_RS, 10, 4},
                           {SHREDDER_CODE_RS, 17, 3},
                           {SHREDDER_CODE_RS, 64, 128},
                           {SHREDDER_CODE_RS, 192, 64}};

__global__ void fillRandom(std::uint64_t* words, std::size_t count) {
    std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
         i += step) {
        std::uint64_t z = (i + 1) * 0x9E3779B97F4A7C15ULL;  // splitmix64
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        words[i] = z ^ (z >> 31);
    }
}

void fill(std::uint8_t* memory, std::size_t bytes) {
    fillRandom<<<4096, 256>>>(reinterpret_cast<std::uint64_t*>(memory), bytes / 8);
    checkLaunch("fillRandom");
    checkCuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

/// Median of the runs, after two that don't count.
double secondsOf(const std::function<void()>& run) {
    std::vector<double> seconds;
    for (int i = -2; i < kRuns; i++) {
        double begin = tools::wallSeconds();
        run();
        checkCuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        if (i >= 0) seconds.push_back(tools::wallSeconds() - begin);
    }
    return tools::median(seconds);
}

void print(const char* name, const std::string& code, std::size_t bytes, double seconds) {
    JsonLine()
        .text("name", std::string(name) + (code.empty() ? "" : "/" + code))
        .count("bytes", bytes)
        .number("seconds", seconds)
        .number("gbPerSecond", static_cast<double>(bytes) / seconds / 1e9)
        .print();
}

std::string nameOf(const Code& code) {
    return std::to_string(code.data) + "+" + std::to_string(code.parity);
}

/// Shards back to back, as many bytes as the memory has room for.
std::vector<std::uint8_t*> shardsIn(std::uint8_t* memory, std::size_t bytes, const Code& code) {
    std::size_t each = bytes / code.shards() / 4096 * 4096;
    std::vector<std::uint8_t*> shards;
    for (std::size_t i = 0; i < code.shards(); i++) {
        shards.push_back(memory + i * each);
    }
    return shards;
}

void measureResident() {
    DeviceMemory<std::uint8_t> memory(kResidentBytes);
    fill(memory.get(), kResidentBytes);
    std::size_t half = kResidentBytes / 2;
    double seconds = secondsOf([&] {
        checkCuda(cudaMemcpyAsync(memory.get() + half, memory.get(), half, cudaMemcpyDeviceToDevice), "copy");
    });
    print("coding-copy", "", kResidentBytes, seconds);
    CudaStream stream;
    for (const Code& code : kCodes) {
        std::vector<std::uint8_t*> shards = shardsIn(memory.get(), kResidentBytes, code);
        auto bytes = static_cast<std::size_t>(shards[1] - shards[0]);
        ResidentMatrix matrix(code);
        seconds = secondsOf([&] {
            matrix.enqueue(shards.data(), shards.data() + code.data, bytes, stream.view());
            stream.synchronize();
        });
        print("coding-resident", nameOf(code), bytes * code.data, seconds);
    }
}

void measureCopies(std::uint8_t* memory) {
    DeviceMemory<std::uint8_t> target(kLinkBytes);
    CudaStream up;
    CudaStream down;
    auto copyUp = [&](std::size_t bytes) {
        checkCuda(cudaMemcpyAsync(target.get(), memory, bytes, cudaMemcpyHostToDevice, up.view()), "copy");
    };
    print("coding-h2d", "", kLinkBytes, secondsOf([&] { copyUp(kLinkBytes); }));
    for (const Code& code : kCodes) {
        std::size_t each = kLinkBytes / code.shards() / 4096 * 4096;
        std::size_t data = each * code.data;
        double seconds = secondsOf([&] {
            copyUp(data);
            checkCuda(cudaMemcpyAsync(memory + data, target.get() + data, each * code.parity,
                                      cudaMemcpyDeviceToHost, down.view()),
                      "copy");
        });
        print("coding-h2d-d2h", nameOf(code), data, seconds);
    }
}

void measureLink() {
    PinnedMemory<std::uint8_t> memory(kLinkBytes);
    fill(memory.get(), kLinkBytes);
    measureCopies(memory.get());
    auto device = openCudaCodingDevice(0);
    for (const Code& code : kCodes) {
        std::vector<std::uint8_t*> shards = shardsIn(memory.get(), kLinkBytes, code);
        auto bytes = static_cast<std::size_t>(shards[1] - shards[0]);
        coding::Matrix rows = coding::parityRows(code);
        double seconds =
            secondsOf([&] { device->apply(rows, shards.data(), shards.data() + code.data, 0, bytes); });
        print("coding-link", nameOf(code), bytes * code.data, seconds);
    }
}

void run(const std::string& part) {
    if (part != "" && part != "resident" && part != "link") {
        throw std::invalid_argument("unknown part " + part + ": use resident or link");
    }
    checkCuda(cudaSetDevice(0), "cudaSetDevice");
    if (part != "link") measureResident();
    if (part != "resident") measureLink();
}

}  // namespace

int main(int argc, char** argv) {
    try {
        run(argc > 1 ? argv[1] : "");
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "shredder_coding_gpu: %s\n", error.what());
        return 2;
    }
}
