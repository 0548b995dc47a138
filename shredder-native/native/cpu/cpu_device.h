// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "cpu/digest.h"
#include "cpu/scan.h"
#include "pipeline/device.h"

namespace shredder {

/// The functions that one CPU backend computes with.
struct CpuForm {
    ScanFunction scan;
    DigestMany sha256;
    DigestMany blake3;
};

/// The CPU as a device: so many threads scan and digest.
std::unique_ptr<Device> openCpuDevice(const std::string& name, const CpuForm& form, unsigned threads);

}  // namespace shredder
