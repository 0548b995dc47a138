// SPDX-License-Identifier: Apache-2.0
#include "pipeline/engine.h"

#include <algorithm>
#include <cstdio>

#include "pipeline/backends.h"
#include "pipeline/error.h"

namespace shredder {
namespace {

constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kMinBufferBytes = 4096;
constexpr std::size_t kMaxBufferBytes = 1ULL << 30;
constexpr std::size_t kCpuBufferBytes = 8ULL << 20;
constexpr std::size_t kCudaBufferBytes = 32ULL << 20;
constexpr unsigned kDefaultDepth = 4;
constexpr unsigned kMaxDepth = 8;
/// Bounds a slot's record memory where min is tiny: the payload shrinks instead.
constexpr std::size_t kMaxRecordsPerBuffer = 1ULL << 18;

std::size_t roundUp(std::size_t value, std::size_t unit) {
    return (value + unit - 1) / unit * unit;
}

void checkOptions(const shredder_engine_options& options) {
    if (options.buffer_bytes != 0 &&
        (options.buffer_bytes < kMinBufferBytes || options.buffer_bytes > kMaxBufferBytes)) {
        throw Error(SHREDDER_INVALID_ARGUMENT, "buffer of " + std::to_string(options.buffer_bytes) +
                                                   " bytes: it must be 4 KiB to 1 GiB");
    }
    if (options.pipeline_depth > kMaxDepth) {
        throw Error(SHREDDER_INVALID_ARGUMENT, "pipeline depth " + std::to_string(options.pipeline_depth) +
                                                   ": it must be 1 to " + std::to_string(kMaxDepth));
    }
    if (options.device < -1) {
        throw Error(SHREDDER_INVALID_ARGUMENT,
                    "device " + std::to_string(options.device) + ": use -1 for all, or an ordinal");
    }
}

template <std::size_t N>
void copyText(char (&target)[N], const std::string& text) {
    std::snprintf(target, N, "%s", text.c_str());
}

}  // namespace

Engine::Engine(const shredder_engine_options& options) {
    checkOptions(options);
    BackendChoice choice = chooseBackend(options.backend);
    backendName_ = choice.name;
    choice_ = choice.reason;
    bool cuda = choice.backend == SHREDDER_BACKEND_CUDA;
    std::size_t bytes =
        options.buffer_bytes != 0 ? options.buffer_bytes : (cuda ? kCudaBufferBytes : kCpuBufferBytes);
    bufferBytes_ = roundUp(bytes, kPageBytes);
    depth_ = options.pipeline_depth != 0 ? options.pipeline_depth : kDefaultDepth;
    for (auto& device : openDevices(choice, options)) {
        pipelines_.push_back(std::make_unique<Pipeline>(std::move(device)));
    }
}

std::unique_ptr<Stream> Engine::openStream(const shredder_params& params) {
    validate(params);
    StreamPlan plan{.scan = scanSpec(params),
                    .rules = cutRules(params),
                    .geometry = geometryFor(params),
                    .computeDigests = params.compute_digests != 0};
    return pipelines_[nextPipeline_++ % pipelines_.size()]->openStream(plan, depth_);
}

SlotGeometry Engine::geometryFor(const shredder_params& params) const {
    std::size_t payload =
        std::min(bufferBytes_, roundUp(kMaxRecordsPerBuffer * params.min_bytes, kPageBytes));
    std::size_t carry = roundUp(params.max_bytes + kWindowBytes, kPageBytes);
    return {.carryBytes = carry, .payloadBytes = payload, .maxRecords = payload / params.min_bytes + 3};
}

void Engine::digestBatch(const std::uint8_t* data, const std::uint64_t* offsets, const std::uint32_t* lengths,
                         std::size_t count, std::uint8_t* digests) {
    Device& device = pipelines_[nextPipeline_++ % pipelines_.size()]->device();
    device.attachThread();
    device.digestBatch(data, offsets, lengths, count, digests);
}

shredder_engine_info Engine::describe() const {
    shredder_engine_info info{};
    copyText(info.backend, backendName_);
    copyText(info.choice, choice_);
    info.devices = static_cast<std::uint32_t>(pipelines_.size());
    info.pipeline_depth = depth_;
    info.buffer_bytes = bufferBytes_;
    for (const auto& pipeline : pipelines_) {
        info.bytes_scanned += pipeline->device().bytesScanned();
    }
    return info;
}

}  // namespace shredder
