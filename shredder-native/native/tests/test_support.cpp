// SPDX-License-Identifier: Apache-2.0
#include "tests/test_support.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <future>
#include <iostream>
#include <stdexcept>

#include "chunk/polynomial.h"
#include "cpu/blake3.h"
#include "cpu/sha256.h"

namespace shredder::test {
namespace {

constexpr std::uint64_t kMarker = 0x5A17'D3C9'6B45ULL;

/// f(i) by its definition: the window as a polynomial, reduced. The remainder is that of a sum, so each byte
/// adds what it gives at its place in the window.
class WindowRemainders {
  public:
    explicit WindowRemainders(std::uint64_t polynomial) {
        std::uint64_t power = 1;
        for (auto& ofByte : ofPlace_) {
            for (std::size_t bit = 1; bit < 256; bit <<= 1) {
                ofByte[bit] = power;
                power <<= 1;
                if ((power >> 48) != 0) power ^= polynomial;
            }
            for (std::size_t byte = 1; byte < 256; byte++) {
                ofByte[byte] = ofByte[byte & (byte - 1)] ^ ofByte[byte & (~byte + 1)];
            }
        }
    }

    std::uint64_t at(const Bytes& data, std::size_t i) const {
        std::uint64_t remainder = 0;
        for (std::size_t j = 0; j < std::min<std::size_t>(i + 1, ofPlace_.size()); j++) {
            remainder ^= ofPlace_[j][data[i - j]];
        }
        return remainder;
    }

  private:
    /// The remainders of all bytes, those of the window's last place first.
    std::array<std::array<std::uint64_t, 256>, 48> ofPlace_{};
};

bool matches(std::uint64_t fingerprint, const shredder_params& params, std::uint32_t bits) {
    return ((fingerprint ^ params.marker) & ((1ULL << bits) - 1)) == 0;
}

ChunkValue chunkValue(const Bytes& data, std::size_t begin, std::size_t end, bool segmentEnd,
                      std::uint32_t digestAlgorithm) {
    std::uint8_t digest[kDigestBytes];
    DigestMessage message{data.data() + begin, end - begin, digest};
    DigestMany digestOne = digestAlgorithm == 2 ? blake3ManyPortable : sha256ManyPortable;
    digestOne(&message, 1);
    return {begin, static_cast<std::uint32_t>(end - begin), segmentEnd, hexOf(digest, sizeof digest)};
}

void feed(shredder_stream* stream, const Bytes& data, const std::vector<std::size_t>& pieceSizes) {
    std::size_t position = 0;
    for (std::size_t piece = 0;; piece++) {
        std::uint8_t* payload = nullptr;
        std::uint64_t capacity = 0;
        check(shredder_stream_acquire(stream, &payload, &capacity));
        std::size_t wanted = pieceSizes[std::min(piece, pieceSizes.size() - 1)];
        std::size_t size = std::min({wanted, static_cast<std::size_t>(capacity), data.size() - position});
        if (size > 0) std::memcpy(payload, data.data() + position, size);
        position += size;
        if (position == data.size() && piece + 1 >= pieceSizes.size()) {
            check(shredder_stream_finish(stream, size));
            return;
        }
        check(shredder_stream_submit(stream, size));
    }
}

void append(std::vector<ChunkValue>& chunks, const shredder_batch& batch, const Bytes& data) {
    if (std::memcmp(batch.data, data.data() + batch.records[0].offset, batch.data_bytes) != 0) {
        throw std::runtime_error("the batch's bytes are not the stream's");
    }
    for (std::uint64_t i = 0; i < batch.record_count; i++) {
        const shredder_record& record = batch.records[i];
        chunks.push_back({record.offset, record.length, (record.flags & SHREDDER_RECORD_SEGMENT_END) != 0,
                          hexOf(record.digest, sizeof record.digest)});
    }
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const ChunkValue& chunk) {
    return out << chunk.offset << "+" << chunk.length << (chunk.segmentEnd ? "|" : "") << " "
               << chunk.digestHex;
}

std::string hexOf(const std::uint8_t* bytes, std::size_t count) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (std::size_t i = 0; i < count; i++) {
        text += kDigits[bytes[i] >> 4];
        text += kDigits[bytes[i] & 15];
    }
    return text;
}

Bytes bytesOfHex(const std::string& hex) {
    Bytes bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2) {
        bytes.push_back(static_cast<std::uint8_t>(std::stoul(hex.substr(i, 2), nullptr, 16)));
    }
    return bytes;
}

