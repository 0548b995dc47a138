// SPDX-License-Identifier: Apache-2.0
//
// The C API: turns handles into objects and exceptions into status codes, and does nothing else.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "api/guarded.h"
#include "api/last_error.h"
#include "coding/erasure_coder.h"
#include "cpu/cpu_kernels.h"
#include "cpu/keyed_tags.h"
#include "cpu/memory_cuts.h"
#include "cuda/cuda_backend.h"
#include "pipeline/backends.h"
#include "pipeline/engine.h"
#include "pipeline/error.h"
#include "pipeline/file_reader.h"
#include "shredder.h"

struct shredder_engine {
    explicit shredder_engine(const shredder_engine_options& options) : engine(options) {}
    shredder::Engine engine;
    std::atomic<unsigned> openStreams{0};
};

struct shredder_stream {
    shredder_stream(shredder_engine& engine, std::unique_ptr<shredder::Stream> opened)
        : owner(&engine), stream(std::move(opened)) {}
    shredder_engine* owner;
    std::unique_ptr<shredder::Stream> stream;
};

struct shredder_memory {
    std::shared_ptr<shredder::HostMemory> memory;
};

struct shredder_coder {
    shredder::coding::ErasureCoder coder;
};

namespace {

using shredder::Error;
using shredder::guarded;
using shredder::required;

/// To code with, with the faults that are to be injected.
std::vector<std::unique_ptr<shredder::coding::CodingDevice>> gpusFor(const shredder_coder_options& options) {
    auto devices = shredder::openCudaCodingDevices({.ordinal = options.device});
    std::vector<shredder::Fault> faults = shredder::faultsFromEnvironment();
    for (size_t i = 0; i < devices.size(); i++) {
        devices[i] = shredder::coding::withFaults(std::move(devices[i]), i, faults);
    }
    return devices;
}

shredder_backend_info infoOf(const shredder::BackendState& state) {
    shredder_backend_info info{};
    std::snprintf(info.name, sizeof info.name, "%s", state.name);
    std::snprintf(info.detail, sizeof info.detail, "%s", state.detail.c_str());
    info.backend = state.backend;
    info.available = state.available ? 1 : 0;
    return info;
}

}  // namespace

uint32_t shredder_abi_version(void) {
    return SHREDDER_ABI_VERSION;
}

const char* shredder_last_error(void) {
    return shredder::lastError();
}

shredder_status shredder_backends(shredder_backend_info* infos, size_t capacity, size_t* count) {
    return guarded([&] {
        size_t& found = required(count, "count");
        if (capacity != 0) required(infos, "infos");
        auto states = shredder::surveyBackends();
        found = states.size();
        for (size_t i = 0; i < states.size() && i < capacity; i++) {
            infos[i] = infoOf(states[i]);
        }
    });
}

shredder_status shredder_engine_open(const shredder_engine_options* options, shredder_engine** engine) {
    return guarded([&] {
        constexpr shredder_engine_options kDefaults{.backend = SHREDDER_BACKEND_AUTO, .device = -1};
        shredder_engine*& result = required(engine, "engine");
        result = std::make_unique<shredder_engine>(options != nullptr ? *options : kDefaults).release();
    });
}

shredder_status shredder_engine_describe(const shredder_engine* engine, shredder_engine_info* info) {
    return guarded([&] {
        shredder_engine_info& result = required(info, "info");
        result = required(engine, "engine").engine.describe();
    });
}

shredder_status shredder_engine_devices(const shredder_engine* engine, shredder_device_info* infos,
                                        size_t capacity, size_t* count) {
    return guarded([&] {
        size_t& found = required(count, "count");
        if (capacity != 0) required(infos, "infos");
        auto devices = required(engine, "engine").engine.describeDevices();
        found = devices.size();
        std::copy_n(devices.begin(), std::min(capacity, found), infos);
    });
}

shredder_status shredder_engine_close(shredder_engine* engine) {
    return guarded([&] {
        std::unique_ptr<shredder_engine> owned(engine);
        if (owned && owned->openStreams != 0) {
            unsigned open = owned.release()->openStreams;
            throw Error(SHREDDER_WRONG_STATE, "engine closed with " + std::to_string(open) + " streams open");
        }
    });
}

shredder_status shredder_stream_open(shredder_engine* engine, const shredder_params* params,
                                     shredder_stream** stream) {
    return guarded([&] {
        shredder_engine& owner = required(engine, "engine");
        shredder_stream*& result = required(stream, "stream");
        auto opened =
            std::make_unique<shredder_stream>(owner, owner.engine.openStream(required(params, "params")));
        owner.openStreams++;
        result = opened.release();
    });
}

