// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "coding/coding_device.h"

namespace shredder {

/// A GPU as a coder's device. Its memory, some 130 MiB for each call at a time, comes with the first call.
std::unique_ptr<coding::CodingDevice> openCudaCodingDevice(int ordinal);

}  // namespace shredder
