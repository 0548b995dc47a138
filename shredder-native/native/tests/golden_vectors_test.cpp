// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/test_support.h"

namespace shredder::test {
namespace {

using nlohmann::json;

std::uint64_t hexNumber(const json& text) {
    return std::stoull(text.get<std::string>(), nullptr, 16);
}

shredder_params paramsOf(const json& vector) {
    const json& p = vector.at("params");
    return {.polynomial = hexNumber(p.at("polynomial")),
            .marker = hexNumber(p.at("marker")),
            .min_bytes = p.at("min"),
            .max_bytes = p.at("max"),
            .segment_min_bytes = p.at("segmentMin"),
            .segment_max_bytes = p.at("segmentMax"),
            .mask_bits = p.at("maskBits"),
            .segment_mask_bits = p.at("segmentMaskBits"),
            .digest_algorithm = p.value("digest", "sha256") == "blake3" ? 2U : 1U,
            .compute_digests = 1};
}

Bytes inputOf(const json& input) {
    std::string kind = input.at("kind");
    if (kind == "hex") return bytesOfHex(input.at("hex"));
    if (kind == "zeros") return Bytes(input.at("length").get<std::size_t>());
    if (kind == "splitmix64") return splitmix64(input.at("seed"), input.at("length"));
    if (kind == "repeat") {
        Bytes unit = bytesOfHex(input.at("hex"));
        Bytes bytes(input.at("length").get<std::size_t>());
        for (std::size_t i = 0; i < bytes.size(); i++) {
            bytes[i] = unit[i % unit.size()];
        }
        return bytes;
    }
    if (kind == "concat") {
        Bytes bytes;
        for (const json& part : input.at("parts")) {
            Bytes partBytes = inputOf(part);
            bytes.insert(bytes.end(), partBytes.begin(), partBytes.end());
        }
        return bytes;
    }
    throw std::runtime_error("unknown input kind " + kind);
}

std::vector<ChunkValue> chunksOf(const json& vector) {
    std::vector<ChunkValue> chunks;
    std::uint64_t offset = 0;
    for (const json& chunk : vector.at("chunks")) {
        chunks.push_back({offset, chunk.at(0), chunk.at(2), chunk.at(1)});
        offset += chunks.back().length;
    }
    return chunks;
}

json goldenVectors() {
    std::ifstream file = vectorFile("chunking.json");
    return json::parse(file);
}

TEST(GoldenVectorsTest, everyBackendGivesThem) {
    json vectors = goldenVectors();
    ASSERT_GE(vectors.size(), 10U);
    for (shredder_backend backend : availableBackends()) {
        for (std::uint64_t bufferBytes : {4096U, 65536U, 1U << 20}) {
            EnginePtr engine = openEngine(backend, bufferBytes);
            for (const json& vector : vectors) {
                SCOPED_TRACE(nameOf(backend) + ", " + std::to_string(bufferBytes) + ", " +
                             vector.at("name").get<std::string>());
                EXPECT_EQ(chunk(engine.get(), paramsOf(vector), inputOf(vector.at("input"))),
                          chunksOf(vector));
            }
        }
    }
}

TEST(GoldenVectorsTest, theTestsOwnDefinitionGivesThem) {
    for (const json& vector : goldenVectors()) {
        SCOPED_TRACE(vector.at("name").get<std::string>());
        EXPECT_EQ(referenceChunks(paramsOf(vector), inputOf(vector.at("input"))), chunksOf(vector));
    }
}

}  // namespace
}  // namespace shredder::test
