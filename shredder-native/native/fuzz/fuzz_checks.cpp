// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_checks.h"

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>

#include "chunk/chunking_params.h"
#include "cpu/blake3.h"
#include "cpu/cpu_kernels.h"
#include "cpu/sha256.h"
#include "fuzz/fuzz_case.h"

namespace shredder::fuzz {
namespace {

using test::Bytes;

/// As long as the definition, which divides bit by bit, takes no longer than the rest.
constexpr std::size_t kDefinitionBytes = 6 << 10;

/// The kernels of every backend, on this CPU and on CPUs that lack some of its features.
std::vector<CpuKernels> kernelsOfThisCpu() {
    std::vector<CpuKernels> all;
    for (unsigned without = 0; without < 4; without++) {
        CpuFeatures features = cpuFeatures();
        features.gfni = features.gfni && (without & 1) == 0;
        features.sha = features.sha && (without & 2) == 0;
        for (shredder_backend backend :
             {SHREDDER_BACKEND_SCALAR, SHREDDER_BACKEND_AVX2, SHREDDER_BACKEND_AVX512}) {
            if (auto kernels = cpuKernels(backend, features)) all.push_back(*kernels);
        }
    }
    return all;
}

void require(bool agrees, const std::string& who) {
    if (!agrees) throw std::runtime_error(who + " disagrees with the reference");
}

/// Any stretch of the stream, and a window before it.
void checkScans(FuzzCase& c, const std::vector<CpuKernels>& all) {
    if (c.stream().size() < kWindowBytes) return;
    std::size_t begin = kWindowBytes + c.random()() % (c.stream().size() - kWindowBytes + 1);
    if (c.random()() % 2 == 0) begin = kWindowBytes;
    std::size_t size = c.stream().size() - begin;
    if (c.random()() % 2 == 0) size = c.random()() % (size + 1);
    ScanSpec spec = scanSpec(c.params());
    auto marked = [&](const CpuScan& form) {
        std::vector<std::uint64_t> bitmap((size + 63) / 64, ~std::uint64_t{0});
        form.mark(spec, c.stream().data() + begin, size, bitmap.data());
        return bitmap;
    };
    std::vector<std::uint64_t> expected = marked(kScanScalar);
    std::size_t room = c.random()() % (size + 2);
    for (const CpuKernels& kernels : all) {
        require(marked(kernels.scan) == expected, "the marking scan of " + kernels.instructions);
        std::vector<std::uint32_t> list(room);
        Listed listed = kernels.scan.list(spec, c.stream().data() + begin, size, {list.data(), room, 0});
        list.resize(listed.candidates);
        require(list == test::listOfBits(expected, listed.bytes),
                "the listing scan of " + kernels.instructions);
    }
}

void checkDigests(FuzzCase& c, const std::vector<CpuKernels>& all) {
    std::vector<DigestMessage> messages(c.random()() % 60);
    Bytes digests(messages.size() * kDigestBytes);
    for (std::size_t i = 0; i < messages.size(); i++) {
        std::size_t at = c.random()() % (c.stream().size() + 1);
        std::size_t most = c.random()() % 8 == 0 ? c.stream().size() : 5'000;
        std::size_t size = std::min(c.random()() % (most + 1), c.stream().size() - at);
        messages[i] = {c.stream().data() + at, size, digests.data() + kDigestBytes * i};
    }
    auto digested = [&](DigestMany digest) {
        std::fill(digests.begin(), digests.end(), std::uint8_t{0});
        digest(messages.data(), messages.size());
        return digests;
    };
    Bytes sha256 = digested(sha256ManyPortable);
    Bytes blake3 = digested(blake3ManyPortable);
    for (const CpuKernels& kernels : all) {
        require(digested(kernels.sha256) == sha256, "SHA-256 of " + kernels.instructions);
        require(digested(kernels.blake3) == blake3, "BLAKE3 of " + kernels.instructions);
    }
}

/// A stream that comes in pieces, by kernels that take turns.
void checkRunningDigests(FuzzCase& c, const std::vector<CpuKernels>& all) {
    const Bytes& stream = c.stream();
    for (DigestAlgorithm algorithm : {DigestAlgorithm::Sha256, DigestAlgorithm::Blake3}) {
        Bytes expected(kDigestBytes);
        DigestMessage message{stream.data(), stream.size(), expected.data()};
        (algorithm == DigestAlgorithm::Sha256 ? sha256ManyPortable : blake3ManyPortable)(&message, 1);
        auto some = [&] { return all[c.random()() % all.size()].running; };
        RunningDigest running;
        running.begin(algorithm);
        for (std::size_t size = 0; size < stream.size(); size += 1 + c.random()() % stream.size()) {
            running.goOn(some(), stream.data(), size);
        }
        Bytes digest(kDigestBytes);
        running.finish(some(), stream.data(), stream.size(), digest.data());
        require(digest == expected, "a digest that goes on");
    }
}

/// One of a few engines that are opened once.
shredder_engine* someEngine(std::mt19937_64& random, std::string& name) {
    static const std::vector<shredder_backend> kBackends = test::availableBackends();
    static std::map<std::tuple<shredder_backend, std::uint64_t, std::uint32_t>, test::EnginePtr> engines;
    shredder_backend backend = kBackends[random() % kBackends.size()];
    std::uint64_t bufferBytes = random() % 2 == 0 ? 4096 : 65536;
    std::uint32_t depth = 1 + static_cast<std::uint32_t>(random() % 3);
    name = "the engine on " + test::nameOf(backend) + " with buffers of " + std::to_string(bufferBytes) +
           ", depth " + std::to_string(depth) + ",";
    test::EnginePtr& engine = engines[{backend, bufferBytes, depth}];
    if (!engine) engine = test::openEngine(backend, bufferBytes, depth);
    return engine.get();
}

std::vector<test::ChunkValue> chunksOf(shredder_engine* engine, FuzzCase& c, const Bytes& stream) {
    return test::runStream(test::openStream(engine, c.params()).get(), stream, c.pieces());
}

/// The start of the stream against the definition, all of it against the scalar engine in one piece.
void checkEngine(FuzzCase& c) {
    std::string name;
    shredder_engine* engine = someEngine(c.random(), name);
    Bytes head(c.stream().begin(), c.stream().begin() + static_cast<std::ptrdiff_t>(
                                                            std::min(kDefinitionBytes, c.stream().size())));
    require(chunksOf(engine, c, head) == test::referenceChunks(c.params(), head), name);
    static const test::EnginePtr kScalar = test::openEngine(SHREDDER_BACKEND_SCALAR, 1 << 20, 1, 1);
    require(chunksOf(engine, c, c.stream()) == test::chunk(kScalar.get(), c.params(), c.stream()), name);
}

}  // namespace

void check(const std::uint8_t* bytes, std::size_t size) {
    static const std::vector<CpuKernels> kKernels = kernelsOfThisCpu();
    FuzzCase c(bytes, size);
    checkScans(c, kKernels);
    checkDigests(c, kKernels);
    checkRunningDigests(c, kKernels);
    checkEngine(c);
}

}  // namespace shredder::fuzz
