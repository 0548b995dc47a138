// SPDX-License-Identifier: Apache-2.0
#include "measure/rate_run.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <future>
#include <memory>

#include "measure/clocks.h"

namespace shredder::tools {
namespace {

struct Drained {
    std::uint64_t records = 0;
    std::uint64_t checksum = 0xCBF2'9CE4'8422'2325ULL;
};

/// Copies size bytes of the endless repetition of input, from position on.
void copyRepeated(const std::vector<std::uint8_t>& input, std::uint64_t position, std::uint8_t* target,
                  std::uint64_t size) {
    while (size > 0) {
        std::uint64_t begin = position % input.size();
        std::uint64_t piece = std::min(size, input.size() - begin);
        std::memcpy(target, input.data() + begin, piece);
        position += piece;
        target += piece;
        size -= piece;
    }
}

void feed(shredder_stream* stream, const std::vector<std::uint8_t>& input, std::uint64_t size, bool copyIn) {
    for (std::uint64_t position = 0;;) {
        std::uint8_t* payload = nullptr;
        std::uint64_t capacity = 0;
        check(shredder_stream_acquire(stream, &payload, &capacity));
        std::uint64_t piece = std::min(capacity, size - position);
        if (copyIn) copyRepeated(input, position, payload, piece);
        position += piece;
        if (position == size) {
            check(shredder_stream_finish(stream, piece));
            return;
        }
        check(shredder_stream_submit(stream, piece));
    }
}

/// Reads every record once, as an application would, and keeps only a checksum (FNV-1a by words).
Drained drain(shredder_stream* stream) {
    Drained drained;
    for (;;) {
        shredder_batch batch{};
        check(shredder_stream_next(stream, &batch));
        if (batch.record_count == 0) return drained;
        drained.records += batch.record_count;
        for (std::uint64_t i = 0; i < batch.record_count; i++) {
            std::uint64_t words[sizeof(shredder_record) / 8];
            std::memcpy(words, &batch.records[i], sizeof words);
            for (std::uint64_t word : words) {
                drained.checksum = (drained.checksum ^ word) * 0x100'0000'01B3ULL;
            }
        }
        check(shredder_stream_release(stream));
    }
}

/// One stream from its first acquire to its last release; a failure of either side ends the other.
template <typename Feed>
Drained runOne(shredder_stream* stream, Feed feedAll) {
    auto reader = std::async(std::launch::async, feedAll);
    try {
        Drained drained = drain(stream);
        reader.get();
        return drained;
    } catch (...) {
        shredder_stream_cancel(stream);
        throw;
    }
}

shredder_engine_info describe(const shredder_engine* engine) {
    shredder_engine_info info{};
    check(shredder_engine_describe(engine, &info));
    return info;
}

/// A number of each device.
template <typename NumberOf>
std::vector<double> eachDevice(const shredder_engine* engine, const NumberOf& numberOf) {
    std::vector<shredder_device_info> devices(SHREDDER_MOST_DEVICES + 1);
    std::size_t count = 0;
    check(shredder_engine_devices(engine, devices.data(), devices.size(), &count));
    std::vector<double> numbers;
    for (std::size_t i = 0; i < count; i++) {
        numbers.push_back(numberOf(devices[i]));
    }
    return numbers;
}

std::string hexadecimal(std::uint64_t value) {
    char text[20];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
    return text;
}

}  // namespace

RateRun::RateRun(const RateSettings& settings, const std::vector<std::uint8_t>& input)
    : settings_(settings), input_(input) {
    shredder_engine_options options = settings.engineOptions();
    shredder_engine* engine = nullptr;
    check(shredder_engine_open(&options, &engine));
    engine_.reset(engine);
    shredder_engine_info info = describe(engine);
    std::uint64_t ringBytes = info.buffer_bytes * info.pipeline_depth * info.devices;
    bytesPerStream_ = settings.bytes / settings.streams;
    if (settings.source == Source::kFile) {
        bytesPerStream_ = std::min(bytesPerStream_, std::filesystem::file_size(settings.path));
    }
    runStreams(std::min(2 * ringBytes, std::max(ringBytes, bytesPerStream_)), Source::kCopy);
}

void RateRun::round() {
    rounds_.push_back(runStreams(bytesPerStream_, settings_.source));
}

RateRun::Outcome RateRun::runStreams(std::uint64_t bytesPerStream, Source source) {
    std::vector<StreamPtr> streams;
    shredder_params params = settings_.params();
    for (std::uint32_t i = 0; i < settings_.streams; i++) {
        shredder_stream* opened = nullptr;
        check(shredder_stream_open(engine_.get(), &params, &opened));
        streams.emplace_back(opened);
    }
    double cpuBegin = processCpuSeconds();
    double begin = wallSeconds();
    std::vector<std::future<Drained>> consumers;
    consumers.reserve(streams.size());
    auto feedOne = [this, bytesPerStream, source](shredder_stream* stream) {
        if (source == Source::kFile) {
            shredder_read_options options = settings_.readOptions(bytesPerStream);
            check(shredder_stream_fill_path(stream, settings_.path.c_str(), &options, nullptr));
        } else {
            feed(stream, input_, bytesPerStream, source == Source::kCopy);
        }
    };
    for (const StreamPtr& stream : streams) {
        consumers.push_back(std::async(std::launch::async, [&feedOne, opened = stream.get()] {
            return runOne(opened, [&feedOne, opened] { feedOne(opened); });
        }));
    }
    Outcome outcome{};
    for (std::future<Drained>& consumer : consumers) {
        Drained drained = consumer.get();
        outcome.records += drained.records;
        outcome.checksum += drained.checksum;
    }
    outcome.seconds = wallSeconds() - begin;
    outcome.cpuSeconds = processCpuSeconds() - cpuBegin;
    return outcome;
}

JsonLine RateRun::result() const {
    std::vector<double> seconds;
    std::vector<double> cores;
    for (const Outcome& round : rounds_) {
        seconds.push_back(round.seconds);
        cores.push_back(round.cpuSeconds / round.seconds);
    }
    std::uint64_t bytes = bytesPerStream_ * settings_.streams;
    shredder_engine_info info = describe(engine_.get());
    JsonLine line;
    line.text("name", settings_.name)
        .text("backend", info.backend)
        .text("digest", settings_.digest)
        .text("source", settings_.sourceName())
        .count("average", settings_.average)
        .count("bytes", bytes)
        .count("bufferBytes", info.buffer_bytes)
        .count("pipelineDepth", info.pipeline_depth)
        .count("streams", settings_.streams)
        .count("devices", info.devices)
        .count("devicesFailed", info.devices_failed)
        .numbers("gbOfDevices",
                 eachDevice(engine_.get(), [](auto& d) { return double(d.bytes_scanned) / 1e9; }))
        .numbers("ratesOfDevices",
                 eachDevice(engine_.get(), [](auto& d) { return d.bytes_per_second / 1e9; }))
        .count("hostBytes", info.host_bytes)
        .count("pinnedBytes", info.pinned_bytes)
        .count("deviceBytes", info.device_bytes)
        .count("threads", settings_.threads)
        .count("readers", settings_.readers)
        .number("seconds", median(seconds))
        .number("gbPerSecond", static_cast<double>(bytes) / median(seconds) / 1e9)
        .number("coresBusy", median(cores))
        .numbers("roundSeconds", seconds)
        .count("records", rounds_.back().records)
        .text("checksum", hexadecimal(rounds_.back().checksum));
    return line;
}

}  // namespace shredder::tools
