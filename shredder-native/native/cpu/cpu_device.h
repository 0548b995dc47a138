// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "cpu/cpu_kernels.h"
#include "pipeline/device.h"

namespace shredder {

/// The CPU as a device: so many threads scan and digest.
std::unique_ptr<Device> openCpuDevice(const std::string& name, const CpuKernels& kernels, unsigned threads);

}  // namespace shredder
