// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "pipeline/device.h"

namespace shredder {

std::unique_ptr<Device> openCudaDevice(int ordinal, bool naiveScan);

/// Digests of pieces of host memory by the current device. Synchronises.
void digestBatchOnDevice(const std::uint8_t* data, const std::uint64_t* offsets, const std::uint32_t* lengths,
                         std::size_t count, DigestAlgorithm algorithm, std::uint8_t* digests);

}  // namespace shredder
