// SPDX-License-Identifier: Apache-2.0
#include "measure/core_contenders.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>

#include "chunk/chunking_params.h"
#include "cpu/blake3.h"
#include "cpu/cpu_kernels.h"
#include "cpu/features.h"
#include "cpu/scan.h"
#include "cpu/sha256.h"
#include "measure/linear_read.h"
#include "measure/one_thread.h"
#include "measure/openssl_sha256.h"

namespace shredder::tools {
namespace {

/// What is ten times slower gets a tenth of the bytes.
constexpr std::size_t kSlowShare = 8;
constexpr std::size_t kShortBytes = 32 << 10;

struct NamedScan {
    const char* name;
    CpuScan form;
    bool available;
    std::size_t share;
};

std::vector<NamedScan> scanForms(const CpuFeatures& cpu) {
    return {{"scalar", kScanScalar, true, kSlowShare},
            {"avx2", kScanAvx2, cpu.avx2, 1},
            {"avx2-gfni", kScanAvx2Gfni, cpu.avx2 && cpu.gfni, 1},
            {"avx512-without-gfni", kScanAvx512, cpu.avx512, 1},
            {"avx512", kScanAvx512Gfni, cpu.avx512 && cpu.gfni, 1}};
}

struct DigestForm {
    const char* name;
    DigestMany digestMany;
    bool available;
};

std::vector<DigestForm> digestForms(const CpuFeatures& cpu) {
    return {{"sha256-portable", sha256ManyPortable, true},
            {"sha256-sha-instructions", sha256ManyShaInstructions, cpu.sha},
            {"sha256-avx2", sha256ManyAvx2, cpu.avx2},
            {"sha256-avx512", cpu.sha ? sha256ManyAvx512AndSha : sha256ManyAvx512, cpu.avx512},
            {"blake3-portable", blake3ManyPortable, true},
            {"blake3-avx2", blake3ManyAvx2, cpu.avx2},
            {"blake3-avx512", blake3ManyAvx512, cpu.avx512}};
}

/// What the engine's backend `cpu` runs on a CPU with these features.
CpuKernels bestKernels(const CpuFeatures& cpu) {
    for (shredder_backend backend : {SHREDDER_BACKEND_AVX512, SHREDDER_BACKEND_AVX2}) {
        if (std::optional<CpuKernels> kernels = cpuKernels(backend, cpu)) return *kernels;
    }
    return cpuKernels(SHREDDER_BACKEND_SCALAR, cpu).value();
}

/// The least irreducible polynomial of degree 48 above a number without pattern.
std::uint64_t anotherPolynomial() {
    std::uint64_t bits = 0x1'8A5C'93E7'1D41ULL;
    while (!Polynomial::isIrreducible(bits)) {
        bits += 2;
    }
    return bits;
}

/// Where the input's chunks lie, for contenders that only digest.
std::shared_ptr<std::vector<DigestMessage>> chunksOf(const CoreInput& input, const shredder_params& params) {
    auto chunks = std::make_shared<std::vector<DigestMessage>>();
    OneThread(bestKernels(cpuFeatures()).scan, params)
        .cut(input.data(), input.size(), [&](const DigestMessage* messages, std::size_t count) {
            chunks->insert(chunks->end(), messages, messages + count);
        });
    static std::uint8_t digest[kDigestBytes];
    for (DigestMessage& chunk : *chunks) {
        chunk.digest = digest;
    }
    return chunks;
}

void addScans(std::vector<Contender>& contenders, const CoreInput& input, const shredder_params& params,
              const CpuFeatures& cpu) {
    shredder_params other = params;
    other.polynomial = anotherPolynomial();
    for (const NamedScan& scan : scanForms(cpu)) {
        if (!scan.available) continue;
        std::size_t bytes = input.size() / scan.share;
        for (const auto& [suffix, settings] : {std::pair{"", params}, std::pair{"-any-polynomial", other}}) {
            auto thread = std::make_shared<OneThread>(scan.form, settings);
            contenders.push_back({std::string("scan-") + scan.name + suffix, bytes,
                                  [thread, &input, bytes] { thread->scan(input.data(), bytes); }});
        }
    }
}

void addCuts(std::vector<Contender>& contenders, const CoreInput& input, const shredder_params& params,
             const CpuFeatures& cpu) {
    auto thread = std::make_shared<OneThread>(bestKernels(cpu).scan, params);
    contenders.push_back({"cuts", input.size(), [thread, &input] {
                              thread->cut(input.data(), input.size(), [](DigestMessage*, std::size_t) {});
                          }});
    CpuKernels best = bestKernels(cpu);
    for (auto [name, digestMany] : {std::pair{"cuts-sha256", best.sha256}, {"cuts-blake3", best.blake3}}) {
        contenders.push_back({name, input.size(), [thread, digestMany = digestMany, &input] {
                                  thread->cut(input.data(), input.size(), digestMany);
                              }});
    }
}

/// Stretches of memory, each cut for itself: what a short stream costs, its parameters checked and its tables
/// made anew.
void addShortCuts(std::vector<Contender>& contenders, const CoreInput& input, const shredder_params& params) {
    if (params.min_bytes < kWindowBytes) return;
    std::size_t bytes = input.size() / kSlowShare / kShortBytes * kShortBytes;
    auto cut = [params](const std::uint8_t* data) {
        std::uint32_t lengths[kShortBytes / kWindowBytes + 1];
        std::size_t count = 0;
        shredder_status status =
            shredder_cut_memory(&params, data, kShortBytes, 1, lengths, std::size(lengths), &count);
        if (status != SHREDDER_OK) throw std::runtime_error(shredder_last_error());
    };
    contenders.push_back({"cuts-of-32KiB", bytes, [&input, cut, bytes] {
                              for (std::size_t at = 0; at < bytes; at += kShortBytes) {
                                  cut(input.data() + at);
                              }
                          }});
}

/// Every position a candidate: one byte all over, and its run's fingerprint as the marker.
void addFlood(std::vector<Contender>& contenders, const CoreInput& input, shredder_params params,
              const CpuFeatures& cpu) {
    constexpr std::uint8_t kByte = 'A';
    auto flood = std::make_shared<CoreInput>(kByte, input.size());
    RollTables tables{Polynomial(params.polynomial)};
    params.marker = windowFingerprint(tables, flood->data());
    auto thread = std::make_shared<OneThread>(bestKernels(cpu).scan, params);
    contenders.push_back({"cuts-flood", flood->size(), [thread, flood] {
                              thread->cut(flood->data(), flood->size(), [](DigestMessage*, std::size_t) {});
                          }});
}

void addDigests(std::vector<Contender>& contenders, const CoreInput& input, const shredder_params& params,
                const CpuFeatures& cpu) {
    auto chunks = chunksOf(input, params);
    for (const DigestForm& form : digestForms(cpu)) {
        if (!form.available) continue;
        contenders.push_back({form.name, input.size(), [chunks, digestMany = form.digestMany] {
                                  digestMany(chunks->data(), chunks->size());
                              }});
    }
    try {
        auto openssl = std::make_shared<OpensslSha256>();
        contenders.push_back({"openssl-sha256", input.size(),
                              [chunks, openssl] { openssl->digestMany(chunks->data(), chunks->size()); }});
    } catch (const std::runtime_error& missing) {
        std::fprintf(stderr, "shredder_core_rates: openssl-sha256 left out: %s\n", missing.what());
    }
}

}  // namespace

std::vector<Contender> coreContenders(const CoreInput& input, const shredder_params& params,
                                      const CpuFeatures& cpu) {
    std::vector<Contender> contenders;
    auto checksum = std::make_shared<std::uint64_t>();
    LinearRead limit = linearRead();
    for (auto [name, read] :
         {std::pair{"linear-read", limit.read}, {"read-in-scan-order", limit.readInScanOrder}}) {
        contenders.push_back({name, input.size(), [checksum, read = read, &input] {
                                  *checksum += read(input.data(), input.size());
                              }});
    }
    addScans(contenders, input, params, cpu);
    addCuts(contenders, input, params, cpu);
    addShortCuts(contenders, input, params);
    addFlood(contenders, input, params, cpu);
    addDigests(contenders, input, params, cpu);
    return contenders;
}

}  // namespace shredder::tools
