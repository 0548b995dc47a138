// SPDX-License-Identifier: Apache-2.0
//
// What streams of weights 1, 2, 3, ... get of one engine, all with more to do than it can: a line of JSON
// each, with its bytes and its part of all bytes by the part that its weight says.
//
//   shredder_shares STREAMS SECONDS [POOL]
//     shredder_shares 8 3 cuda,cpu
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "measure/json_line.h"
#include "measure/rate_settings.h"
#include "measure/stream_run.h"

namespace {

using namespace shredder::tools;

constexpr std::uint64_t kBufferBytes = 1 << 20;
constexpr std::chrono::milliseconds kWarmUp{500};

/// Submits buffers, whatever they hold, until the end is said.
void feed(shredder_stream* stream, const std::atomic<bool>& over) {
    for (bool last = false; !last;) {
        std::uint8_t* payload = nullptr;
        std::uint64_t capacity = 0;
        check(shredder_stream_acquire(stream, &payload, &capacity));
        last = over;
        check(last ? shredder_stream_finish(stream, capacity) : shredder_stream_submit(stream, capacity));
    }
}

void drain(shredder_stream* stream, std::atomic<std::uint64_t>& bytes) {
    for (;;) {
        shredder_batch batch{};
        check(shredder_stream_next(stream, &batch));
        if (batch.record_count == 0) return;
        bytes += batch.data_bytes;
        check(shredder_stream_release(stream));
    }
}

int run(std::size_t count, int seconds, const std::string& pool) {
    RateSettings settings;
    settings.pool = pool;
    settings.bufferBytes = kBufferBytes;
    settings.scheduling = SHREDDER_LEAST_WORK;
    shredder_engine_options options = settings.engineOptions();
    shredder_engine* opened = nullptr;
    check(shredder_engine_open(&options, &opened));
    EnginePtr engine(opened);
    std::vector<StreamPtr> streams;
    std::vector<std::atomic<std::uint64_t>> bytes(count);
    std::atomic<bool> over{false};
    std::vector<std::future<void>> threads;
    shredder_params params = settings.params();
    for (std::size_t i = 0; i < count; i++) {
        shredder_stream* stream = nullptr;
        check(shredder_stream_open(engine.get(), &params, &stream));
        streams.emplace_back(stream);
        check(shredder_stream_set_weight(stream, static_cast<std::uint32_t>(i + 1)));
        threads.push_back(std::async(std::launch::async, [stream, &over] { feed(stream, over); }));
        threads.push_back(std::async(std::launch::async, [stream, &bytes, i] { drain(stream, bytes[i]); }));
    }
    std::this_thread::sleep_for(kWarmUp);
    std::vector<std::uint64_t> before(bytes.begin(), bytes.end());
    std::this_thread::sleep_for(std::chrono::seconds(seconds));
    std::vector<std::uint64_t> after(bytes.begin(), bytes.end());
    over = true;
    for (std::future<void>& thread : threads)
        thread.get();

    double all = 0;
    for (std::size_t i = 0; i < count; i++)
        all += static_cast<double>(after[i] - before[i]);
    double weights = static_cast<double>(count * (count + 1)) / 2;
    for (std::size_t i = 0; i < count; i++) {
        auto got = static_cast<double>(after[i] - before[i]);
        JsonLine()
            .text("name", "weight " + std::to_string(i + 1))
            .number("rate", got / seconds / 1e9)
            .number("ofShare", got / all * weights / static_cast<double>(i + 1))
            .print();
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    int streams = argc > 1 ? std::atoi(argv[1]) : 0;
    int seconds = argc > 2 ? std::atoi(argv[2]) : 0;
    if (argc > 4 || streams < 1 || streams > 64 || seconds < 1) {
        std::fprintf(stderr,
                     "usage: shredder_shares STREAMS SECONDS [POOL]: up to 64 streams, 1 second and more\n");
        return 2;
    }
    try {
        return run(static_cast<std::size_t>(streams), seconds, argc > 3 ? argv[3] : "cpu");
    } catch (const std::exception& error) {
        std::fprintf(stderr, "shredder_shares: %s\n", error.what());
        return 1;
    }
}