shredder_status shredder_stream_acquire(shredder_stream* stream, uint8_t** payload, uint64_t* capacity) {
    return guarded([&] {
        uint8_t*& data = required(payload, "payload");
        uint64_t& room = required(capacity, "capacity");
        auto buffer = required(stream, "stream").stream->acquire();
        data = buffer.data;
        room = buffer.capacity;
    });
}

shredder_status shredder_stream_submit(shredder_stream* stream, uint64_t bytes) {
    return guarded([&] { required(stream, "stream").stream->submit(bytes, false); });
}

shredder_status shredder_stream_finish(shredder_stream* stream, uint64_t bytes) {
    return guarded([&] { required(stream, "stream").stream->submit(bytes, true); });
}

shredder_status shredder_stream_fill_path(shredder_stream* stream, const char* path,
                                          const shredder_read_options* options, uint64_t* bytes_read) {
    return guarded([&] {
        shredder_read_options asked = options != nullptr ? *options : shredder_read_options{};
        uint64_t bytes = shredder::fillFromFile(*required(stream, "stream").stream, path, asked);
        if (bytes_read != nullptr) *bytes_read = bytes;
    });
}

shredder_status shredder_stream_next(shredder_stream* stream, shredder_batch* batch) {
    return guarded([&] {
        shredder_batch& result = required(batch, "batch");
        result = required(stream, "stream").stream->next().value_or(shredder_batch{});
    });
}

shredder_status shredder_stream_release(shredder_stream* stream) {
    return guarded([&] { required(stream, "stream").stream->release(); });
}

shredder_status shredder_stream_keep_memory(shredder_stream* stream, const void* bytes, shredder_kept* kept) {
    return guarded([&] {
        shredder_kept& result = required(kept, "kept");
        const auto* first = static_cast<const uint8_t*>(bytes);
        auto memory = std::make_unique<shredder_memory>();
        memory->memory = required(stream, "stream").stream->memoryOf(first);
        shredder::HostMemory& held = *memory->memory;
        result = {.memory = memory.release(), .begin = held.data(), .bytes = held.size()};
    });
}

void shredder_memory_let_go(shredder_memory* memory) {
    std::unique_ptr<shredder_memory>(memory).reset();
}

shredder_status shredder_stream_set_weight(shredder_stream* stream, uint32_t weight) {
    return guarded([&] {
        shredder::Stream& target = *required(stream, "stream").stream;
        if (weight == 0 || weight > shredder::FairShare::kMostWeight) {
            throw Error(SHREDDER_INVALID_ARGUMENT, "weight " + std::to_string(weight) + ": it must be 1 to " +
                                                       std::to_string(shredder::FairShare::kMostWeight));
        }
        target.setWeight(weight);
    });
}

void shredder_stream_cancel(shredder_stream* stream) {
    if (stream != nullptr) stream->stream->cancel();
}

void shredder_stream_close(shredder_stream* stream) {
    if (stream == nullptr) return;
    shredder_engine* owner = stream->owner;
    std::unique_ptr<shredder_stream>(stream).reset();
    owner->openStreams--;
}

shredder_status shredder_digest_batch(shredder_engine* engine, const uint8_t* data, const uint64_t* offsets,
                                      const uint32_t* lengths, size_t count, uint32_t digest_algorithm,
                                      uint8_t* digests) {
    return guarded([&] {
        if (count != 0 &&
            (data == nullptr || offsets == nullptr || lengths == nullptr || digests == nullptr)) {
            throw Error(SHREDDER_INVALID_ARGUMENT, "a pointer is NULL");
        }
        required(engine, "engine")
            .engine.digestBatch(data, offsets, lengths, count, shredder::digestAlgorithm(digest_algorithm),
                                digests);
    });
}

shredder_status shredder_digest_pieces(const shredder_piece* pieces, size_t count, uint32_t digest_algorithm,
                                       uint8_t* digests) {
    return guarded([&] {
        if (count != 0 && (pieces == nullptr || digests == nullptr)) {
            throw Error(SHREDDER_INVALID_ARGUMENT, "a pointer is NULL");
        }
        const auto& kernels = shredder::bestCpuKernels();
        bool blake3 = shredder::digestAlgorithm(digest_algorithm) == shredder::DigestAlgorithm::Blake3;
        std::vector<shredder::DigestMessage> messages;
        messages.reserve(count);
        for (size_t i = 0; i < count; i++) {
            const shredder_piece& piece = pieces[i];
            if (piece.data == nullptr && piece.bytes != 0) {
                throw Error(SHREDDER_INVALID_ARGUMENT, "a piece's pointer is NULL");
            }
            messages.push_back({piece.data, piece.bytes, digests + shredder::kDigestBytes * i});
        }
        (blake3 ? kernels.blake3 : kernels.sha256)(messages.data(), count);
    });
}

