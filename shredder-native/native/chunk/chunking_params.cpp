// SPDX-License-Identifier: Apache-2.0
#include "chunk/chunking_params.h"

#include <string>
#include <vector>

#include "pipeline/error.h"

namespace shredder {
namespace {

constexpr std::uint64_t kMaxChunkBytes = 1ULL << 30;
constexpr std::uint64_t kMaxSegmentBytes = (1ULL << 63) - 1;

std::uint64_t lowBits(std::uint32_t count) {
    return (1ULL << count) - 1;
}

std::string number(std::uint64_t value) {
    return std::to_string(value);
}

void checkMask(const shredder_params& p, std::vector<std::string>& problems) {
    if (p.mask_bits < 4 || p.mask_bits > 30) {
        problems.push_back("mask bits " + number(p.mask_bits) + " are not in 4..30");
    } else if ((p.marker & lowBits(p.mask_bits)) == 0) {
        problems.push_back("the marker's low " + number(p.mask_bits) +
                           " bits are 0, runs of zeros would match");
    }
    if (p.marker > kFingerprintMask) problems.push_back("the marker has more than 48 bits");
}

void checkLimits(const shredder_params& p, std::vector<std::string>& problems) {
    std::uint64_t average = p.mask_bits <= 30 ? 1ULL << p.mask_bits : 0;
    if (p.min_bytes < 1) problems.push_back("min is 0");
    if (p.min_bytes > average) {
        problems.push_back("min " + number(p.min_bytes) + " is above the average " + number(average));
    }
    if (p.max_bytes < average) {
        problems.push_back("max " + number(p.max_bytes) + " is below the average " + number(average));
    }
    if (p.max_bytes > kMaxChunkBytes) problems.push_back("max " + number(p.max_bytes) + " is above 1 GiB");
}

void checkSegments(const shredder_params& p, std::vector<std::string>& problems) {
    if (p.segment_mask_bits == 0) {
        if (p.segment_min_bytes != 0 || p.segment_max_bytes != 0) {
            problems.push_back("segment limits are set but segment mask bits are 0");
        }
        return;
    }
    if (p.segment_mask_bits <= p.mask_bits || p.segment_mask_bits > 40) {
        problems.push_back("segment mask bits " + number(p.segment_mask_bits) + " are not in " +
                           number(p.mask_bits + 1) + "..40");
        return;
    }
    std::uint64_t average = 1ULL << p.segment_mask_bits;
    if (p.segment_min_bytes < 1) problems.emplace_back("segment min is 0");
    if (p.segment_max_bytes > kMaxSegmentBytes) {
        problems.push_back("segment max " + number(p.segment_max_bytes) + " is above 2^63 - 1");
    }
    if (p.segment_min_bytes > average || p.segment_max_bytes < average) {
        problems.push_back("the segment average " + number(average) + " is not between segment min " +
                           number(p.segment_min_bytes) + " and segment max " + number(p.segment_max_bytes));
    }
    if (p.segment_max_bytes < p.max_bytes || p.segment_max_bytes - p.max_bytes < p.segment_min_bytes) {
        problems.push_back("segment max " + number(p.segment_max_bytes) + " is below segment min + max");
    }
}

bool isDigestAlgorithm(std::uint32_t value) {
    return value == static_cast<std::uint32_t>(DigestAlgorithm::Sha256) ||
           value == static_cast<std::uint32_t>(DigestAlgorithm::Blake3);
}

std::string notADigestAlgorithm(std::uint32_t value) {
    return "digest algorithm " + number(value) + " is neither 1 (SHA-256) nor 2 (BLAKE3)";
}

}  // namespace

DigestAlgorithm digestAlgorithm(std::uint32_t value) {
    if (!isDigestAlgorithm(value)) throw Error(SHREDDER_INVALID_ARGUMENT, notADigestAlgorithm(value));
    return static_cast<DigestAlgorithm>(value);
}

void validate(const shredder_params& params) {
    std::vector<std::string> problems;
    if (!Polynomial::isIrreducible(params.polynomial)) {
        problems.emplace_back("the polynomial is not irreducible of degree 48");
    }
    checkMask(params, problems);
    checkLimits(params, problems);
    checkSegments(params, problems);
    if (!isDigestAlgorithm(params.digest_algorithm)) {
        problems.push_back(notADigestAlgorithm(params.digest_algorithm));
    }
    if (problems.empty()) return;
    std::string text = "invalid chunking parameters: ";
    for (std::size_t i = 0; i < problems.size(); i++) {
        text += (i == 0 ? "" : "; ") + problems[i];
    }
    throw Error(SHREDDER_INVALID_ARGUMENT, text);
}

ScanSpec scanSpec(const shredder_params& params) {
    Polynomial polynomial(params.polynomial);
    std::uint64_t mask = lowBits(params.mask_bits);
    std::uint64_t segmentMask = lowBits(params.segment_mask_bits);
    return ScanSpec{.tables = RollTables(polynomial),
                    .mask = mask,
                    .marker = params.marker & mask,
                    .segmentMask = segmentMask,
                    .segmentMarker = params.marker & segmentMask,
                    .defaultPolynomial = polynomial.isDefault(),
                    .polynomial = params.polynomial};
}

CutRules cutRules(const shredder_params& params) {
    return CutRules{.minBytes = params.min_bytes,
                    .maxBytes = params.max_bytes,
                    .segmentMinBytes = params.segment_min_bytes,
                    .segmentMaxBytes = params.segment_max_bytes,
                    .hasSegments = params.segment_mask_bits != 0};
}

}  // namespace shredder
