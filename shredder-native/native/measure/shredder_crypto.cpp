// SPDX-License-Identifier: Apache-2.0
//
// CRC-32 and ciphers by size and number of blocks, on one core, on all cores, and on the first GPU: Kirby's
// tables 4.4 to 4.9 with today's ciphers beside TEA. One line of JSON a measurement.
//
//   shredder_crypto [--gpu] [--rounds N] [--threads N] [--most SIZE] [--blocks SIZE,...] [--only
//   ALGORITHM,...]
//     default: 5 rounds, as many threads as there are cores, 128M at most, blocks of 512, 8K, 64K, 1M, all
//     algorithms
//
// form          scalar, instructions: the CPU; gpu-kernel: data is on the GPU; gpu-total: from the host's
// memory and
//               back; gpu-copies: the copies of that alone
//
// Before a GPU is measured, what it makes of each batch is compared with the CPU's.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "measure/clocks.h"
#include "measure/crypto/cpu_ciphers.h"
#include "measure/crypto/gpu_ciphers.h"
#include "measure/json_line.h"
#include "measure/rate_settings.h"

namespace {

using namespace shredder::crypto;
using shredder::tools::JsonLine;
using shredder::tools::median;
using shredder::tools::wallSeconds;

/// A round repeats what is shorter than this; what takes longer than the second is measured once.
constexpr double kRoundSeconds = 0.02;
constexpr double kLongSeconds = 0.5;

struct Options {
    bool gpu = false;
    std::uint64_t rounds = 5;
    std::size_t threads = std::max(1U, std::thread::hardware_concurrency());
    std::size_t most = 128ULL << 20;
    std::vector<std::size_t> blocks{512, 8 << 10, 64 << 10, 1 << 20};
    std::string only;

    std::size_t least() const { return *std::min_element(blocks.begin(), blocks.end()); }
    bool wants(const std::string& algorithm) const {
        return only.empty() || only.find("," + algorithm + ",") != std::string::npos;
    }
};

Options parse(const std::vector<std::string>& arguments) {
    Options options;
    for (std::size_t i = 0; i < arguments.size(); i++) {
        auto value = [&] {
            if (++i == arguments.size()) throw std::invalid_argument(arguments[i - 1] + " needs a value");
            return arguments[i];
        };
        auto positive = [&](const std::string& option) {
            std::size_t number = shredder::tools::parseBytes(value());
            if (number == 0) throw std::invalid_argument(option + " 0: use at least 1");
            return number;
        };
        if (arguments[i] == "--gpu") {
            options.gpu = true;
        } else if (arguments[i] == "--rounds") {
            options.rounds = positive("--rounds");
        } else if (arguments[i] == "--threads") {
            options.threads = positive("--threads");
        } else if (arguments[i] == "--most") {
            options.most = positive("--most");
        } else if (arguments[i] == "--only") {
            options.only = "," + value() + ",";
        } else if (arguments[i] == "--blocks") {
            options.blocks.clear();
            std::istringstream sizes(value());
            for (std::string size; std::getline(sizes, size, ',');) {
                options.blocks.push_back(shredder::tools::parseBytes(size));
            }
        } else {
            throw std::invalid_argument("unknown option " + arguments[i]);
        }
    }
    if (options.blocks.empty()) throw std::invalid_argument("--blocks names no size");
    for (std::size_t block : options.blocks) {
        if (block == 0 || block % 8 != 0 || block > options.most) {
            throw std::invalid_argument("blocks of " + std::to_string(block) +
                                        ": use multiples of 8 (TEA's blocks) up to --most");
        }
    }
    return options;
}

/// Input, and room for what comes of it.
struct Memory {
    Memory(std::size_t most, std::size_t least) : in(most), out(most + most / least * kTagBytes) {
        std::uint64_t state = 1;
        for (std::size_t i = 0; i + 8 <= in.size(); i += 8) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            std::memcpy(in.data() + i, &state, sizeof state);
        }
    }

    std::vector<std::uint8_t> in;
    std::vector<std::uint8_t> out;
};

class Measurement {
  public:
    explicit Measurement(const Options& options) : options_(options), memory_(options.most, options.least()) {
        if (options.gpu) {
            gpu_ = std::make_unique<GpuCiphers>(options.most, options.least());
            std::memcpy(gpu_->in(), memory_.in.data(), memory_.in.size());
        }
    }

