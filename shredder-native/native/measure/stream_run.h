// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "shredder.h"

namespace shredder::tools {

/// Throws std::runtime_error with the engine's text unless OK.
void check(shredder_status status);

struct EngineDelete {
    void operator()(shredder_engine* engine) const { shredder_engine_close(engine); }
};
using EnginePtr = std::unique_ptr<shredder_engine, EngineDelete>;

struct StreamDelete {
    void operator()(shredder_stream* stream) const { shredder_stream_close(stream); }
};
using StreamPtr = std::unique_ptr<shredder_stream, StreamDelete>;

EnginePtr openEngine(shredder_backend backend, std::uint64_t bufferBytes);

struct AvailableBackend {
    shredder_backend backend;
    std::string name;
};
std::vector<AvailableBackend> availableBackends();

/// Default polynomial and marker, min a quarter and max four times of the average, no segments but for
/// segmentMaskBits.
shredder_params paramsOf(std::uint32_t maskBits, std::uint32_t segmentMaskBits, bool digests);

struct RunResult {
    std::vector<shredder_record> records;
    double seconds;  ///< from the first acquire to the last release
};

/// Chunks data[0 .. size) as one stream, filled by a thread of its own.
/// copyIn false: the reader submits the buffers as they are, which measures everything but the reader.
RunResult runStream(shredder_engine* engine, const shredder_params& params, const std::uint8_t* data,
                    std::uint64_t size, bool copyIn);

}  // namespace shredder::tools
