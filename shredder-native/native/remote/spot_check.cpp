// SPDX-License-Identifier: Apache-2.0
#include "remote/spot_check.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <random>

#include "chunk/candidate_finder.h"
#include "cpu/cpu_kernels.h"

namespace shredder::remote {
namespace {

constexpr std::size_t kPieceBytes = 4096;
constexpr std::size_t kBitsOfWord = 64;

/// What an enemy can't foresee, at least not from the buffer's number.
std::uint64_t secret() {
    static const std::uint64_t value = (std::uint64_t{std::random_device()()} << 32) | std::random_device()();
    return value;
}

/// 0 up to count.
std::size_t anyOf(std::size_t count, std::uint64_t seed) {
    return std::mt19937_64(seed ^ secret())() % count;
}

bool isMarked(const std::array<std::uint64_t, kPieceBytes / kBitsOfWord>& bitmap, std::size_t byte) {
    return (bitmap[byte / kBitsOfWord] >> (byte % kBitsOfWord) & 1) != 0;
}

bool isStrong(const ScanSpec& spec, const std::uint8_t* end) {
    return (windowFingerprint(spec.tables, end) & spec.segmentMask) == spec.segmentMarker;
}

}  // namespace

bool checkScan(const Job& job, const Candidates& candidates, std::uint64_t seed) {
    if (job.payloadBytes == 0) return true;
    const ScanSpec& spec = job.plan->scan;
    std::size_t begin = anyOf((job.payloadBytes + kPieceBytes - 1) / kPieceBytes, seed) * kPieceBytes;
    std::size_t size = std::min(kPieceBytes, job.payloadBytes - begin);
    std::array<std::uint64_t, kPieceBytes / kBitsOfWord> bitmap{};
    bestCpuKernels().scan.mark(spec, job.payload + begin, size, bitmap.data());
    CandidateFinder finder(spec, candidates, job.payload, 0);
    std::uint64_t found = finder.first(begin + 1, begin + size);
    for (std::size_t i = 0; i < size; i++) {
        std::uint64_t position = begin + i + 1;
        if (isMarked(bitmap, i) != (found == position)) return false;
        if (found != position) continue;
        if (job.plan->rules.hasSegments && finder.isStrong(found) != isStrong(spec, job.payload + position))
            return false;
        if (position < begin + size) found = finder.first(position + 1, begin + size);
    }
    return true;
}

bool checkDigest(const Job& job, std::uint64_t seed) {
    std::size_t first = job.firstInPayload();
    if (job.recordCount <= first) return true;
    std::size_t record = first + anyOf(job.recordCount - first, seed);
    std::array<std::uint8_t, sizeof shredder_record::digest> digest{};
    DigestMessage message{job.chunk(record), job.records[record].length, digest.data()};
    const CpuKernels& kernels = bestCpuKernels();
    (job.plan->digestAlgorithm == DigestAlgorithm::Blake3 ? kernels.blake3 : kernels.sha256)(&message, 1);
    return std::memcmp(digest.data(), job.records[record].digest, digest.size()) == 0;
}

}  // namespace shredder::remote
