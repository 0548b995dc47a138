// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pipeline/device.h"

namespace shredder {

/// A call of a device that is to fail, to prove what then happens: a testing aid.
struct Fault {
    enum class Stage { Scan, Candidates, Digest, Finish, Code };

    std::size_t
        device;  ///< by its number in the engine, the substitute for failed ones last; or in the coder
    Stage stage;
    std::uint64_t call;  ///< 1 is the first
};

/// What SHREDDER_INJECT_FAULT says, as DEVICE:STAGE:N with commas between; empty where it is not set.
/// Throws Error(SHREDDER_INVALID_ARGUMENT) if it says something else.
std::vector<Fault> faultsFromEnvironment();

/// The device, which fails with DEVICE_ERROR at those of the faults that are its own; itself if none is.
std::unique_ptr<Device> withFaults(std::unique_ptr<Device> device, std::size_t number,
                                   const std::vector<Fault>& faults);

}  // namespace shredder
