// SPDX-License-Identifier: Apache-2.0
#include "measure/rate_settings.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>

#include "chunk/polynomial.h"

namespace shredder::tools {
namespace {

template <typename Value>
Value oneOf(const std::string& key, const std::string& text, const std::map<std::string, Value>& values) {
    auto found = values.find(text);
    if (found != values.end()) return found->second;
    std::string known;
    for (const auto& [name, value] : values) {
        known += (known.empty() ? "" : ", ") + name;
    }
    throw std::invalid_argument(key + "=" + text + ": use one of " + known);
}

std::uint32_t number(const std::string& text) {
    return static_cast<std::uint32_t>(parseBytes(text));
}

const std::map<std::string, shredder_backend> kBackends = {
    {"auto", SHREDDER_BACKEND_AUTO}, {"cpu", SHREDDER_BACKEND_CPU},       {"scalar", SHREDDER_BACKEND_SCALAR},
    {"avx2", SHREDDER_BACKEND_AVX2}, {"avx512", SHREDDER_BACKEND_AVX512}, {"cuda", SHREDDER_BACKEND_CUDA}};
const std::map<std::string, Source> kSources = {
    {"ring", Source::kRing}, {"copy", Source::kCopy}, {"file", Source::kFile}};
const std::map<std::string, std::uint32_t> kDigests = {{"none", 0}, {"sha256", 1}, {"blake3", 2}};
const std::map<std::string, std::uint32_t> kSwitches = {{"pageable", SHREDDER_SWITCH_PAGEABLE},
                                                        {"no-reuse", SHREDDER_SWITCH_NO_REUSE},
                                                        {"no-overlap", SHREDDER_SWITCH_NO_OVERLAP},
                                                        {"naive-scan", SHREDDER_SWITCH_NAIVE_SCAN},
                                                        {"auto-buffers", SHREDDER_SWITCH_AUTO_BUFFERS}};
const std::map<std::string, shredder_scheduling> kSchedulings = {{"shortest-queue", SHREDDER_SHORTEST_QUEUE},
                                                                 {"round-robin", SHREDDER_ROUND_ROBIN},
                                                                 {"lafs", SHREDDER_LAFS},
                                                                 {"least-work", SHREDDER_LEAST_WORK},
                                                                 {"two-choices", SHREDDER_TWO_CHOICES}};

/// Names with '+' between.
std::uint32_t switchesOf(const std::string& text) {
    std::uint32_t bits = 0;
    std::istringstream names(text);
    for (std::string name; std::getline(names, name, '+');) {
        bits |= oneOf("switches", name, kSwitches);
    }
    return bits;
}

using Setter = std::function<void(RateSettings&, const std::string&)>;

const std::map<std::string, Setter> kSetters = {
    {"name", [](RateSettings& row, const std::string& text) { row.name = text; }},
    {"backend",
     [](RateSettings& row, const std::string& text) {
         oneOf("backend", text, kBackends);
         row.backend = text;
     }},
    {"bytes", [](RateSettings& row, const std::string& text) { row.bytes = parseBytes(text); }},
    {"buffer", [](RateSettings& row, const std::string& text) { row.bufferBytes = parseBytes(text); }},
    {"blocks", [](RateSettings& row, const std::string& text) { row.blocks = parseBytes(text); }},
    {"depth", [](RateSettings& row, const std::string& text) { row.pipelineDepth = number(text); }},
    {"threads", [](RateSettings& row, const std::string& text) { row.threads = number(text); }},
    {"devices", [](RateSettings& row, const std::string& text) { row.devices = number(text); }},
    {"pool",
     [](RateSettings& row, const std::string& text) {
         row.pool = text;
         std::replace(row.pool.begin(), row.pool.end(), '+', ',');
     }},
    {"switches", [](RateSettings& row, const std::string& text) { row.switches = switchesOf(text); }},
    {"scheduling", [](RateSettings& row,
                      const std::string& text) { row.scheduling = oneOf("scheduling", text, kSchedulings); }},
    {"streams", [](RateSettings& row, const std::string& text) { row.streams = number(text); }},
    {"average", [](RateSettings& row, const std::string& text) { row.average = number(text); }},
    {"limits",
     [](RateSettings& row, const std::string& text) {
         row.limits = oneOf<bool>("limits", text, {{"yes", true}, {"no", false}});
     }},
    {"max", [](RateSettings& row, const std::string& text) { row.maxBytes = parseBytes(text); }},
    {"input", [](RateSettings& row, const std::string& text) { row.input = text; }},
    {"digest",
     [](RateSettings& row, const std::string& text) {
         oneOf("digest", text, kDigests);
         row.digest = text;
     }},
    {"source",
     [](RateSettings& row, const std::string& text) { row.source = oneOf("source", text, kSources); }},
    {"path", [](RateSettings& row, const std::string& text) { row.path = text; }},
    {"readers", [](RateSettings& row, const std::string& text) { row.readers = number(text); }},
    {"direct",
     [](RateSettings& row, const std::string& text) {
         row.direct = oneOf<bool>("direct", text, {{"yes", true}, {"no", false}});
     }},
    {"repeat",
     [](RateSettings& row, const std::string& text) { row.repeat = static_cast<int>(number(text)); }},
};

void requireSense(const RateSettings& row) {
    if ((row.source == Source::kFile) != !row.path.empty()) {
        throw std::invalid_argument(row.name + ": source=file and path=FILE go together");
    }
    if (row.blocks > 0 && row.bufferBytes == 0) {
        throw std::invalid_argument(row.name + ": blocks needs buffer");
    }
    if (!std::has_single_bit(row.average)) {
        throw std::invalid_argument("average=" + std::to_string(row.average) + ": use a power of two");
    }
    if (row.streams == 0 || row.repeat < 1 || row.bytes == 0) {
        throw std::invalid_argument(row.name + ": streams, repeat and bytes must be at least 1");
    }
}

}  // namespace

const std::map<std::string, shredder_scheduling>& schedulings() {
    return kSchedulings;
}

std::uint64_t parseBytes(const std::string& text) {
    std::size_t digits = 0;
    std::uint64_t value = 0;
    try {
        value = std::stoull(text, &digits);
    } catch (const std::exception&) {
        throw std::invalid_argument("'" + text + "' is not a number");
    }
    std::string unit = text.substr(digits);
    return value << oneOf<int>("unit of " + text + ", unit", unit,
                               {{"", 0}, {"K", 10}, {"M", 20}, {"G", 30}});
}

RateSettings parseRateSettings(const std::string& text) {
    RateSettings row;
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ',');) {
        std::size_t equals = word.find('=');
        if (equals == std::string::npos) throw std::invalid_argument("'" + word + "' is not key=value");
        oneOf("key", word.substr(0, equals), kSetters)(row, word.substr(equals + 1));
    }
    requireSense(row);
    if (row.blocks > 0) row.bytes = row.blocks * row.bufferBytes * row.streams;
    return row;
}

