// SPDX-License-Identifier: Apache-2.0
//
// Programs that code what they are asked to, so that coders in several languages can take turns, and be held
// against each other. Needs nothing but the standard library: programs of other coders use it, too. A request
// is a line of standard input, its answer a line of standard output, "error: " and the reason where there is
// none:
//
//   names
//       The names of this program's coders.
//   rate NAME DATA PARITY BYTES STRIPES PLACE MILLISECONDS
//       GB/s of data, parity not counted, for about so many milliseconds: stripes of cells of BYTES bytes, in
//       turn out of STRIPES; PLACE is staggered or java (coding_cells.h). By the thread's CPU time; names
//       that end in
//       ":threads" are by the clock.
//   digest NAME DATA PARITY BYTES OFFSET STEP SEED
//       The parity of shards of BYTES bytes, as 16 hexadecimal digits. Shard i lies (OFFSET + STEP * i) % 64
//       bytes behind a multiple of 64. Its data are the top bytes of x, x = 6364136223846793005 * x +
//       1442695040888963407 before each, from x = SEED + i * 0x9e3779b97f4a7c15 on. The digest is FNV-1a of
//       64 bits over all parity in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "measure/coding_cells.h"

namespace shredder::tools {

/// Codes one stripe of cells, data first.
using CodeStripe = std::function<void(std::uint8_t* const* cells)>;

/// Something that codes.
struct CodingContender {
    std::string name;
    /// A stripe's coding for a shape and cells of so many bytes; throws std::exception where it has none.
    std::function<CodeStripe(const CodingShape& shape, std::size_t bytes)> prepare;
};

/// Answers requests until standard input ends.
void answerCodingRequests(const std::vector<CodingContender>& contenders);

}  // namespace shredder::tools