void check(shredder_status status) {
    if (status != SHREDDER_OK) throw std::runtime_error(shredder_last_error());
}

EnginePtr openEngine(shredder_backend backend, std::uint64_t bufferBytes, std::uint32_t depth,
                     std::uint32_t cpuThreads) {
    shredder_engine_options options{.backend = backend,
                                    .device = -1,
                                    .buffer_bytes = bufferBytes,
                                    .pipeline_depth = depth,
                                    .cpu_threads = cpuThreads};
    return openEngine(options);
}

EnginePtr openEngine(const shredder_engine_options& options) {
    shredder_engine* engine = nullptr;
    check(shredder_engine_open(&options, &engine));
    return EnginePtr(engine);
}

shredder_engine_info infoOf(const EnginePtr& engine) {
    shredder_engine_info info{};
    check(shredder_engine_describe(engine.get(), &info));
    return info;
}

StreamPtr openStream(shredder_engine* engine, const shredder_params& params) {
    shredder_stream* stream = nullptr;
    check(shredder_stream_open(engine, &params, &stream));
    return StreamPtr(stream);
}

shredder_params paramsOfAverage(std::uint32_t maskBits) {
    std::uint64_t average = 1ULL << maskBits;
    return {.polynomial = Polynomial::kDefaultBits,
            .marker = kMarker,
            .min_bytes = average / 4,
            .max_bytes = average * 4,
            .segment_min_bytes = 0,
            .segment_max_bytes = 0,
            .mask_bits = maskBits,
            .segment_mask_bits = 0,
            .digest_algorithm = 1,
            .compute_digests = 1};
}

std::vector<ChunkValue> runStream(shredder_stream* stream, const Bytes& data,
                                  const std::vector<std::size_t>& pieceSizes) {
    auto reader = std::async(std::launch::async, [&] {
        try {
            feed(stream, data, pieceSizes);
        } catch (...) {
            shredder_stream_cancel(stream);
            throw;
        }
    });
    std::vector<ChunkValue> chunks;
    try {
        for (;;) {
            shredder_batch batch{};
            check(shredder_stream_next(stream, &batch));
            if (batch.record_count == 0) break;
            append(chunks, batch, data);
            check(shredder_stream_release(stream));
        }
    } catch (...) {
        shredder_stream_cancel(stream);
        throw;
    }
    reader.get();
    return chunks;
}

std::vector<ChunkValue> chunk(shredder_engine* engine, const shredder_params& params, const Bytes& data) {
    return runStream(openStream(engine, params).get(), data, {SIZE_MAX});
}

std::vector<ChunkValue> referenceChunks(const shredder_params& params, const Bytes& data) {
    std::vector<ChunkValue> chunks;
    std::size_t chunkBegin = 0;
    std::size_t segmentBegin = 0;
    const WindowRemainders remainders(params.polynomial);
    for (std::size_t i = 0; i < data.size(); i++) {
        std::size_t cut = i + 1;
        std::uint64_t fingerprint = remainders.at(data, i);
        bool candidate =
            matches(fingerprint, params, params.mask_bits) && cut - chunkBegin >= params.min_bytes;
        if (!candidate && cut - chunkBegin != params.max_bytes && cut != data.size()) continue;
        bool strong = cut - segmentBegin >= params.segment_min_bytes &&
                      matches(fingerprint, params, params.segment_mask_bits);
        bool full = cut - segmentBegin > params.segment_max_bytes - params.max_bytes;
        bool segmentEnd = params.segment_mask_bits != 0 && (strong || full || cut == data.size());
        chunks.push_back(chunkValue(data, chunkBegin, cut, segmentEnd, params.digest_algorithm));
        chunkBegin = cut;
        if (segmentEnd) segmentBegin = cut;
    }
    return chunks;
}

