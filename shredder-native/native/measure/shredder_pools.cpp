// SPDX-License-Identifier: Apache-2.0
//
// Simulates pools of CPUs and GPUs under the engine's policies, and others' (measure/pool_simulation.h); one
// line of JSON a row. Each row is described by key=value,...
//
//   shredder_pools ROW...
//     shredder_pools policy=two-choices,nodes=700,load=0.8 policy=lafs,nodes=7,news=5,series=yes
//
// Keys: name, policy, nodes, gpu-share, load, seconds, batch (bytes), cpu-rate and gpu-rate (bytes a second),
// news and news-cost (seconds), burst-share, burst-seconds, burst-period, burst-gpus, bursts-in-turn (yes,
// no), seed; series=yes prints a line more for each CPU and GPU: its intakes and what it started in each
// second.
#include <cstdio>
#include <exception>
#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "measure/json_line.h"
#include "measure/pool_simulation.h"

namespace {

using namespace shredder::tools;

struct Row {
    std::string name = "pool";
    PoolSettings settings;
    bool series = false;
};

double number(const std::string& key, const std::string& text) {
    std::size_t end = 0;
    double value = 0;
    try {
        value = std::stod(text, &end);
    } catch (const std::exception&) {
        end = 0;
    }
    if (end == 0 || end != text.size()) throw std::invalid_argument(key + "=" + text + ": not a number");
    return value;
}

bool yesOrNo(const std::string& key, const std::string& text) {
    if (text != "yes" && text != "no") throw std::invalid_argument(key + "=" + text + ": yes or no");
    return text == "yes";
}

void set(Row& row, const std::string& key, const std::string& text) {
    PoolSettings& s = row.settings;
    const std::map<std::string, double*> numbers = {
        {"gpu-share", &s.gpuShare},      {"load", &s.load},
        {"seconds", &s.seconds},         {"batch", &s.batchBytes},
        {"cpu-rate", &s.cpuRate},        {"gpu-rate", &s.gpuRate},
        {"news", &s.newsSeconds},        {"news-cost", &s.newsCost},
        {"burst-share", &s.burstShare},  {"burst-seconds", &s.burstSeconds},
        {"burst-period", &s.burstPeriod}};
    if (auto found = numbers.find(key); found != numbers.end()) {
        *found->second = number(key, text);
    } else if (key == "name") {
        row.name = text;
    } else if (key == "policy") {
        s.policy = text;
    } else if (key == "nodes") {
        s.nodes = static_cast<std::size_t>(number(key, text));
    } else if (key == "burst-gpus") {
        s.burstGpus = static_cast<std::size_t>(number(key, text));
    } else if (key == "seed") {
        s.seed = static_cast<std::uint32_t>(number(key, text));
    } else if (key == "bursts-in-turn") {
        s.burstsInTurn = yesOrNo(key, text);
    } else if (key == "series") {
        row.series = yesOrNo(key, text);
    } else {
        throw std::invalid_argument("key '" + key + "' is not known");
    }
}

Row parse(const std::string& description) {
    Row row;
    std::istringstream words(description);
    for (std::string word; std::getline(words, word, ',');) {
        std::size_t equals = word.find('=');
        if (equals == std::string::npos) throw std::invalid_argument("'" + word + "' is not key=value");
        set(row, word.substr(0, equals), word.substr(equals + 1));
    }
    return row;
}

void printSeries(const Row& row, const PoolOutcome& outcome) {
    std::size_t gpus = outcome.started.size() - row.settings.nodes;
    for (std::size_t i = 0; i < outcome.started.size(); i++) {
        bool gpu = i < gpus;
        std::vector<double> intakes;
        for (const std::vector<double>& news : outcome.intakes)
            intakes.push_back(news[i]);
        JsonLine()
            .text("name", row.name + (gpu ? "/gpu:" : "/cpu:") + std::to_string(gpu ? i : i - gpus))
            .numbers("started", outcome.started[i])
            .numbers("intakes", intakes)
            .print();
    }
}

void run(const Row& row) {
    PoolOutcome outcome = simulatePool(row.settings);
    JsonLine()
        .text("name", row.name)
        .text("policy", row.settings.policy)
        .count("nodes", row.settings.nodes)
        .number("load", row.settings.load)
        .number("offered", outcome.offeredRate / 1e9)
        .number("rate", outcome.servedRate / 1e9)
        .number("served", outcome.served)
        .number("waitMean", outcome.meanWait)
        .number("waitP50", outcome.waitP50)
        .number("waitP99", outcome.waitP99)
        .number("latencyMean", outcome.meanLatency)
        .number("latencyP99", outcome.latencyP99)
        .print();
    if (row.series) printSeries(row, outcome);
}

}  // namespace

int main(int argc, char** argv) {
    int failed = 0;
    for (int i = 1; i < argc; i++) {
        try {
            run(parse(argv[i]));
        } catch (const std::exception& error) {
            JsonLine().text("name", argv[i]).text("error", error.what()).print();
            failed++;
        }
    }
    if (argc == 1) std::fprintf(stderr, "shredder_pools: name a row, such as policy=two-choices,nodes=7\n");
    return argc == 1 ? 2 : failed == 0 ? 0 : 1;
}
