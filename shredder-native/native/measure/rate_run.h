// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "measure/json_line.h"
#include "measure/rate_settings.h"
#include "measure/stream_run.h"

namespace shredder::tools {

/// One measurement of shredder_rates: its engine, and the times of the rounds so far. Opening it opens the
/// engine and runs its streams once, which fills the ring's buffers and warms the device up.
class RateRun {
  public:
    /// input: the bytes that streams repeat; must outlive the run.
    RateRun(const RateSettings& settings, const std::vector<std::uint8_t>& input);

    /// Runs all streams to their ends once and keeps the time.
    void round();

    /// The settings and what came out: medians of the rounds.
    JsonLine result() const;

  private:
    /// What all streams' consumers saw, and how long it took.
    struct Outcome {
        double seconds;
        double cpuSeconds;
        std::uint64_t records;
        std::uint64_t checksum;
    };
    Outcome runStreams(std::uint64_t bytesPerStream, Source source);

    RateSettings settings_;
    std::uint64_t bytesPerStream_;
    const std::vector<std::uint8_t>& input_;
    EnginePtr engine_;
    std::vector<Outcome> rounds_;
};

}  // namespace shredder::tools