    void run() {
        std::vector<CpuCipher> ciphers = cpuCiphers();
        std::erase_if(ciphers, [&](const CpuCipher& cipher) { return !options_.wants(cipher.algorithm); });
        if (ciphers.empty()) throw std::invalid_argument("--only names no algorithm");
        for (std::size_t block : options_.blocks) {
            for (std::size_t count : counts(block)) {
                for (const CpuCipher& cipher : ciphers) {
                    measureCpu(cipher, block, count, 1);
                    if (options_.threads > 1 && count > 1) measureCpu(cipher, block, count, options_.threads);
                }
                for (std::size_t i = 0; gpu_ != nullptr && i < ciphers.size(); i++) {
                    bool last = i + 1 == ciphers.size() || ciphers[i + 1].algorithm != ciphers[i].algorithm;
                    if (last) measureGpu(ciphers[i], block, count);
                }
            }
        }
    }

  private:
    /// 1, 8, 64, .. and as many as there is room for.
    std::vector<std::size_t> counts(std::size_t block) const {
        std::vector<std::size_t> all;
        for (std::size_t count = 1; count < options_.most / block; count *= 8) {
            all.push_back(count);
        }
        all.push_back(options_.most / block);
        return all;
    }

    /// Seconds of one, median of the rounds; in each, as many as fill its time.
    template <typename Once>
    void measure(const std::string& algorithm, const std::string& form, std::size_t block, std::size_t count,
                 std::size_t threads, Once once) {
        double first = once();  // which may wake threads, caches and clocks
        auto repeats = static_cast<int>(std::ceil(std::clamp(kRoundSeconds / first, 1.0, 1e5)));
        std::uint64_t rounds = first > kLongSeconds ? 1 : options_.rounds;
        std::vector<double> seconds;
        for (std::uint64_t round = 0; round < rounds; round++) {
            double sum = 0;
            for (int i = 0; i < repeats; i++) {
                sum += once();
            }
            seconds.push_back(sum / repeats);
        }
        JsonLine()
            .text("algorithm", algorithm)
            .text("form", form)
            .count("threads", threads)
            .count("blockBytes", block)
            .count("blocks", count)
            .number("seconds", median(seconds))
            .number("gbPerSecond", static_cast<double>(block * count) / median(seconds) / 1e9)
            .print();
    }

    void measureCpu(const CpuCipher& cipher, std::size_t block, std::size_t count, std::size_t threads) {
        std::vector<BatchRun> runs;
        for (std::size_t i = 0; i < threads; i++) {
            runs.push_back(cipher.open());
        }
        UniformBatch batch{memory_.in.data(), memory_.out.data(), block, count, {}};
        measure(cipher.algorithm, cipher.form, block, count, threads, [&] {
            double begin = wallSeconds();
            runShared(runs, cipher.algorithm, batch);
            return wallSeconds() - begin;
        });
    }

    void measureGpu(const CpuCipher& cipher, std::size_t block, std::size_t count) {
        const std::string& algorithm = cipher.algorithm;
        cipher.open()({memory_.in.data(), memory_.out.data(), block, count, {}});
        gpu_->run(algorithm, block, count);
        if (std::memcmp(gpu_->out(), memory_.out.data(), count * outputBytes(algorithm, block)) != 0) {
            throw std::runtime_error(algorithm + ", " + std::to_string(count) + " blocks of " +
                                     std::to_string(block) + ": the GPU's bytes are not the CPU's");
        }
        measure(algorithm, "gpu-kernel", block, count, 0,
                [&] { return gpu_->kernel(algorithm, block, count, 4); });
        measure(algorithm, "gpu-total", block, count, 0, [&] { return gpu_->run(algorithm, block, count); });
        measure(algorithm, "gpu-copies", block, count, 0,
                [&] { return gpu_->copy(algorithm, block, count); });
    }

    Options options_;
    Memory memory_;
    std::unique_ptr<GpuCiphers> gpu_;
};

}  // namespace

int main(int argc, char** argv) {
    try {
        Measurement(parse({argv + 1, argv + argc})).run();
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "shredder_crypto: %s\n", error.what());
        return 2;
    }
}
