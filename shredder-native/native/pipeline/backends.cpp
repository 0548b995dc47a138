// SPDX-License-Identifier: Apache-2.0
#include "pipeline/backends.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <thread>

#include "cpu/cpu_device.h"
#include "cpu/features.h"
#include "cuda/cuda_backend.h"
#include "pipeline/error.h"

namespace shredder {
namespace {

constexpr const char* kBackendVariable = "SHREDDER_BACKEND";

struct Name {
    const char* text;
    shredder_backend backend;
};
constexpr Name kNames[] = {{"auto", SHREDDER_BACKEND_AUTO},     {"cpu", SHREDDER_BACKEND_CPU},
                           {"scalar", SHREDDER_BACKEND_SCALAR}, {"avx2", SHREDDER_BACKEND_AVX2},
                           {"avx512", SHREDDER_BACKEND_AVX512}, {"cuda", SHREDDER_BACKEND_CUDA}};

shredder_backend backendFromEnvironment() {
    const char* value = std::getenv(kBackendVariable);
    if (value == nullptr || *value == '\0') return SHREDDER_BACKEND_AUTO;
    for (const Name& name : kNames) {
        if (std::strcmp(name.text, value) == 0) return name.backend;
    }
    throw Error(SHREDDER_INVALID_ARGUMENT,
                std::string(kBackendVariable) + "=" + value +
                    " is not a backend: use auto, cpu, scalar, avx2, avx512 or cuda");
}

BackendState cudaState() {
    CudaSurvey survey = surveyCuda();
    return {SHREDDER_BACKEND_CUDA, "cuda", survey.deviceCount > 0, survey.detail};
}

BackendChoice chosen(const BackendState& state, const std::string& why) {
    return {state.backend, state.name, std::string(state.name) + ": " + why + " (" + state.detail + ")"};
}

/// A CPU form may need instructions that this CPU lacks.
BackendState cpuState(shredder_backend backend, const char* name, const char* needs) {
    std::optional<CpuKernels> kernels = cpuKernels(backend, cpuFeatures());
    if (!kernels) return {backend, name, false, std::string("this CPU has no ") + needs};
    return {backend, name, true, kernels->instructions};
}

/// From the slowest to the fastest.
std::vector<BackendState> cpuStates() {
    return {cpuState(SHREDDER_BACKEND_SCALAR, "scalar", ""), cpuState(SHREDDER_BACKEND_AVX2, "avx2", "AVX2"),
            cpuState(SHREDDER_BACKEND_AVX512, "avx512", "AVX-512 (F and BW)")};
}

BackendChoice bestCpu(const std::string& why) {
    std::vector<BackendState> states = cpuStates();
    return chosen(*std::find_if(states.rbegin(), states.rend(), [](const auto& s) { return s.available; }),
                  why + "best CPU form");
}

BackendChoice best(const std::string& why) {
    BackendState cuda = cudaState();
    if (cuda.available) return chosen(cuda, why + "a CUDA device is there");
    return bestCpu(why + "no CUDA: " + cuda.detail + "; ");
}

/// So many devices of one CPU form; they share the threads, each has at least one.
std::vector<std::unique_ptr<Device>> openCpuDevices(const BackendChoice& choice,
                                                    const shredder_engine_options& options) {
    CpuKernels kernels = cpuKernels(choice.backend, cpuFeatures()).value();
    if ((options.switches & SHREDDER_SWITCH_NAIVE_SCAN) != 0) kernels.scan = kScanScalar;
    unsigned count = std::max(1U, options.device_count);
    unsigned threads = cpuThreads(options);
    std::vector<std::unique_ptr<Device>> devices;
    for (unsigned i = 0; i < count; i++) {
        unsigned own = threads / count + (i < threads % count ? 1 : 0);
        std::string name = count == 1 ? choice.name : choice.name + ":" + std::to_string(i);
        devices.push_back(openCpuDevice(name, kernels, std::max(1U, own)));
    }
    return devices;
}

}  // namespace

std::vector<BackendState> surveyBackends() {
    std::vector<BackendState> states = cpuStates();
    states.push_back(cudaState());
    return states;
}

BackendChoice chooseBackend(std::uint32_t requested) {
    if (requested > SHREDDER_BACKEND_AVX512) {
        throw Error(SHREDDER_INVALID_ARGUMENT, "backend " + std::to_string(requested) + " does not exist");
    }
    std::string because = "asked for; ";
    if (requested == SHREDDER_BACKEND_AUTO) {
        requested = backendFromEnvironment();
        because = requested == SHREDDER_BACKEND_AUTO ? "auto; " : "SHREDDER_BACKEND asks for it; ";
    }
    if (requested == SHREDDER_BACKEND_AUTO) return best(because);
    if (requested == SHREDDER_BACKEND_CPU) return bestCpu(because);
    std::vector<BackendState> states = surveyBackends();
    auto state =
        std::find_if(states.begin(), states.end(), [&](const auto& s) { return s.backend == requested; });
    if (!state->available) {
        throw Error(SHREDDER_UNAVAILABLE,
                    "backend " + std::string(state->name) + " is not available: " + state->detail);
    }
    return chosen(*state, because.substr(0, because.size() - 2));
}

std::vector<std::unique_ptr<Device>> openDevices(const BackendChoice& choice,
                                                 const shredder_engine_options& options) {
    if (choice.backend != SHREDDER_BACKEND_CUDA) return openCpuDevices(choice, options);
    return openCudaDevices({.ordinal = options.device,
                            .count = options.device_count,
                            .naiveScan = (options.switches & SHREDDER_SWITCH_NAIVE_SCAN) != 0});
}

unsigned cpuThreads(const shredder_engine_options& options) {
    return std::max(1U, options.cpu_threads != 0 ? options.cpu_threads : std::thread::hardware_concurrency());
}

std::unique_ptr<Device> openBestCpu(const shredder_engine_options& options) {
    BackendChoice choice = bestCpu("");
    return openCpuDevice("the CPU (" + choice.name + ")", cpuKernels(choice.backend, cpuFeatures()).value(),
                         cpuThreads(options));
}

}  // namespace shredder
