// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "pipeline/stream.h"

namespace shredder {

/// Fills `stream` with the bytes of a file, block device or pipe, straight into its ring buffers, and ends
/// it. Blocks until all is submitted; returns the number of bytes. On any error the stream is cancelled, so
/// that its consumer wakes: SOURCE_ERROR, SOURCE_CHANGED, INVALID_ARGUMENT for a path that is null or options
/// that do not fit the source, CANCELLED if the stream was cancelled or has failed.
std::uint64_t fillFromFile(Stream& stream, const char* path, const shredder_read_options& options);

}  // namespace shredder
