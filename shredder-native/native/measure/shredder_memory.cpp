// SPDX-License-Identifier: Apache-2.0
//
// The limit of whatever the CPU does with bytes in memory: linear reads and copies by 1, 2, 4, ... threads at
// once, each on its own memory. One line of JSON each.
//
//   shredder_memory [--threads N] [--bytes SIZE] [--rounds N]     default: all cores, 256M a thread, 5 rounds
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "measure/clocks.h"
#include "measure/core_input.h"
#include "measure/json_line.h"
#include "measure/linear_read.h"
#include "measure/rate_settings.h"

namespace {

using namespace shredder::tools;

struct Options {
    std::uint64_t threads = std::max(1U, std::thread::hardware_concurrency());
    std::uint64_t bytes = 256ULL << 20;
    std::uint64_t rounds = 5;
};

Options parse(const std::vector<std::string>& arguments) {
    Options options;
    for (std::size_t i = 0; i < arguments.size(); i += 2) {
        if (i + 1 == arguments.size()) throw std::invalid_argument(arguments[i] + " needs a value");
        std::uint64_t value = parseBytes(arguments[i + 1]);
        if (value == 0) throw std::invalid_argument(arguments[i] + " 0: use at least 1");
        if (arguments[i] == "--threads") {
            options.threads = value;
        } else if (arguments[i] == "--bytes") {
            options.bytes = std::max<std::uint64_t>(value, 1 << 20);
        } else if (arguments[i] == "--rounds") {
            options.rounds = value;
        } else {
            throw std::invalid_argument("unknown option " + arguments[i]);
        }
    }
    return options;
}

/// Seconds from when all threads are ready until the last is done.
double together(std::size_t threads, const std::function<void(std::size_t)>& work) {
    std::atomic<std::size_t> waiting{threads};
    std::atomic<bool> go{false};
    std::vector<std::jthread> running;
    for (std::size_t i = 0; i < threads; i++) {
        running.emplace_back([&, i] {
            waiting--;
            waiting.notify_one();
            go.wait(false);
            work(i);
        });
    }
    for (std::size_t left = waiting; left > 0; left = waiting) {
        waiting.wait(left);
    }
    double begin = wallSeconds();
    go = true;
    go.notify_all();
    running.clear();
    return wallSeconds() - begin;
}

void measure(const char* name, const Options& options, std::size_t threads,
             const std::function<void(std::size_t)>& work) {
    std::vector<double> seconds;
    for (std::uint64_t round = 0; round < options.rounds; round++) {
        seconds.push_back(together(threads, work));
    }
    auto bytes = static_cast<double>(options.bytes * threads);
    JsonLine()
        .text("name", name)
        .count("threads", threads)
        .count("bytes", options.bytes * threads)
        .number("seconds", median(seconds))
        .number("gbPerSecond", bytes / median(seconds) / 1e9)
        .numbers("roundSeconds", seconds)
        .print();
}

/// 1, 2, 4, ... and the greatest.
std::vector<std::size_t> threadCounts(std::size_t most) {
    std::vector<std::size_t> counts;
    for (std::size_t count = 1; count < most; count *= 2) {
        counts.push_back(count);
    }
    counts.push_back(most);
    return counts;
}

int run(const Options& options) {
    std::vector<CoreInput> sources;
    std::vector<std::vector<std::uint8_t>> targets;
    for (std::uint64_t i = 0; i < options.threads; i++) {
        sources.emplace_back("random", options.bytes);
        targets.emplace_back(sources[i].size());
    }
    std::atomic<std::uint64_t> checksum{0};
    LinearRead limit = linearRead();
    for (std::size_t threads : threadCounts(options.threads)) {
        measure("memory-read", options, threads,
                [&](std::size_t i) { checksum += limit.read(sources[i].data(), sources[i].size()); });
        measure("memory-copy", options, threads,
                [&](std::size_t i) { std::memcpy(targets[i].data(), sources[i].data(), sources[i].size()); });
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(parse({argv + 1, argv + argc}));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "shredder_memory: %s\n", error.what());
        return 2;
    }
}
