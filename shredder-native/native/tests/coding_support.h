// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "coding/code.h"
#include "tests/test_support.h"

namespace shredder::test {

/// One vector of testvectors/coding.json.
struct CodingVector {
    coding::Code code;
    std::size_t bytes;  ///< of a shard
    Bytes data;         ///< of the data shards, back to back
    std::string parityHex;
};
std::vector<CodingVector> codingVectors();

std::string text(const coding::Code& code);
std::string hexOf(const Bytes& bytes);

/// A Reed-Solomon code, small mostly, now and then with up to 256 shards.
coding::Code randomCode(std::mt19937_64& random);

/// Numbers of the bits that are set.
std::vector<std::size_t> bitsOf(unsigned bits);

/// Buffers of equal length that lie as they are told to, with bytes around each that must not change.
class Buffers {
  public:
    /// Buffer i begins offsets[i % offsets.size()] bytes behind a page's begin.
    Buffers(std::size_t count, std::size_t bytes, const std::vector<std::size_t>& offsets = {0});
    Buffers(const Buffers&) = delete;
    Buffers& operator=(const Buffers&) = delete;
    ~Buffers() = default;

    std::uint8_t* const* pointers() const { return pointers_.data(); }
    std::uint8_t* pointer(std::size_t i) const { return pointers_[i]; }
    Bytes bytes(std::size_t i) const { return {pointers_[i], pointers_[i] + bytes_}; }
    std::size_t count() const { return pointers_.size(); }

    /// Whether all that lies around the buffers is as it was.
    bool isUntouchedAround() const;

  private:
    std::size_t bytes_;
    std::size_t stride_;
    Bytes memory_;
    std::vector<std::uint8_t*> pointers_;
};

using Outputs = Buffers;

/// All shards of a code.
class Shards {
  public:
    Shards(const coding::Code& code, std::size_t bytes, const std::vector<std::size_t>& offsets = {0});

    /// Data shards back to back.
    void setData(const Bytes& data);

    const std::uint8_t* const* data() const { return buffers_.pointers(); }
    std::uint8_t* const* parity() const { return buffers_.pointers() + code_.data; }
    Bytes bytes(std::size_t shard) const { return buffers_.bytes(shard); }
    /// Parity shards back to back.
    Bytes parityBytes() const;
    /// A pointer for each shard, null for the lost ones.
    std::vector<const std::uint8_t*> without(const std::vector<std::size_t>& lost) const;
    bool isUntouchedAround() const { return buffers_.isUntouchedAround(); }

  private:
    coding::Code code_;
    std::size_t bytes_;
    Buffers buffers_;
};

}  // namespace shredder::test
