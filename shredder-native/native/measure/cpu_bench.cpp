// SPDX-License-Identifier: Apache-2.0
//
// What the CPU's kernels do on one thread. Run it with --benchmark_format=json; rates are bytes_per_second,
// by the thread's CPU time. Names, stable; FORM: instructions, AVERAGE 8KiB, 64KiB or 1MiB:
//
//   linear_read/WIDTH                    plain loads over the same gigabyte: the limit of a scan
//   scan/FORM/default/KIND               KIND random, text, zero, or flood (all candidates)
//   scan/FORM/any/random                 the same for a polynomial without pattern
//   scan_select/FORM/AVERAGE             scan and selection of cuts
//   scan_select_sha256/FORM/AVERAGE      and SHA-256 of the chunks
//   scan_select_blake3/FORM/AVERAGE      or BLAKE3
//   sha256/FORM/AVERAGE                  of messages of that size, in memory
//   sha256/openssl/AVERAGE               OpenSSL's, one by one; left out where it is not installed
//   blake3/FORM/AVERAGE
//   short_stream/memory/32KiB            shredder_cut_memory of so much at a time, parameters checked each
//   time short_stream/engine/32KiB            a stream of so much: open, fill, take its chunks, close; in
//   real time
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "cpu/blake3.h"
#include "cpu/cpu_kernels.h"
#include "cpu/features.h"
#include "cpu/sha256.h"
#include "measure/bench_input.h"
#include "measure/linear_read.h"
#include "measure/one_thread.h"
#include "measure/openssl_sha256.h"

namespace shredder::bench {
namespace {

struct Form {
    const char* name;
    CpuScan scan;
    bool available;
};

std::vector<Form> scanForms() {
    const CpuFeatures& cpu = cpuFeatures();
    return {{"scalar", kScanScalar, true},
            {"avx2", kScanAvx2, cpu.avx2},
            {"avx2_gfni", kScanAvx2Gfni, cpu.avx2 && cpu.gfni},
            {"avx512", kScanAvx512, cpu.avx512},
            {"avx512_gfni", kScanAvx512Gfni, cpu.avx512 && cpu.gfni}};
}

struct DigestForm {
    const char* name;
    DigestMany digest;
    bool available;
};

std::vector<DigestForm> sha256Forms() {
    const CpuFeatures& cpu = cpuFeatures();
    return {{"portable", sha256ManyPortable, true},
            {"sha_instructions", sha256ManyShaInstructions, cpu.sha},
            {"avx2", sha256ManyAvx2, cpu.avx2},
            {"avx512", sha256ManyAvx512, cpu.avx512},
            {"avx512_and_sha", sha256ManyAvx512AndSha, cpu.avx512 && cpu.sha}};
}

std::vector<DigestForm> blake3Forms() {
    return {{"portable", blake3ManyPortable, true},
            {"avx2", blake3ManyAvx2, cpuFeatures().avx2},
            {"avx512", blake3ManyAvx512, cpuFeatures().avx512}};
}

struct Average {
    const char* name;
    std::uint64_t bytes;
};
constexpr Average kAverages[] = {{"8KiB", 8 << 10}, {"64KiB", 64 << 10}, {"1MiB", 1 << 20}};

/// One benchmark: work(data) passes over the first `bytes` bytes of the input of that kind.
void add(const std::string& name, const std::string& kind, std::size_t bytes,
         std::function<void(const std::uint8_t*)> work) {
    benchmark::RegisterBenchmark(name.c_str(), [kind, bytes,
                                                work = std::move(work)](benchmark::State& state) {
        const std::uint8_t* data = BenchInput::of(kind);
        for (auto _ : state) {
            work(data);
            benchmark::ClobberMemory();
        }
        state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * bytes));
    })->Unit(benchmark::kMillisecond);
}

/// What is ten times slower than memory gets a part of it.
std::size_t shareOf(const char* form) {
    bool slow = std::string(form) == "scalar" || std::string(form) == "portable";
    return slow ? kInputBytes / 8 : kInputBytes;
}

void addLinearRead() {
    tools::LinearRead read = tools::linearRead();
    add(std::string("linear_read/") + read.name, "random", kInputBytes,
        [read](const std::uint8_t* data) { benchmark::DoNotOptimize(read.read(data, kInputBytes)); });
}

void addScans(const std::string& kind) {
    shredder_params params = paramsOf(8 << 10);
    if (kind == "flood") params = floodParams(params);
    for (const Form& form : scanForms()) {
        if (!form.available) continue;
        std::size_t bytes = shareOf(form.name);
        auto scan = [&](const char* polynomial, const shredder_params& settings) {
            auto thread = std::make_shared<tools::OneThread>(form.scan, settings);
            add(std::string("scan/") + form.name + "/" + polynomial + "/" + kind, kind, bytes,
                [thread, bytes](const std::uint8_t* data) { thread->scan(data, bytes); });
        };
        scan("default", params);
        if (kind == "random") scan("any", withAnotherPolynomial(params));
    }
}

