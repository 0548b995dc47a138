// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "shredder.h"

namespace shredder::tools {

/// Where a measured stream's bytes come from.
enum class Source {
    kRing,  ///< they lie in the ring's buffers already: everything but the reader is measured
    kCopy,  ///< one thread copies them from memory into the ring
    kFile   ///< the engine's own reader reads them from a file
};

/// One measurement of shredder_rates. Zeros in the engine's part mean its defaults.
struct RateSettings {
    std::string name = "rate";
    std::string backend = "auto";
    std::uint64_t bytes = 8ULL << 30;  ///< of all streams together
    std::uint64_t blocks = 0;          ///< buffers a stream, instead of bytes; needs bufferBytes
    std::uint64_t bufferBytes = 0;
    std::uint32_t pipelineDepth = 0;
    std::uint32_t threads = 0;
    std::uint32_t devices = 0;     ///< at most so many; on a CPU so many that share the threads
    std::string pool;              ///< in place of backend and devices; shredder_engine_options.devices
    std::uint32_t switches = 0;    ///< shredder_switch bits
    std::uint32_t scheduling = 0;  ///< a shredder_scheduling
    std::uint32_t streams = 1;
    std::uint32_t average = 8192;  ///< bytes; a power of two
    bool limits = true;            ///< chunks of a quarter to four times the average; false: 1 byte to 1 GiB
    std::uint64_t maxBytes = 0;    ///< another upper limit
    std::string input = "random";  ///< of source=copy; a kind of generateInput
    std::string digest = "sha256";
    Source source = Source::kRing;
    std::string path;           ///< of the file, which every stream reads from its beginning
    std::uint32_t readers = 0;  ///< threads of the engine's reader
    bool direct = false;        ///< past the page cache
    int repeat = 3;

    shredder_engine_options engineOptions() const;
    shredder_params params() const;
    shredder_read_options readOptions(std::uint64_t bytesPerStream) const;
    const char* sourceName() const;
};

/// Reads "key=value,key=value,...". Sizes may end in K, M or G (powers of 1024). Throws std::invalid_argument
/// that names the key or the value.
RateSettings parseRateSettings(const std::string& text);

/// An engine's policies by their names.
const std::map<std::string, shredder_scheduling>& schedulings();

/// A number of bytes: "4096", "64K", "32M", "8G".
std::uint64_t parseBytes(const std::string& text);

}  // namespace shredder::tools
