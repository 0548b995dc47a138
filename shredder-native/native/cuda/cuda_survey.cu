// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cstdio>
#include <string>

#include "cuda/cuda_backend.h"
#include "cuda/cuda_check.h"
#include "cuda/cuda_coder.h"
#include "cuda/cuda_device.h"
#include "pipeline/error.h"

namespace shredder {
namespace {

/// Kernels are compiled for compute capability 8.0 and up.
constexpr int kLowestMajor = 8;

shredder_status statusOf(cudaError_t result) {
    switch (result) {
        case cudaErrorMemoryAllocation:
            return SHREDDER_OUT_OF_MEMORY;
        case cudaErrorNoDevice:
        case cudaErrorInsufficientDriver:
        case cudaErrorInvalidDevice:
        case cudaErrorNoKernelImageForDevice:
            return SHREDDER_UNAVAILABLE;
        // These stay with the process's context: every later call fails as well.
        case cudaErrorIllegalAddress:
        case cudaErrorLaunchFailure:
        case cudaErrorLaunchTimeout:
        case cudaErrorMisalignedAddress:
        case cudaErrorIllegalInstruction:
        case cudaErrorAssert:
        case cudaErrorECCUncorrectable:
        case cudaErrorHardwareStackError:
            return SHREDDER_DEVICE_LOST;
        default:
            return SHREDDER_DEVICE_ERROR;
    }
}

struct Usable {
    std::vector<int> ordinals;
    std::string detail;
};

Usable usableDevices() {
    int count = 0;
    cudaError_t result = cudaGetDeviceCount(&count);
    if (result != cudaSuccess) {
        cudaGetLastError();  // it is a value from here on
        bool noDriver = result == cudaErrorInsufficientDriver;
        return {{}, noDriver ? "no NVIDIA driver that serves CUDA 13" : cudaGetErrorString(result)};
    }
    Usable usable;
    for (int ordinal = 0; ordinal < count; ordinal++) {
        cudaDeviceProp properties{};
        checkCuda(cudaGetDeviceProperties(&properties, ordinal), "cudaGetDeviceProperties");
        usable.detail += (ordinal == 0 ? "" : ", ") + std::to_string(ordinal) + ": " + properties.name + " " +
                         std::to_string(properties.totalGlobalMem >> 20) + " MiB";
        if (properties.major >= kLowestMajor) {
            usable.ordinals.push_back(ordinal);
        } else {
            usable.detail +=
                " (too old: compute capability " + std::to_string(properties.major) + ", needs 8)";
        }
    }
    return usable;
}

std::vector<int> selected(const DeviceSelection& selection) {
    std::vector<int> ordinals;
    Usable usable = usableDevices();
    for (int ordinal : usable.ordinals) {
        bool enough = selection.count != 0 && ordinals.size() == selection.count;
        if (enough || (selection.ordinal != -1 && selection.ordinal != ordinal)) continue;
        ordinals.push_back(ordinal);
    }
    if (ordinals.empty()) {
        throw Error(SHREDDER_UNAVAILABLE, "CUDA device " + std::to_string(selection.ordinal) +
                                              " is not there; there are: " + usable.detail);
    }
    return ordinals;
}

}  // namespace

void checkCuda(cudaError_t result, const char* what) {
    if (result == cudaSuccess) return;
    cudaGetLastError();  // else the next launch of this thread, which asks for it, would seem to have failed
    throw Error(statusOf(result), std::string(what) + ": " + cudaGetErrorString(result));
}

void logCuda(cudaError_t result, const char* what) noexcept {
    if (result == cudaSuccess) return;
    cudaGetLastError();
    // All that a lost device had says the same.
    static std::atomic_flag told;
    if (!told.test_and_set()) std::fprintf(stderr, "shredder: %s: %s\n", what, cudaGetErrorString(result));
}

CudaSurvey surveyCuda() {
    Usable usable = usableDevices();
    return {static_cast<int>(usable.ordinals.size()), usable.detail};
}

std::vector<std::unique_ptr<Device>> openCudaDevices(const DeviceSelection& selection) {
    std::vector<std::unique_ptr<Device>> devices;
    for (int ordinal : selected(selection)) {
        devices.push_back(openCudaDevice(ordinal, selection.naiveScan));
    }
    return devices;
}

std::vector<std::unique_ptr<coding::CodingDevice>> openCudaCodingDevices(const DeviceSelection& selection) {
    std::vector<std::unique_ptr<coding::CodingDevice>> devices;
    for (int ordinal : selected(selection)) {
        devices.push_back(openCudaCodingDevice(ordinal));
    }
    return devices;
}

}  // namespace shredder