void addCuts(const Average& average) {
    for (const Form& form : scanForms()) {
        if (!form.available || form.scan == kScanScalar) continue;
        auto thread = std::make_shared<tools::OneThread>(form.scan, paramsOf(average.bytes));
        auto cuts = [&](const std::string& what, DigestMany digest) {
            add("scan_select" + what + "/" + form.name + "/" + average.name, "random", kInputBytes,
                [thread, digest](const std::uint8_t* data) { thread->cut(data, kInputBytes, digest); });
        };
        cuts("", [](const DigestMessage*, std::size_t) {});
        bool wide = form.scan == kScanAvx512 || form.scan == kScanAvx512Gfni;
        CpuKernels kernels =
            *cpuKernels(wide ? SHREDDER_BACKEND_AVX512 : SHREDDER_BACKEND_AVX2, cpuFeatures());
        cuts("_sha256", kernels.sha256);
        cuts("_blake3", kernels.blake3);
    }
}

void addDigest(const std::string& name, std::size_t share, const Average& average,
               const std::function<void(const DigestMessage*, std::size_t)>& digest) {
    auto messages = std::make_shared<std::vector<DigestMessage>>();
    add(name + "/" + average.name, "random", share, [=](const std::uint8_t* data) {
        static std::uint8_t out[kDigestBytes];
        constexpr std::size_t kTogether = 8 << 20;
        for (std::size_t at = 0; at < share; at += kTogether) {
            messages->clear();
            for (std::size_t i = 0; i < kTogether; i += average.bytes) {
                messages->push_back({data + at + i, average.bytes, out});
            }
            digest(messages->data(), messages->size());
        }
    });
}

void addDigests(const Average& average) {
    for (const DigestForm& form : sha256Forms()) {
        if (form.available) {
            addDigest(std::string("sha256/") + form.name, kInputBytes / 8, average, form.digest);
        }
    }
    try {
        auto openssl = std::make_shared<tools::OpensslSha256>();
        addDigest("sha256/openssl", kInputBytes / 8, average,
                  [openssl](const DigestMessage* messages, std::size_t count) {
                      openssl->digestMany(messages, count);
                  });
    } catch (const std::runtime_error& missing) {
        std::fprintf(stderr, "shredder_bench: sha256/openssl left out: %s\n", missing.what());
    }
    for (const DigestForm& form : blake3Forms()) {
        if (form.available) {
            addDigest(std::string("blake3/") + form.name, kInputBytes / 8, average, form.digest);
        }
    }
}

constexpr std::size_t kShortBytes = 32 << 10;

void cutShortMemory(benchmark::State& state) {
    const std::uint8_t* data = BenchInput::of("random");
    shredder_params params = paramsOf(8 << 10);
    std::vector<std::uint32_t> lengths(kShortBytes / params.min_bytes + 1);
    std::size_t at = 0;
    for (auto _ : state) {
        std::size_t count = 0;
        shredder_cut_memory(&params, data + at, kShortBytes, 1, lengths.data(), lengths.size(), &count);
        benchmark::DoNotOptimize(count);
        at = (at + kShortBytes) % kInputBytes;
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * kShortBytes));
}

void cutShortStreams(benchmark::State& state) {
    const std::uint8_t* data = BenchInput::of("random");
    shredder_params params = paramsOf(8 << 10);
    shredder_engine* engine = nullptr;
    if (shredder_engine_open(nullptr, &engine) != SHREDDER_OK) {
        state.SkipWithError(shredder_last_error());
        return;
    }
    for (auto _ : state) {
        shredder_stream* stream = nullptr;
        std::uint8_t* payload = nullptr;
        std::uint64_t capacity = 0;
        shredder_batch batch{};
        shredder_stream_open(engine, &params, &stream);
        shredder_stream_acquire(stream, &payload, &capacity);
        std::memcpy(payload, data, kShortBytes);
        shredder_stream_finish(stream, kShortBytes);
        shredder_stream_next(stream, &batch);
        benchmark::DoNotOptimize(batch.record_count);
        shredder_stream_release(stream);
        shredder_stream_close(stream);
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * kShortBytes));
    shredder_engine_close(engine);
}

void addShortStreams() {
    benchmark::RegisterBenchmark("short_stream/memory/32KiB", cutShortMemory)->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark("short_stream/engine/32KiB", cutShortStreams)
        ->Unit(benchmark::kMicrosecond)
        ->UseRealTime();
}

void addAll() {
    addLinearRead();
    addScans("random");
    for (const Average& average : kAverages) {
        addCuts(average);
        addDigests(average);
    }
    addShortStreams();
    for (const char* kind : {"text", "zero", "flood"}) {
        addScans(kind);
    }
}

}  // namespace
}  // namespace shredder::bench

int main(int argc, char** argv) {
    shredder::bench::addAll();
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
