// SPDX-License-Identifier: Apache-2.0
#include "cpu/memory_cuts.h"

#include <algorithm>
#include <string>

#include "chunk/candidate_finder.h"
#include "chunk/chunking_params.h"
#include "chunk/cut_selector.h"
#include "cpu/buffer_scan.h"
#include "cpu/cpu_kernels.h"
#include "pipeline/error.h"

namespace shredder {
namespace {

/// Positions are 31 bits wide (candidates.h).
constexpr std::size_t kMostBytes = 1ULL << 30;
/// Scanned at once, whatever the size: so the memory for what is found is small and stays in a near cache.
constexpr std::size_t kSectionBytes = 4 * kScanBlockBytes;

void check(const shredder_params& params, std::size_t size) {
    validate(params);
    if (params.min_bytes < kWindowBytes || params.segment_mask_bits != 0) {
        throw Error(SHREDDER_INVALID_ARGUMENT, "memory can be cut with a min of at least " +
                                                   std::to_string(kWindowBytes) +
                                                   " and without segments only");
    }
    if (size > kMostBytes) {
        throw Error(SHREDDER_INVALID_ARGUMENT,
                    "more than 1 GiB can't be cut at once: " + std::to_string(size));
    }
}

}  // namespace

std::vector<std::uint32_t> cutMemory(const shredder_params& params, const std::uint8_t* data,
                                     std::size_t size, bool last) {
    check(params, size);
    std::vector<std::uint32_t> lengths;
    if (size <= kWindowBytes) {
        if (last && size != 0) lengths.push_back(static_cast<std::uint32_t>(size));
        return lengths;
    }
    const ScanSpec spec = scanSpec(params);
    CutSelector selector(cutRules(params));
    BufferScan scan(std::min(kSectionBytes, size - kWindowBytes), 1);
    for (std::size_t begin = kWindowBytes; begin < size; begin += kSectionBytes) {
        std::size_t end = std::min(begin + kSectionBytes, size);
        scan.begin(data + begin, end - begin);
        scan.scan(bestCpuKernels().scan, spec, 0);
        CandidateFinder finder(spec, scan.candidates(), data + begin, begin);
        selector.select(finder, begin, end, last && end == size,
                        [&](std::uint64_t, std::uint32_t length, bool) { lengths.push_back(length); });
    }
    return lengths;
}

}  // namespace shredder
