// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "cpu/scan.h"
#include "pipeline/device.h"

namespace shredder {

/// The CPU as a device that scans with this form, with so many threads.
std::unique_ptr<Device> openCpuDevice(ScanFunction scan, unsigned threads);

}  // namespace shredder
