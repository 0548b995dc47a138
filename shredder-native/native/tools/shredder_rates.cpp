// SPDX-License-Identifier: Apache-2.0
//
// Throughput of one stream: scan with cuts, and scan with cuts and SHA-256, on every backend of this machine.
// "resident" leaves the reader's copy into the ring out; what is in the buffers is scanned as it lies.
//
//   shredder_rates [GIB [BUFFER_MIB [MASK_BITS]]]     default 8, the engine's default, 13
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "tools/generated_input.h"
#include "tools/stream_run.h"

namespace {

using namespace shredder::tools;

constexpr std::size_t kInputBytes = 1ULL << 30;

void measure(const AvailableBackend& backend, std::uint64_t bytes, std::uint64_t bufferBytes,
             std::uint32_t maskBits, const std::vector<std::uint8_t>& input) {
    EnginePtr engine = openEngine(backend.backend, bufferBytes);
    for (bool digests : {false, true}) {
        shredder_params params = paramsOf(maskBits, 0, digests);
        // The first run also fills the ring's buffers, which stay with the engine, and warms the device up.
        double copied = runStream(engine.get(), params, input.data(), input.size(), true).seconds;
        double resident = runStream(engine.get(), params, nullptr, bytes, false).seconds;
        copied = std::min(copied, runStream(engine.get(), params, input.data(), input.size(), true).seconds);
        std::printf("%-6s  average %4u KiB  %-12s  reader copies %6.2f GB/s  resident %6.2f GB/s\n",
                    backend.name.c_str(), (1U << maskBits) >> 10, digests ? "scan+SHA-256" : "scan",
                    static_cast<double>(input.size()) / copied / 1e9,
                    static_cast<double>(bytes) / resident / 1e9);
        std::fflush(stdout);
    }
}

int run(const std::vector<std::string>& arguments) {
    std::uint64_t bytes = (arguments.empty() ? 8ULL : std::stoull(arguments[0])) << 30;
    std::uint64_t bufferBytes = arguments.size() < 2 ? 0 : std::stoull(arguments[1]) << 20;
    auto maskBits = static_cast<std::uint32_t>(arguments.size() < 3 ? 13 : std::stoul(arguments[2]));
    std::vector<std::uint8_t> input = generateInput("random", kInputBytes);
    for (const AvailableBackend& backend : availableBackends()) {
        // The scalar form is some ten times slower: a tenth of the bytes will do.
        measure(backend, backend.backend == SHREDDER_BACKEND_SCALAR ? bytes / 8 : bytes, bufferBytes,
                maskBits, input);
    }
    return 0;
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
