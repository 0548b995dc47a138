// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "cpu/scan.h"
#include "cpu/sha256.h"
#include "pipeline/device.h"

namespace shredder {

/// The functions that one CPU backend computes with.
struct CpuForm {
    ScanFunction scan;
    Sha256Many digest;
};

/// The CPU as a device, with so many threads.
std::unique_ptr<Device> openCpuDevice(const CpuForm& form, unsigned threads);

}  // namespace shredder