uint32_t shredder_tags_are_fast(void) {
    return shredder::hasFastTags() ? 1 : 0;
}

shredder_status shredder_tag_chunks(const uint8_t* key, const uint8_t* data, const uint32_t* lengths,
                                    size_t count, uint8_t* tags) {
    return guarded([&] {
        if (key == nullptr || (count != 0 && (data == nullptr || lengths == nullptr || tags == nullptr))) {
            throw Error(SHREDDER_INVALID_ARGUMENT, "a pointer is NULL");
        }
        std::vector<shredder::TagMessage> messages;
        messages.reserve(count);
        for (size_t i = 0; i < count; i++) {
            messages.push_back({data, lengths[i], tags + SHREDDER_TAG_BYTES * i});
            data += lengths[i];
        }
        shredder::bestTagMany()(key, messages.data(), count);
    });
}

shredder_status shredder_cut_memory(const shredder_params* params, const uint8_t* data, uint64_t bytes,
                                    uint32_t last, uint32_t* lengths, size_t capacity, size_t* count) {
    return guarded([&] {
        if (bytes != 0) required(data, "data");
        if (capacity != 0) required(lengths, "lengths");
        size_t& found = required(count, "count");
        auto cuts = shredder::cutMemory(required(params, "params"), data, bytes, last != 0);
        found = cuts.size();
        std::copy_n(cuts.begin(), std::min(capacity, cuts.size()), lengths);
    });
}

shredder_status shredder_coder_open(const shredder_coder_options* options, shredder_coder** coder) {
    return guarded([&] {
        const shredder_coder_options& asked = required(options, "options");
        shredder_coder*& result = required(coder, "coder");
        shredder::coding::Code code{asked.code, asked.data_shards, asked.parity_shards};
        bool onGpus = asked.backend == SHREDDER_BACKEND_CUDA;
        uint32_t backend = onGpus ? uint32_t{SHREDDER_BACKEND_AUTO} : asked.backend;
        const auto& form = shredder::coding::chooseCodingForm(backend, shredder::cpuFeatures());
        unsigned threads = asked.threads == 0 ? 1 : asked.threads;
        shredder::coding::validate(code);
        auto devices =
            onGpus ? gpusFor(asked) : std::vector<std::unique_ptr<shredder::coding::CodingDevice>>();
        std::unique_ptr<shredder_coder> opened(new shredder_coder{{code, form, threads, std::move(devices)}});
        result = opened.release();
    });
}

shredder_status shredder_coder_describe(const shredder_coder* coder, shredder_coder_info* info) {
    return guarded([&] {
        shredder_coder_info& result = required(info, "info");
        const auto& opened = required(coder, "coder").coder;
        result = {.code = opened.code().kind,
                  .data_shards = static_cast<uint32_t>(opened.code().data),
                  .parity_shards = static_cast<uint32_t>(opened.code().parity),
                  .threads = opened.threads()};
        bool onGpus = !opened.devices().empty();
        std::snprintf(result.form, sizeof result.form, "%s", onGpus ? "cuda" : opened.form().name);
        std::snprintf(result.instructions, sizeof result.instructions, "%s",
                      onGpus ? opened.devices().c_str() : opened.form().instructions);
    });
}

shredder_status shredder_coder_encode(const shredder_coder* coder, const uint8_t* const* data,
                                      uint8_t* const* parity, uint64_t bytes) {
    return guarded([&] { required(coder, "coder").coder.encode(data, parity, bytes); });
}

shredder_status shredder_coder_decode(const shredder_coder* coder, const uint8_t* const* shards,
                                      const uint32_t* wanted, size_t wanted_count, uint8_t* const* outputs,
                                      uint64_t bytes) {
    return guarded([&] {
        const auto& opened = required(coder, "coder").coder;
        if (wanted_count != 0) required(wanted, "wanted");
        std::vector<size_t> numbers(wanted, wanted + wanted_count);
        opened.decode(shards, numbers, outputs, bytes);
    });
}

void shredder_coder_close(shredder_coder* coder) {
    std::unique_ptr<shredder_coder>(coder).reset();
}