shredder_engine_options RateSettings::engineOptions() const {
    return {.backend = static_cast<std::uint32_t>(kBackends.at(backend)),
            .device = -1,
            .buffer_bytes = bufferBytes,
            .pipeline_depth = pipelineDepth,
            .cpu_threads = threads,
            .switches = switches,
            .scheduling = scheduling,
            .device_count = devices,
            .devices = pool.empty() ? nullptr : pool.c_str()};
}

shredder_read_options RateSettings::readOptions(std::uint64_t bytesPerStream) const {
    return {.threads = readers, .direct = direct ? 1U : 0U, .offset = 0, .length = bytesPerStream};
}

const char* RateSettings::sourceName() const {
    auto named = [this](const auto& entry) { return entry.second == source; };
    return std::find_if(kSources.begin(), kSources.end(), named)->first.c_str();
}

shredder_params RateSettings::params() const {
    std::uint32_t algorithm = kDigests.at(digest);
    std::uint64_t usualMax = limits ? 4ULL * average : 1ULL << 30;
    return {.polynomial = Polynomial::kDefaultBits,
            .marker = 0x5A17'D3C9'6B45ULL,
            .min_bytes = limits ? average / 4 : 1,
            .max_bytes = maxBytes != 0 ? maxBytes : usualMax,
            .segment_min_bytes = 0,
            .segment_max_bytes = 0,
            .mask_bits = static_cast<std::uint32_t>(std::countr_zero(average)),
            .segment_mask_bits = 0,
            .digest_algorithm = algorithm == 0 ? 1 : algorithm,
            .compute_digests = algorithm == 0 ? 0U : 1U};
}

}  // namespace shredder::tools
