// SPDX-License-Identifier: Apache-2.0
//
// Stands for the CUDA half in a library that was built without it (SHREDDER_CUDA=OFF, or AUTO and no
// toolkit).
#include "cuda/cuda_backend.h"
#include "pipeline/error.h"

namespace shredder {

CudaSurvey surveyCuda() {
    return {0, "this library was built without CUDA; build with -DSHREDDER_CUDA=ON"};
}

std::vector<std::unique_ptr<Device>> openCudaDevices(const DeviceSelection&) {
    throw Error(SHREDDER_UNAVAILABLE, surveyCuda().detail);
}

std::vector<std::unique_ptr<coding::CodingDevice>> openCudaCodingDevices(const DeviceSelection&) {
    throw Error(SHREDDER_UNAVAILABLE, surveyCuda().detail);
}

}  // namespace shredder
