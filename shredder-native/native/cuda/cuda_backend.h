// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "coding/coding_device.h"
#include "pipeline/device.h"

namespace shredder {

/// The CUDA devices of this machine; the one door to the CUDA half, which a build may leave out.
struct CudaSurvey {
    int deviceCount;
    std::string detail;  ///< the devices, or why there are none
};

/// Never throws for want of a driver or device; that is a value.
CudaSurvey surveyCuda();

/// The selected devices. Throws Error(SHREDDER_UNAVAILABLE) if there is none such.
std::vector<std::unique_ptr<Device>> openCudaDevices(const DeviceSelection& selection);

/// The same, to code with.
std::vector<std::unique_ptr<coding::CodingDevice>> openCudaCodingDevices(const DeviceSelection& selection);

}  // namespace shredder
