// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "pipeline/device.h"

namespace shredder {

/// The CPU as a device: vector or scalar scan, with so many threads.
std::unique_ptr<Device> openCpuDevice(bool vectorScan, unsigned threads);

}  // namespace shredder
