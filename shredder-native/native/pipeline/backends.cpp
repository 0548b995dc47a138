// SPDX-License-Identifier: Apache-2.0
#include "pipeline/backends.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "cpu/blake3.h"
#include "cpu/cpu_device.h"
#include "cpu/features.h"
#include "cpu/sha256.h"
#include "cuda/cuda_backend.h"
#include "pipeline/error.h"

namespace shredder {
namespace {

constexpr const char* kEnvironmentVariable = "SHREDDER_BACKEND";

struct Name {
    const char* text;
    shredder_backend backend;
};
constexpr Name kNames[] = {{"auto", SHREDDER_BACKEND_AUTO},     {"cpu", SHREDDER_BACKEND_CPU},
                           {"scalar", SHREDDER_BACKEND_SCALAR}, {"avx2", SHREDDER_BACKEND_AVX2},
                           {"avx512", SHREDDER_BACKEND_AVX512}, {"cuda", SHREDDER_BACKEND_CUDA}};

shredder_backend backendFromEnvironment() {
    const char* value = std::getenv(kEnvironmentVariable);
    if (value == nullptr || *value == '\0') return SHREDDER_BACKEND_AUTO;
    for (const Name& name : kNames) {
        if (std::strcmp(name.text, value) == 0) return name.backend;
    }
    throw Error(SHREDDER_INVALID_ARGUMENT,
                std::string(kEnvironmentVariable) + "=" + value +
                    " is not a backend: use auto, cpu, scalar, avx2, avx512 or cuda");
}

const char* oneByOne() {
    return cpuFeatures().sha ? "SHA-256 with SHA instructions" : "SHA-256 portable";
}

/// A CPU form that needs instructions which this CPU may lack.
BackendState vectorState(shredder_backend backend, const char* name, bool available,
                         const std::string& instructions, const std::string& digests) {
    return {backend, name, available,
            available ? instructions + ", " + digests : "this CPU has no " + instructions};
}

BackendState cudaState() {
    CudaSurvey survey = surveyCuda();
    return {SHREDDER_BACKEND_CUDA, "cuda", survey.deviceCount > 0, survey.detail};
}

BackendChoice chosen(const BackendState& state, const std::string& why) {
    return {state.backend, state.name, std::string(state.name) + ": " + why + " (" + state.detail + ")"};
}

/// From the slowest to the fastest.
std::vector<BackendState> cpuStates() {
    return {{SHREDDER_BACKEND_SCALAR, "scalar", true, std::string("any CPU, ") + oneByOne()},
            vectorState(SHREDDER_BACKEND_AVX2, "avx2", cpuFeatures().avx2, "AVX2", oneByOne()),
            vectorState(SHREDDER_BACKEND_AVX512, "avx512", cpuFeatures().avx512Gfni,
                        "AVX-512 with VBMI and GFNI", "SHA-256 of 16 chunks at once")};
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

CpuForm formOf(shredder_backend backend) {
    switch (backend) {
        case SHREDDER_BACKEND_AVX512:
            return {scanAvx512, sha256ManyAvx512, blake3ManyPortable};
        case SHREDDER_BACKEND_AVX2:
            return {scanAvx2, sha256ManyInTurn, blake3ManyPortable};
        default:
            return {scanScalar, sha256ManyInTurn, blake3ManyPortable};
    }
}

/// So many devices of one CPU form; they share the threads, each has at least one.
std::vector<std::unique_ptr<Device>> openCpuDevices(const BackendChoice& choice,
                                                    const shredder_engine_options& options) {
    CpuForm form = formOf(choice.backend);
    if ((options.switches & SHREDDER_SWITCH_NAIVE_SCAN) != 0) form.scan = scanScalar;
    unsigned count = std::max(1U, options.device_count);
    unsigned threads = cpuThreads(options);
    std::vector<std::unique_ptr<Device>> devices;
    for (unsigned i = 0; i < count; i++) {
        unsigned own = threads / count + (i < threads % count ? 1 : 0);
        std::string name = count == 1 ? choice.name : choice.name + ":" + std::to_string(i);
        devices.push_back(openCpuDevice(name, form, std::max(1U, own)));
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
    return openCpuDevice("the CPU (" + choice.name + ")", formOf(choice.backend), cpuThreads(options));
}

}  // namespace shredder
