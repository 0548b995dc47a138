// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "cpu/features.h"
#include "measure/core_input.h"
#include "shredder.h"

namespace shredder::tools {

/// Something that one thread does with the first `bytes` bytes of an input.
struct Contender {
    std::string name;
    std::size_t bytes;
    std::function<void()> run;
};

/// Everything that a CPU with these features runs: a linear read (the limit) and one in a scan's order, scans
/// of every form with the default polynomial and with another one, scan with selection of cuts, the same with
/// digests, and digests alone of the same chunks, OpenSSL's among them where it is there. The input must
/// outlive them; params as valid as the engine wants them.
///
/// Contenders call the kernels themselves, as one thread of the CPU device does: no ring, no queues.
std::vector<Contender> coreContenders(const CoreInput& input, const shredder_params& params,
                                      const CpuFeatures& cpu);

}  // namespace shredder::tools
