// SPDX-License-Identifier: Apache-2.0
#include "pipeline/backends.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "cpu/cpu_device.h"
#include "cpu/features.h"
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

BackendChoice bestOf(const std::vector<BackendState>& states, bool cpuOnly, const std::string& because) {
    const BackendState& cuda = states.back();
    if (!cpuOnly && cuda.available) return chosen(cuda, because + "a CUDA device is there");
    std::string why =
        cpuOnly ? because + "best CPU form" : because + "no CUDA: " + cuda.detail + "; best CPU form";
    auto best = std::find_if(states.rbegin() + 1, states.rend(), [](const auto& s) { return s.available; });
    return chosen(*best, why);
}

CpuForm formOf(shredder_backend backend) {
    switch (backend) {
        case SHREDDER_BACKEND_AVX512:
            return {scanAvx512, sha256ManyAvx512};
        case SHREDDER_BACKEND_AVX2:
            return {scanAvx2, sha256ManyInTurn};
        default:
            return {scanScalar, sha256ManyInTurn};
    }
}

}  // namespace

std::vector<BackendState> surveyBackends() {
    return {{SHREDDER_BACKEND_SCALAR, "scalar", true, std::string("any CPU, ") + oneByOne()},
            vectorState(SHREDDER_BACKEND_AVX2, "avx2", cpuFeatures().avx2, "AVX2", oneByOne()),
            vectorState(SHREDDER_BACKEND_AVX512, "avx512", cpuFeatures().avx512Gfni,
                        "AVX-512 with VBMI and GFNI", "SHA-256 of 16 chunks at once"),
            cudaState()};
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
    std::vector<BackendState> states = surveyBackends();
    if (requested == SHREDDER_BACKEND_AUTO) return bestOf(states, false, because);
    if (requested == SHREDDER_BACKEND_CPU) return bestOf(states, true, because);
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
    if (choice.backend == SHREDDER_BACKEND_CUDA) return openCudaDevices(options.device);
    unsigned threads = options.cpu_threads != 0 ? options.cpu_threads : std::thread::hardware_concurrency();
    std::vector<std::unique_ptr<Device>> devices;
    devices.push_back(openCpuDevice(formOf(choice.backend), std::max(1U, threads)));
    return devices;
}

}  // namespace shredder
