// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace shredder::tools {

/// The limit for everything that looks at each byte once: a plain loop of loads.
struct LinearRead {
    const char* name;  ///< "avx512", "avx2" or "sse2": the widest loads that this CPU has
    /// Reads data[0 .. size), size a multiple of 512, aligned to 64 bytes; the result depends on every byte.
    std::uint64_t (*read)(const std::uint8_t* data, std::size_t size);
    /// The same result, loaded and prefetched in the order of a scan (sliced_scan.h): what is left of one
    /// without its arithmetic.
    std::uint64_t (*readInScanOrder)(const std::uint8_t* data, std::size_t size);
};

LinearRead linearRead();

}  // namespace shredder::tools
