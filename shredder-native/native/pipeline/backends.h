// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pipeline/device.h"
#include "shredder.h"

namespace shredder {

/// One backend on this machine.
struct BackendState {
    shredder_backend backend;
    const char* name;
    bool available;
    std::string detail;  ///< what it runs on, or why it can't
};

/// scalar, avx2, avx512, cuda, from the slowest to the fastest: looks at the hardware.
std::vector<BackendState> surveyBackends();

/// The backend to use for a request, and the line that says why.
struct BackendChoice {
    shredder_backend backend;
    std::string name;
    std::string reason;
};

/// Throws if the request, or SHREDDER_BACKEND where the request is AUTO, names an unknown or unavailable
/// backend.
BackendChoice chooseBackend(std::uint32_t requested);

/// Opens the devices of a chosen backend.
std::vector<std::unique_ptr<Device>> openDevices(const BackendChoice& choice,
                                                 const shredder_engine_options& options);

/// Threads that scan and digest on the CPU.
unsigned cpuThreads(const shredder_engine_options& options);

/// The best CPU form as one device, for when all others have failed.
std::unique_ptr<Device> openBestCpu(const shredder_engine_options& options);

}  // namespace shredder
