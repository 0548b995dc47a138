// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shredder.h"

namespace shredder {

/// The lengths of the chunks that end among data[0 .. size), of which data[0] comes right behind a cut: by
/// the best kernels of this CPU, on the calling thread. A chunk that may go on behind `size` is left out;
/// with `last` the stream ends there.
///
/// No bytes before data are needed, since no candidate closer than the window could be a cut: so this is for
/// parameters with min_bytes of at least kWindowBytes and without segments; others throw
/// Error(SHREDDER_INVALID_ARGUMENT).
std::vector<std::uint32_t> cutMemory(const shredder_params& params, const std::uint8_t* data,
                                     std::size_t size, bool last);

}  // namespace shredder
