// SPDX-License-Identifier: Apache-2.0
#include "tools/core_contenders.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <stdexcept>

#include "chunk/candidate_finder.h"
#include "chunk/chunking_params.h"
#include "cpu/blake3.h"
#include "cpu/cpu_kernels.h"
#include "cpu/features.h"
#include "cpu/scan.h"
#include "cpu/sha256.h"
#include "tools/linear_read.h"
#include "tools/openssl_sha256.h"

namespace shredder::tools {
namespace {

/// Digested at once: as many chunks as an engine's buffer has.
constexpr std::size_t kGroupBytes = 8ULL << 20;
/// What is ten times slower gets a tenth of the bytes.
constexpr std::size_t kSlowShare = 8;

struct ScanForm {
    const char* name;
    ScanFunction scan;
    bool available;
    std::size_t share;
};

std::vector<ScanForm> scanForms() {
    const CpuFeatures& cpu = cpuFeatures();
    return {{"scalar", scanScalar, true, kSlowShare},
            {"avx2", scanAvx2, cpu.avx2, 1},
            {"avx2-gfni", scanAvx2Gfni, cpu.avx2 && cpu.gfni, 1},
            {"avx512-without-gfni", scanAvx512, cpu.avx512, 1},
            {"avx512", scanAvx512Gfni, cpu.avx512 && cpu.gfni, 1}};
}

struct DigestForm {
    const char* name;
    DigestMany digestMany;
    bool available;
};

std::vector<DigestForm> digestForms() {
    const CpuFeatures& cpu = cpuFeatures();
    return {{"sha256-one-by-one", cpu.sha ? sha256ManyShaInstructions : sha256ManyPortable, true},
            {"sha256-avx2", sha256ManyAvx2, cpu.avx2},
            {"sha256-avx512", cpu.sha ? sha256ManyAvx512AndSha : sha256ManyAvx512, cpu.avx512},
            {"blake3-portable", blake3ManyPortable, true},
            {"blake3-avx2", blake3ManyAvx2, cpu.avx2},
            {"blake3-avx512", blake3ManyAvx512, cpu.avx512}};
}

/// What the engine's backend `cpu` runs here.
CpuKernels bestKernels() {
    for (shredder_backend backend : {SHREDDER_BACKEND_AVX512, SHREDDER_BACKEND_AVX2}) {
        if (std::optional<CpuKernels> kernels = cpuKernels(backend, cpuFeatures())) return *kernels;
    }
    return cpuKernels(SHREDDER_BACKEND_SCALAR, cpuFeatures()).value();
}

/// The least irreducible polynomial of degree 48 above a number without pattern.
std::uint64_t anotherPolynomial() {
    std::uint64_t bits = 0x1'8A5C'93E7'1D41ULL;
    while (!Polynomial::isIrreducible(bits)) {
        bits += 2;
    }
    return bits;
}

/// One thread's way through an input: scan a piece, select its cuts, digest the chunks of a group.
class Chunker {
  public:
    Chunker(ScanFunction scan, const shredder_params& params)
        : scan_(scan),
          spec_(scanSpec(params)),
          rules_(cutRules(params)),
          selector_(rules_),
          bitmap_(kScanBlockBytes / 64) {}

    void scan(const std::uint8_t* data, std::size_t size) {
        for (std::size_t begin = 0; begin < size; begin += kScanBlockBytes) {
            scan_(spec_, data + begin, std::min(kScanBlockBytes, size - begin), bitmap_.data());
        }
    }

    /// Calls digestMany(messages, count) for each group; the messages' digests all go to one place.
    template <typename Digest>
    void cut(const std::uint8_t* data, std::size_t size, Digest digestMany) {
        selector_ = CutSelector(rules_);
        messages_.clear();
        std::size_t groupBegin = 0;
        for (std::size_t begin = 0; begin < size; begin += kScanBlockBytes) {
            std::size_t end = std::min(begin + kScanBlockBytes, size);
            cutPiece(data, begin, end, end == size);
            if (end == size || end - groupBegin >= kGroupBytes) {
                digestMany(messages_.data(), messages_.size());
                messages_.clear();
                groupBegin = end;
            }
        }
    }

