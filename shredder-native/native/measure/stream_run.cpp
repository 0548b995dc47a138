// SPDX-License-Identifier: Apache-2.0
#include "measure/stream_run.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <future>
#include <stdexcept>

#include "chunk/polynomial.h"

namespace shredder::tools {
namespace {

void feed(shredder_stream* stream, const std::uint8_t* data, std::uint64_t size, bool copyIn) {
    for (std::uint64_t position = 0;;) {
        std::uint8_t* payload = nullptr;
        std::uint64_t capacity = 0;
        check(shredder_stream_acquire(stream, &payload, &capacity));
        std::uint64_t piece = std::min(capacity, size - position);
        if (copyIn) std::memcpy(payload, data + position, piece);
        position += piece;
        if (position == size) {
            check(shredder_stream_finish(stream, piece));
            return;
        }
        check(shredder_stream_submit(stream, piece));
    }
}

std::vector<shredder_record> recordsOf(shredder_stream* stream) {
    std::vector<shredder_record> records;
    for (;;) {
        shredder_batch batch{};
        check(shredder_stream_next(stream, &batch));
        if (batch.record_count == 0) return records;
        records.insert(records.end(), batch.records, batch.records + batch.record_count);
        check(shredder_stream_release(stream));
    }
}

}  // namespace

void check(shredder_status status) {
    if (status != SHREDDER_OK) throw std::runtime_error(shredder_last_error());
}

EnginePtr openEngine(shredder_backend backend, std::uint64_t bufferBytes) {
    shredder_engine_options options{.backend = static_cast<std::uint32_t>(backend),
                                    .device = -1,
                                    .buffer_bytes = bufferBytes,
                                    .pipeline_depth = 0,
                                    .cpu_threads = 0};
    shredder_engine* engine = nullptr;
    check(shredder_engine_open(&options, &engine));
    return EnginePtr(engine);
}

std::vector<AvailableBackend> availableBackends() {
    shredder_backend_info infos[16];
    std::size_t count = 0;
    check(shredder_backends(infos, 16, &count));
    std::vector<AvailableBackend> backends;
    for (std::size_t i = 0; i < count; i++) {
        if (infos[i].available != 0) {
            backends.push_back({static_cast<shredder_backend>(infos[i].backend), infos[i].name});
        }
    }
    return backends;
}

shredder_params paramsOf(std::uint32_t maskBits, std::uint32_t segmentMaskBits, bool digests) {
    std::uint64_t average = 1ULL << maskBits;
    std::uint64_t segmentAverage = segmentMaskBits == 0 ? 0 : 1ULL << segmentMaskBits;
    return {.polynomial = Polynomial::kDefaultBits,
            .marker = 0x5A17'D3C9'6B45ULL,
            .min_bytes = average / 4,
            .max_bytes = average * 4,
            .segment_min_bytes = segmentAverage / 4,
            .segment_max_bytes = segmentAverage * 4,
            .mask_bits = maskBits,
            .segment_mask_bits = segmentMaskBits,
            .digest_algorithm = 1,
            .compute_digests = digests ? 1U : 0U};
}

RunResult runStream(shredder_engine* engine, const shredder_params& params, const std::uint8_t* data,
                    std::uint64_t size, bool copyIn) {
    shredder_stream* opened = nullptr;
    check(shredder_stream_open(engine, &params, &opened));
    StreamPtr stream(opened);
    auto begin = std::chrono::steady_clock::now();
    auto reader = std::async(std::launch::async, [&] { feed(stream.get(), data, size, copyIn); });
    try {
        std::vector<shredder_record> records = recordsOf(stream.get());
        std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
        reader.get();
        return {std::move(records), elapsed.count()};
    } catch (...) {
        shredder_stream_cancel(stream.get());
        throw;
    }
}

}  // namespace shredder::tools
