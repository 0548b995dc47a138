// SPDX-License-Identifier: Apache-2.0
//
// What one core does: every scan, the selection of cuts and every digest on one thread, each beside the same
// run's linear read and OpenSSL. Times are the thread's CPU time, and the contenders' rounds go in turn, so
// that what else the machine does falls on all of them: compare round by round. One line of JSON a contender.
//
//   shredder_core_rates [--rounds N] [--bytes SIZE] [--average SIZE] [--no-limits] [--only NAME,...]
//                       [--without FEATURE,...] [random | FILE]
//     default: 5 rounds, 1G, 8K, chunks of a quarter to four times the average, random
//     --without avx512,gfni,sha: what a CPU without these extensions would run
#include <cstdio>
#include <exception>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "cpu/features.h"
#include "measure/clocks.h"
#include "measure/core_contenders.h"
#include "measure/json_line.h"
#include "measure/rate_settings.h"

namespace {

using namespace shredder::tools;

struct Options {
    std::string source = "random";
    std::string only;
    std::size_t bytes = 1ULL << 30;
    std::uint64_t rounds = 5;
    RateSettings chunking;
    shredder::CpuFeatures cpu = shredder::cpuFeatures();
};

void remove(const std::string& feature, shredder::CpuFeatures& cpu) {
    if (feature == "avx512") {
        cpu.avx512 = false;
    } else if (feature == "gfni") {
        cpu.gfni = false;
    } else if (feature == "sha") {
        cpu.sha = false;
    } else {
        throw std::invalid_argument("--without " + feature + ": use avx512, gfni or sha");
    }
}

void removeAll(const std::string& features, shredder::CpuFeatures& cpu) {
    std::istringstream names(features);
    for (std::string name; std::getline(names, name, ',');) {
        remove(name, cpu);
    }
}

Options parse(const std::vector<std::string>& arguments) {
    Options options;
    for (std::size_t i = 0; i < arguments.size(); i++) {
        auto value = [&] {
            if (++i == arguments.size()) throw std::invalid_argument(arguments[i - 1] + " needs a value");
            return arguments[i];
        };
        if (arguments[i] == "--rounds") {
            options.rounds = parseBytes(value());
        } else if (arguments[i] == "--bytes") {
            options.bytes = parseBytes(value());
        } else if (arguments[i] == "--average") {
            options.chunking = parseRateSettings("average=" + value());
        } else if (arguments[i] == "--no-limits") {
            options.chunking.limits = false;
        } else if (arguments[i] == "--only") {
            options.only = "," + value() + ",";
        } else if (arguments[i] == "--without") {
            removeAll(value(), options.cpu);
        } else if (arguments[i].starts_with("--")) {
            throw std::invalid_argument("unknown option " + arguments[i]);
        } else {
            options.source = arguments[i];
        }
    }
    if (options.rounds == 0) throw std::invalid_argument("--rounds 0: use at least 1");
    return options;
}

std::vector<Contender> chosen(const Options& options, const CoreInput& input) {
    std::vector<Contender> contenders = coreContenders(input, options.chunking.params(), options.cpu);
    if (options.only.empty()) return contenders;
    std::erase_if(contenders, [&](const Contender& contender) {
        return options.only.find("," + contender.name + ",") == std::string::npos;
    });
    if (contenders.empty()) throw std::invalid_argument("--only names nothing that this CPU runs");
    return contenders;
}

double timed(const Contender& contender) {
    double begin = threadCpuSeconds();
    contender.run();
    return threadCpuSeconds() - begin;
}

int run(const Options& options) {
    CoreInput input(options.source, options.bytes);
    std::vector<Contender> contenders = chosen(options, input);
    std::vector<std::vector<double>> seconds(contenders.size());
    for (std::uint64_t round = 0; round < options.rounds; round++) {
        for (std::size_t i = 0; i < contenders.size(); i++) {
            seconds[i].push_back(timed(contenders[i]));
        }
    }
    for (std::size_t i = 0; i < contenders.size(); i++) {
        JsonLine()
            .text("name", contenders[i].name)
            .text("input", options.source)
            .count("bytes", contenders[i].bytes)
            .count("average", options.chunking.average)
            .number("gbPerSecond", static_cast<double>(contenders[i].bytes) / median(seconds[i]) / 1e9)
            .numbers("roundSeconds", seconds[i])
            .print();
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(parse({argv + 1, argv + argc}));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "shredder_core_rates: %s\n", error.what());
        return 2;
    }
}
