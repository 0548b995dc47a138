// SPDX-License-Identifier: Apache-2.0
#include "pipeline/device_pool.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iterator>
#include <optional>
#include <sstream>

#include "pipeline/error.h"
#include "pipeline/fair_clock.h"
#include "remote/remote_device.h"

namespace shredder {
namespace {

constexpr std::size_t kLongestName = sizeof(shredder_engine_info::backend) - 1;

struct Kind {
    const char* name;
    shredder_backend backend;
};
constexpr const char* kWorker = "worker:";
constexpr Kind kKinds[] = {{"cuda", SHREDDER_BACKEND_CUDA},
                           {"cpu", SHREDDER_BACKEND_CPU},
                           {"scalar", SHREDDER_BACKEND_SCALAR},
                           {"avx2", SHREDDER_BACKEND_AVX2},
                           {"avx512", SHREDDER_BACKEND_AVX512}};

[[noreturn]] void refuse(const std::string& entry, const std::string& why) {
    throw Error(SHREDDER_INVALID_ARGUMENT, "device '" + entry + "' of the pool: " + why);
}

std::optional<unsigned> numberOf(const std::string& text) {
    unsigned number = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    bool all = error == std::errc() && end == text.data() + text.size();
    return all ? std::optional(number) : std::nullopt;
}

shredder_backend kindOf(const std::string& entry, const std::string& name) {
    for (const Kind& kind : kKinds) {
        if (name == kind.name) return kind.backend;
    }
    refuse(
        entry,
        "use cuda, cuda:NUMBER, worker:SOCKET, cpu, scalar, avx2 or avx512, the latter four with *THREADS if "
        "not all");
}

/// "worker:PATH" or "worker:PATH*WEIGHT".
PoolEntry parseWorker(const std::string& entry) {
    PoolEntry parsed{.backend = SHREDDER_BACKEND_AUTO, .worker = entry.substr(std::strlen(kWorker))};
    std::size_t star = parsed.worker.rfind('*');
    if (star != std::string::npos) {
        std::optional<unsigned> weight = numberOf(parsed.worker.substr(star + 1));
        if (!weight || *weight == 0 || *weight > FairShare::kMostWeight) {
            refuse(entry, "a worker's weight is 1 to " + std::to_string(FairShare::kMostWeight));
        }
        parsed.weight = *weight;
        parsed.worker.resize(star);
    }
    if (parsed.worker.empty()) refuse(entry, "a worker has the path of its socket");
    return parsed;
}

PoolEntry parseEntry(const std::string& entry) {
    if (entry.starts_with(kWorker)) return parseWorker(entry);
    std::size_t nameEnd = std::min(entry.find_first_of(":*"), entry.size());
    PoolEntry parsed{.backend = kindOf(entry, entry.substr(0, nameEnd))};
    if (nameEnd == entry.size()) return parsed;
    bool ordinal = entry[nameEnd] == ':';
    std::optional<unsigned> number = numberOf(entry.substr(nameEnd + 1));
    if (ordinal != (parsed.backend == SHREDDER_BACKEND_CUDA)) {
        refuse(entry, "a GPU has :NUMBER, a CPU has *THREADS");
    }
    if (!number || *number > INT32_MAX || (!ordinal && *number == 0)) {
        refuse(entry, ordinal ? "a GPU's number is 0 and up" : "the number of threads is 1 and up");
    }
    if (ordinal) {
        parsed.ordinal = static_cast<std::int32_t>(*number);
    } else {
        parsed.threads = *number;
    }
    return parsed;
}

bool isGpu(const PoolEntry& entry) {
    return entry.backend == SHREDDER_BACKEND_CUDA;
}

bool isWorker(const PoolEntry& entry) {
    return !entry.worker.empty();
}

bool isCpu(const PoolEntry& entry) {
    return !isGpu(entry) && !isWorker(entry);
}

bool sameGpu(const PoolEntry& a, const PoolEntry& b) {
    return isGpu(a) && isGpu(b) && (a.ordinal == b.ordinal || a.ordinal < 0 || b.ordinal < 0);
}

std::string join(const std::string& text, const char* separator, const std::string& more) {
    return text.empty() ? more : text + separator + more;
}

/// What keeps a GPU busy on the host: its pipeline, and whoever fills the buffers.
constexpr unsigned kCoresOfGpu = 2;

/// What a CPU entry without a number gets: what is there and the GPUs don't need, divided among all of the
/// pool's.
unsigned shareOfThreads(const std::vector<PoolEntry>& pool, const shredder_engine_options& options,
                        std::size_t gpus) {
    auto cpus = std::count_if(pool.begin(), pool.end(), isCpu);
    unsigned threads = cpuThreads(options);
    if (options.cpu_threads == 0) threads -= std::min(threads, kCoresOfGpu * static_cast<unsigned>(gpus));
    return std::max(1U, threads / static_cast<unsigned>(std::max<std::ptrdiff_t>(cpus, 1)));
}

/// gpus: that are open already.
std::vector<std::unique_ptr<Device>> openEntry(const PoolEntry& entry, const std::vector<PoolEntry>& pool,
                                               const shredder_engine_options& options, std::size_t gpus) {
    if (isWorker(entry)) {
        std::vector<std::unique_ptr<Device>> one;
        one.push_back(openRemoteDevice(entry.worker, entry.weight, kPatienceWithWorkers));
        return one;
    }
    shredder_engine_options own = options;
    own.device = entry.ordinal;
    own.cpu_threads = entry.threads != 0 ? entry.threads : shareOfThreads(pool, options, gpus);
    return openDevices(chooseBackend(entry.backend), own);
}

}  // namespace

std::vector<PoolEntry> parsePool(const std::string& text) {
    std::vector<PoolEntry> pool;
    std::istringstream entries(text + ",");
    for (std::string entry; std::getline(entries, entry, ',');) {
        PoolEntry parsed = parseEntry(entry);
        for (const PoolEntry& other : pool) {
            if (sameGpu(parsed, other)) refuse(entry, "that GPU is in the pool already");
        }
        if (pool.size() == SHREDDER_MOST_DEVICES)
            refuse(entry, "at most " + std::to_string(SHREDDER_MOST_DEVICES) + " devices");
        pool.push_back(parsed);
    }
    return pool;
}

bool isMixed(const std::vector<PoolEntry>& pool) {
    int kinds = 0;
    for (auto isOfKind : {isGpu, isCpu, isWorker}) {
        kinds += std::any_of(pool.begin(), pool.end(), isOfKind) ? 1 : 0;
    }
    return kinds > 1;
}

BackendChoice choosePool(const std::vector<PoolEntry>& pool) {
    BackendChoice choice{.backend = SHREDDER_BACKEND_CPU, .name = "", .reason = ""};
    for (const PoolEntry& entry : pool) {
        BackendChoice one = isWorker(entry) ? BackendChoice{.backend = SHREDDER_BACKEND_CPU,
                                                            .name = "worker",
                                                            .reason = "the worker at " + entry.worker}
                                            : chooseBackend(entry.backend);
        if (isGpu(entry)) choice.backend = SHREDDER_BACKEND_CUDA;
        choice.name = join(choice.name, "+", one.name);
        choice.reason = join(choice.reason, "; ", one.reason);
    }
    if (choice.name.size() > kLongestName) choice.name = "mixed";
    return choice;
}

std::vector<std::unique_ptr<Device>> openPool(const std::vector<PoolEntry>& pool,
                                              const shredder_engine_options& options) {
    std::vector<std::unique_ptr<Device>> devices;
    std::size_t gpus = 0;
    for (auto isNow : {isGpu, isCpu, isWorker}) {
        for (const PoolEntry& entry : pool) {
            if (!isNow(entry)) continue;
            auto opened = openEntry(entry, pool, options, gpus);
            std::move(opened.begin(), opened.end(), std::back_inserter(devices));
        }
        if (isNow == isGpu) gpus = devices.size();
    }
    return devices;
}

}  // namespace shredder
