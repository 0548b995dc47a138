// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "pipeline/device.h"

namespace shredder {

/// A worker as a device: its buffers go there, candidates and digests come back. What comes is checked for
/// what it can't be, and, of each buffer, a piece and a chunk are computed here again. A worker that dies,
/// says nothing for longer than the patience, or says what can't be, has failed.
///
/// path:     the worker's Unix socket
/// weight:   1 to 1000, beside the worker's other clients
/// Throws Error(SHREDDER_UNAVAILABLE) if no worker is there, or none that this library can talk to.
std::unique_ptr<Device> openRemoteDevice(const std::string& path, std::uint32_t weight,
                                         std::chrono::milliseconds patience);

/// How long a worker may say nothing while it is waited for.
inline constexpr std::chrono::milliseconds kPatienceWithWorkers{10'000};

}  // namespace shredder
