// SPDX-License-Identifier: Apache-2.0
//
// Throughput of the engine, from the bytes in memory to records in memory; one line of JSON a row. Each row
// is described by key=value,... (measure/rate_settings.h); a row that fails says so in its line, and the
// others go on.
//
//   shredder_rates [--interleave] ROW...
//     shredder_rates backend=avx512,bytes=4G,digest=none backend=cuda,bytes=16G,buffer=32M,depth=2,streams=4
//
// --interleave runs the rows' rounds in turn, so that what else the machine does falls on all of them; their
// engines are open at the same time.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "measure/generated_input.h"
#include "measure/rate_run.h"

namespace {

using namespace shredder::tools;

/// More than a processor's caches hold, so that a copy comes from memory.
constexpr std::size_t kInputBytes = 512ULL << 20;
constexpr std::size_t kOwnInputBytes = 128ULL << 20;

class Row {
  public:
    Row(const std::string& description, const std::vector<std::uint8_t>& input) : input_(input) {
        settings_.name = description;
        guarded([&] {
            settings_ = parseRateSettings(description);
            if (settings_.input != "random") ownInput_ = generateInput(settings_.input, kOwnInputBytes);
        });
    }

    void open() {
        if (!problem_.empty()) return;
        guarded(
            [this] { run_ = std::make_unique<RateRun>(settings_, ownInput_.empty() ? input_ : ownInput_); });
    }
    void round() {
        if (run_ != nullptr) guarded([this] { run_->round(); });
    }
    /// Prints the row and closes its engine. False if it failed.
    bool close() {
        if (run_ != nullptr) guarded([this] { run_->result().print(); });
        if (!problem_.empty()) JsonLine().text("name", settings_.name).text("error", problem_).print();
        run_.reset();
        return problem_.empty();
    }
    int repeat() const { return settings_.repeat; }

  private:
    template <typename Step>
    void guarded(Step step) {
        try {
            step();
        } catch (const std::exception& error) {
            problem_ = error.what();
            run_.reset();
        }
    }

    RateSettings settings_;
    const std::vector<std::uint8_t>& input_;
    std::vector<std::uint8_t> ownInput_;
    std::unique_ptr<RateRun> run_;
    std::string problem_;
};

/// Number of rows that failed.
int runInTurn(std::vector<Row>& rows) {
    int failed = 0;
    for (Row& row : rows) {
        row.open();
        for (int round = 0; round < row.repeat(); round++) {
            row.round();
        }
        failed += row.close() ? 0 : 1;
    }
    return failed;
}

int runInterleaved(std::vector<Row>& rows) {
    int rounds = 0;
    for (Row& row : rows) {
        row.open();
        rounds = std::max(rounds, row.repeat());
    }
    for (int round = 0; round < rounds; round++) {
        for (Row& row : rows) {
            row.round();
        }
    }
    return static_cast<int>(std::count_if(rows.begin(), rows.end(), [](Row& row) { return !row.close(); }));
}

int run(std::vector<std::string> arguments) {
    bool interleave = !arguments.empty() && arguments[0] == "--interleave";
    if (interleave) arguments.erase(arguments.begin());
    std::vector<std::uint8_t> input = generateInput("random", kInputBytes);
    std::vector<Row> rows;
    rows.reserve(arguments.size() + 1);
    for (const std::string& argument : arguments) {
        rows.emplace_back(argument, input);
    }
    if (rows.empty()) rows.emplace_back("", input);
    return (interleave ? runInterleaved(rows) : runInTurn(rows)) == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run({argv + 1, argv + argc});
    } catch (const std::exception& error) {
        std::fprintf(stderr, "shredder_rates: %s\n", error.what());
        return 2;
    }
}