  private:
    void cutPiece(const std::uint8_t* data, std::size_t begin, std::size_t end, bool last) {
        scan_(spec_, data + begin, end - begin, bitmap_.data());
        auto emit = [&](std::uint64_t offset, std::uint32_t length, bool) {
            messages_.push_back({data + offset, length, digest_});
        };
        Candidates candidates{.list = nullptr, .count = 0, .bitmap = bitmap_.data()};
        CandidateFinder finder(spec_, candidates, data + begin, begin);
        selector_.select(finder, begin, end, last, emit);
    }

    ScanFunction scan_;
    ScanSpec spec_;
    CutRules rules_;
    CutSelector selector_;
    std::vector<std::uint64_t> bitmap_;
    std::vector<DigestMessage> messages_;
    std::uint8_t digest_[kDigestBytes];
};

/// Where the input's chunks lie, for contenders that only digest.
std::shared_ptr<std::vector<DigestMessage>> chunksOf(const CoreInput& input, const shredder_params& params) {
    auto chunks = std::make_shared<std::vector<DigestMessage>>();
    Chunker(bestKernels().scan, params)
        .cut(input.data(), input.size(), [&](const DigestMessage* messages, std::size_t count) {
            chunks->insert(chunks->end(), messages, messages + count);
        });
    static std::uint8_t digest[kDigestBytes];
    for (DigestMessage& chunk : *chunks) {
        chunk.digest = digest;
    }
    return chunks;
}

void addScans(std::vector<Contender>& contenders, const CoreInput& input, const shredder_params& params) {
    shredder_params other = params;
    other.polynomial = anotherPolynomial();
    for (const ScanForm& form : scanForms()) {
        if (!form.available) continue;
        std::size_t bytes = input.size() / form.share;
        for (const auto& [suffix, settings] : {std::pair{"", params}, std::pair{"-any-polynomial", other}}) {
            auto chunker = std::make_shared<Chunker>(form.scan, settings);
            contenders.push_back({std::string("scan-") + form.name + suffix, bytes,
                                  [chunker, &input, bytes] { chunker->scan(input.data(), bytes); }});
        }
    }
}

void addCuts(std::vector<Contender>& contenders, const CoreInput& input, const shredder_params& params) {
    auto chunker = std::make_shared<Chunker>(bestKernels().scan, params);
    contenders.push_back({"cuts", input.size(), [chunker, &input] {
                              chunker->cut(input.data(), input.size(), [](DigestMessage*, std::size_t) {});
                          }});
    CpuKernels best = bestKernels();
    for (auto [name, digestMany] : {std::pair{"cuts-sha256", best.sha256}, {"cuts-blake3", best.blake3}}) {
        contenders.push_back({name, input.size(), [chunker, digestMany = digestMany, &input] {
                                  chunker->cut(input.data(), input.size(), digestMany);
                              }});
    }
}

/// Every position a candidate: one byte all over, and its run's fingerprint as the marker.
void addFlood(std::vector<Contender>& contenders, const CoreInput& input, shredder_params params) {
    constexpr std::uint8_t kByte = 'A';
    auto flood = std::make_shared<CoreInput>(kByte, input.size());
    RollTables tables{Polynomial(params.polynomial)};
    params.marker = windowFingerprint(tables, flood->data());
    auto chunker = std::make_shared<Chunker>(bestKernels().scan, params);
    contenders.push_back({"cuts-flood", flood->size(), [chunker, flood] {
                              chunker->cut(flood->data(), flood->size(), [](DigestMessage*, std::size_t) {});
                          }});
}

void addDigests(std::vector<Contender>& contenders, const CoreInput& input, const shredder_params& params) {
    auto chunks = chunksOf(input, params);
    for (const DigestForm& form : digestForms()) {
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

std::vector<Contender> coreContenders(const CoreInput& input, const shredder_params& params) {
    std::vector<Contender> contenders;
    auto checksum = std::make_shared<std::uint64_t>();
    contenders.push_back({"linear-read", input.size(), [checksum, &input] {
                              *checksum += linearRead().read(input.data(), input.size());
                          }});
    addScans(contenders, input, params);
    addCuts(contenders, input, params);
    addFlood(contenders, input, params);
    addDigests(contenders, input, params);
    return contenders;
}

}  // namespace shredder::tools