std::vector<std::uint32_t> listOfBits(const std::vector<std::uint64_t>& bitmap, std::size_t bytes) {
    std::vector<std::uint32_t> list;
    for (std::size_t i = 0; i < bytes; i++) {
        if ((bitmap[i / 64] >> (i % 64) & 1) != 0) list.push_back(static_cast<std::uint32_t>(i + 1));
    }
    return list;
}

Bytes splitmix64(std::uint64_t seed, std::size_t size) {
    Bytes bytes(size);
    for (std::size_t i = 0; i < size; i += 8) {
        seed += 0x9E3779B97F4A7C15ULL;
        std::uint64_t z = seed;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        z ^= z >> 31;
        std::memcpy(bytes.data() + i, &z, std::min<std::size_t>(8, size - i));
    }
    return bytes;
}

std::ifstream vectorFile(const std::string& name) {
    const char* elsewhere = std::getenv("SHREDDER_TEST_VECTORS");
    std::string path = std::string(elsewhere != nullptr ? elsewhere : SHREDDER_TEST_VECTORS) + "/" + name;
    std::ifstream file(path);
    if (!file) throw std::runtime_error("no test vectors at " + path);
    return file;
}

std::vector<shredder_backend> availableBackends() {
    shredder_backend_info infos[8];
    std::size_t count = 0;
    check(shredder_backends(infos, 8, &count));
    std::vector<shredder_backend> backends;
    for (std::size_t i = 0; i < count; i++) {
        if (infos[i].available != 0) backends.push_back(static_cast<shredder_backend>(infos[i].backend));
    }
    return backends;
}

std::string nameOf(shredder_backend backend) {
    static constexpr const char* kNames[] = {"auto", "cpu", "scalar", "avx2", "cuda", "avx512"};
    return kNames[backend];
}

EnvironmentVariable::EnvironmentVariable(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    setenv(name, value.c_str(), 1);
}

EnvironmentVariable::~EnvironmentVariable() {
    if (old_) {
        setenv(name_, old_->c_str(), 1);
    } else {
        unsetenv(name_);
    }
}

std::uint64_t randomSeed() {
    const char* given = std::getenv("SHREDDER_TEST_SEED");
    std::uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device()();
    std::cout << "SHREDDER_TEST_SEED=" << seed << std::endl;
    return seed;
}

shredder_params randomParams(std::mt19937_64& random) {
    shredder_params params = paramsOfAverage(4 + static_cast<std::uint32_t>(random() % 9));
    std::uint64_t average = 1ULL << params.mask_bits;
    params.min_bytes = 1 + random() % average;
    params.max_bytes = average + random() % (4 * average);
    params.marker = (random() & ((1ULL << 48) - 1)) | 1;
    while (random() % 3 != 0 && params.polynomial == Polynomial::kDefaultBits) {
        std::uint64_t bits = (1ULL << 48) | (random() & ((1ULL << 48) - 1)) | 1;
        if (Polynomial::isIrreducible(bits)) params.polynomial = bits;
    }
    if (random() % 2 == 0) {
        params.segment_mask_bits = params.mask_bits + 1 + static_cast<std::uint32_t>(random() % 4);
        std::uint64_t segmentAverage = 1ULL << params.segment_mask_bits;
        params.segment_min_bytes = 1 + random() % segmentAverage;
        params.segment_max_bytes = segmentAverage + params.max_bytes + random() % (4 * segmentAverage);
    }
    return params;
}

TemporaryFolder::TemporaryFolder()
    : path_((std::filesystem::temp_directory_path() / "shredder-test-XXXXXX").string()) {
    if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no temporary folder " + path_);
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace shredder::test
