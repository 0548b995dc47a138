// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "pipeline/pipeline.h"
#include "shredder.h"

namespace shredder {

/// The devices that share the streams, and what was asked of them. Thread-safe.
class Engine {
  public:
    explicit Engine(const shredder_engine_options& options);

    /// Streams go to the devices in turn.
    std::unique_ptr<Stream> openStream(const shredder_params& params);
    void digestBatch(const std::uint8_t* data, const std::uint64_t* offsets, const std::uint32_t* lengths,
                     std::size_t count, std::uint8_t* digests);
    shredder_engine_info describe() const;

  private:
    SlotGeometry geometryFor(const shredder_params& params) const;

    std::string backendName_;
    std::string choice_;
    std::size_t bufferBytes_;
    unsigned depth_;
    std::vector<std::unique_ptr<Pipeline>> pipelines_;
    std::atomic<unsigned> nextPipeline_{0};
};

}  // namespace shredder
