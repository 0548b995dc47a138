// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "pipeline/device.h"

namespace shredder {

std::unique_ptr<Device> openCudaDevice(int ordinal);

/// SHA-256 of pieces of host memory on the current device. Synchronises.
void digestBatchOnDevice(const std::uint8_t* data, const std::uint64_t* offsets, const std::uint32_t* lengths,
                         std::size_t count, std::uint8_t* digests);

}  // namespace shredder
