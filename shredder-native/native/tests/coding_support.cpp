// SPDX-License-Identifier: Apache-2.0
#include "tests/coding_support.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

namespace shredder::test {
namespace {

using nlohmann::json;

constexpr std::size_t kPageBytes = 4096;
constexpr std::uint8_t kAround = 0xA5;

std::uint32_t kindOf(const std::string& name) {
    if (name == "rs") return SHREDDER_CODE_RS;
    if (name == "rs-legacy") return SHREDDER_CODE_RS_LEGACY;
    if (name == "xor") return SHREDDER_CODE_XOR;
    throw std::runtime_error("unknown code " + name);
}

}  // namespace

std::vector<CodingVector> codingVectors() {
    std::ifstream file = vectorFile("coding.json");
    std::vector<CodingVector> vectors;
    for (const json& vector : json::parse(file)) {
        coding::Code code{kindOf(vector.at("code")), vector.at("data"), vector.at("parity")};
        const json& input = vector.at("input");
        std::size_t length = input.at("length");
        vectors.push_back({code, length / code.data, splitmix64(input.at("seed"), length),
                           vector.at("parityShards").get<std::string>()});
    }
    return vectors;
}

std::string text(const coding::Code& code) {
    return std::to_string(code.kind) + " (" + std::to_string(code.data) + "," + std::to_string(code.parity) +
           ")";
}

std::string hexOf(const Bytes& bytes) {
    return hexOf(bytes.data(), bytes.size());
}

coding::Code randomCode(std::mt19937_64& random) {
    std::size_t most = random() % 16 == 0 ? coding::kMostShards : 24;
    std::size_t shards = 2 + random() % (most - 1);
    std::size_t data = 1 + random() % (shards - 1);
    bool legacy = random() % 4 == 0 && shards < coding::kMostShards;
    return {legacy ? SHREDDER_CODE_RS_LEGACY : SHREDDER_CODE_RS, data, shards - data};
}

std::vector<std::size_t> bitsOf(unsigned bits) {
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; bits >> i != 0; i++) {
        if (((bits >> i) & 1U) != 0) numbers.push_back(i);
    }
    return numbers;
}

Buffers::Buffers(std::size_t count, std::size_t bytes, const std::vector<std::size_t>& offsets)
    : bytes_(bytes),
      stride_((bytes + 2 * kPageBytes - 1) / kPageBytes * kPageBytes + kPageBytes),
      memory_((count + 1) * stride_, kAround) {
    auto begin = reinterpret_cast<std::uintptr_t>(memory_.data());
    std::uint8_t* page = memory_.data() + (kPageBytes - begin % kPageBytes);
    for (std::size_t i = 0; i < count; i++) {
        pointers_.push_back(page + i * stride_ + offsets[i % offsets.size()] % kPageBytes);
    }
}

bool Buffers::isUntouchedAround() const {
    const std::uint8_t* at = memory_.data();
    // Equal to themselves a byte further on: all bytes are the same.
    auto untouched = [&](const std::uint8_t* end) {
        auto count = static_cast<std::size_t>(end - at);
        return count == 0 || (*at == kAround && std::memcmp(at, at + 1, count - 1) == 0);
    };
    for (const std::uint8_t* buffer : pointers_) {
        if (!untouched(buffer)) return false;
        at = buffer + bytes_;
    }
    return untouched(memory_.data() + memory_.size());
}

Shards::Shards(const coding::Code& code, std::size_t bytes, const std::vector<std::size_t>& offsets)
    : code_(code), bytes_(bytes), buffers_(code.shards(), bytes, offsets) {}

void Shards::setData(const Bytes& data) {
    for (std::size_t i = 0; i < code_.data; i++) {
        std::copy_n(data.begin() + static_cast<std::ptrdiff_t>(i * bytes_), bytes_, buffers_.pointer(i));
    }
}

Bytes Shards::parityBytes() const {
    Bytes all;
    for (std::size_t i = code_.data; i < code_.shards(); i++) {
        Bytes one = bytes(i);
        all.insert(all.end(), one.begin(), one.end());
    }
    return all;
}

std::vector<const std::uint8_t*> Shards::without(const std::vector<std::size_t>& lost) const {
    std::vector<const std::uint8_t*> pointers(buffers_.pointers(), buffers_.pointers() + buffers_.count());
    for (std::size_t shard : lost) {
        pointers[shard] = nullptr;
    }
    return pointers;
}

}  // namespace shredder::test
