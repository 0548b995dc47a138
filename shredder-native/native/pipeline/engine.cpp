// SPDX-License-Identifier: Apache-2.0
#include "pipeline/engine.h"

#include <algorithm>
#include <atomic>
#include <cstdio>

#include "pipeline/error.h"
#include "pipeline/fault_injection.h"
#include "pipeline/plain_memory.h"

namespace shredder {
namespace {

constexpr std::size_t kMinBufferBytes = 4096;
constexpr std::size_t kMaxBufferBytes = 1ULL << 30;
/// On a CPU a thread's share of a buffer should be worth its start, and hold chunks enough to fill the lanes.
constexpr std::size_t kCpuBufferBytesPerThread = 1ULL << 20;
constexpr std::size_t kMinCpuBufferBytes = 8ULL << 20;
constexpr std::size_t kMaxCpuBufferBytes = 32ULL << 20;
constexpr std::size_t kCudaBufferBytes = 64ULL << 20;
constexpr unsigned kDefaultDepth = 4;
/// Where GPUs and CPUs work on one stream: what is late on one of them holds up fewer buffers of the other.
constexpr unsigned kDefaultDepthOfMixed = 6;
constexpr unsigned kMaxDepth = 8;
/// Where the search for a size begins.
constexpr std::size_t kLeastAutoBufferBytes = 1ULL << 20;
constexpr std::uint32_t kAllSwitches = SHREDDER_SWITCH_PAGEABLE | SHREDDER_SWITCH_NO_REUSE |
                                       SHREDDER_SWITCH_NO_OVERLAP | SHREDDER_SWITCH_NAIVE_SCAN |
                                       SHREDDER_SWITCH_AUTO_BUFFERS;
/// Bounds a buffer's record memory where min is tiny: the payload shrinks instead.
constexpr std::size_t kMaxRecordsPerBuffer = 1ULL << 18;

std::size_t roundUp(std::size_t value, std::size_t unit) {
    return (value + unit - 1) / unit * unit;
}

void refuse(bool bad, const std::string& problem) {
    if (bad) throw Error(SHREDDER_INVALID_ARGUMENT, problem);
}

const shredder_engine_options& checked(const shredder_engine_options& options) {
    std::uint64_t bytes = options.buffer_bytes;
    refuse(bytes != 0 && (bytes < kMinBufferBytes || bytes > kMaxBufferBytes),
           "buffer of " + std::to_string(bytes) + " bytes: it must be 4 KiB to 1 GiB");
    refuse(options.pipeline_depth > kMaxDepth, "pipeline depth " + std::to_string(options.pipeline_depth) +
                                                   ": it must be 1 to " + std::to_string(kMaxDepth));
    refuse(options.device < -1,
           "device " + std::to_string(options.device) + ": use -1 for all, or an ordinal");
    refuse((options.switches & ~kAllSwitches) != 0,
           "switches " + std::to_string(options.switches) + ": only the bits of shredder_switch exist");
    refuse(options.scheduling > SHREDDER_TWO_CHOICES,
           "scheduling " + std::to_string(options.scheduling) + ": only 0 to 4 of shredder_scheduling exist");
    refuse(options.device_count > SHREDDER_MOST_DEVICES,
           "device count " + std::to_string(options.device_count) + ": it must be 0 (all) to " +
               std::to_string(SHREDDER_MOST_DEVICES));
    refuse(options.devices != nullptr &&
               (options.backend != SHREDDER_BACKEND_AUTO || options.device > 0 || options.device_count != 0),
           "devices go without a backend, a device and a device count: leave those at their defaults");
    return options;
}

std::vector<PoolEntry> poolOf(const shredder_engine_options& options) {
    return options.devices == nullptr ? std::vector<PoolEntry>() : parsePool(options.devices);
}

BackendChoice choiceOf(const shredder_engine_options& options, const std::vector<PoolEntry>& pool) {
    return pool.empty() ? chooseBackend(options.backend) : choosePool(pool);
}

bool isOn(const shredder_engine_options& options, shredder_switch bit) {
    return (options.switches & bit) != 0;
}

std::size_t bufferBytesOf(const shredder_engine_options& options, const BackendChoice& choice) {
    if (options.buffer_bytes != 0) return roundUp(options.buffer_bytes, kPageBytes);
    if (choice.backend == SHREDDER_BACKEND_CUDA) return kCudaBufferBytes;
    return std::clamp(cpuThreads(options) * kCpuBufferBytesPerThread, kMinCpuBufferBytes, kMaxCpuBufferBytes);
}

Devices devicesOf(const shredder_engine_options& options, const BackendChoice& choice,
                  const std::vector<PoolEntry>& pool) {
    std::vector<Fault> faults = faultsFromEnvironment();
    Devices devices;
    for (auto& device : pool.empty() ? openDevices(choice, options) : openPool(pool, options)) {
        devices.push_back(withFaults(std::move(device), devices.size(), faults));
    }
    return devices;
}

unsigned depthOf(const shredder_engine_options& options, const std::vector<PoolEntry>& pool) {
    if (options.pipeline_depth != 0) return options.pipeline_depth;
    return isMixed(pool) ? kDefaultDepthOfMixed : kDefaultDepth;
}

SchedulerOptions schedulerOptionsOf(const shredder_engine_options& options, unsigned depth) {
    auto openSubstitute = [options](std::size_t number) {
        return withFaults(openBestCpu(options), number, faultsFromEnvironment());
    };
    return {.policy = static_cast<shredder_scheduling>(options.scheduling),
            .pipeline = {.jobsUnderWay = isOn(options, SHREDDER_SWITCH_NO_OVERLAP) ? 1 : depth,
                         .reuseWorkspaces = !isOn(options, SHREDDER_SWITCH_NO_REUSE)},
            .openSubstitute = openSubstitute};
}

template <std::size_t N>
void copyText(char (&target)[N], const std::string& text) {
    std::snprintf(target, N, "%s", text.c_str());
}

std::uint64_t nextStreamId() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

}  // namespace

Engine::Engine(const shredder_engine_options& options) : Engine(checked(options), poolOf(options)) {}

Engine::Engine(const shredder_engine_options& options, const std::vector<PoolEntry>& pool)
    : choice_(choiceOf(options, pool)),
      bufferBytes_(bufferBytesOf(options, choice_)),
      depth_(depthOf(options, pool)),
      scheduler_(devicesOf(options, choice_, pool), schedulerOptionsOf(options, depth_), meter_),
      hostMemory_([this, pinned = !isOn(options, SHREDDER_SWITCH_PAGEABLE)](
                      std::size_t bytes) { return scheduler_.createHostMemory(bytes, pinned); },
                  !isOn(options, SHREDDER_SWITCH_NO_REUSE), meter_) {
    if (isOn(options, SHREDDER_SWITCH_AUTO_BUFFERS)) {
        sizer_ = std::make_unique<BufferSizer>(BufferSizer::doubled(kLeastAutoBufferBytes, bufferBytes_));
    }
}

std::unique_ptr<Stream> Engine::openStream(const shredder_params& params) {
    validate(params);
    StreamPlan plan{.id = nextStreamId(),
                    .scan = scanSpec(params),
                    .rules = cutRules(params),
                    .geometry = geometryFor(params),
                    .computeDigests = params.compute_digests != 0,
                    .digestAlgorithm = static_cast<DigestAlgorithm>(params.digest_algorithm)};
    return std::make_unique<Stream>(scheduler_, hostMemory_, meter_, plan, depth_ * scheduler_.devices(),
                                    sizer_.get());
}

BufferGeometry Engine::geometryFor(const shredder_params& params) const {
    std::size_t payload =
        std::min(bufferBytes_, roundUp(kMaxRecordsPerBuffer * params.min_bytes, kPageBytes));
    return {.payloadBytes = payload, .maxRecords = payload / params.min_bytes + 3};
}

void Engine::digestBatch(const std::uint8_t* data, const std::uint64_t* offsets, const std::uint32_t* lengths,
                         std::size_t count, DigestAlgorithm algorithm, std::uint8_t* digests) {
    scheduler_.digestBatch(data, offsets, lengths, count, algorithm, digests);
}

std::vector<shredder_device_info> Engine::describeDevices() const {
    std::vector<shredder_device_info> infos;
    for (const Scheduler::DeviceState& state : scheduler_.deviceStates()) {
        shredder_device_info& info = infos.emplace_back();
        copyText(info.name, state.name);
        info.failed = state.failed ? 1 : 0;
        info.bytes_scanned = state.bytesScanned;
        info.bytes_per_second = state.bytesPerSecond;
    }
    return infos;
}

shredder_engine_info Engine::describe() const {
    shredder_engine_info info{};
    copyText(info.backend, choice_.name);
    copyText(info.choice, choice_.reason);
    info.devices = static_cast<std::uint32_t>(scheduler_.devices());
    info.devices_failed = static_cast<std::uint32_t>(scheduler_.devicesFailed());
    info.pipeline_depth = depth_;
    info.buffer_bytes = bufferBytes_;
    info.bytes_scanned = scheduler_.bytesScanned();
    MemoryUse peak = meter_.peak();
    info.host_bytes = peak.hostBytes;
    info.pinned_bytes = peak.pinnedBytes;
    info.device_bytes = peak.deviceBytes;
    return info;
}

}  // namespace shredder
