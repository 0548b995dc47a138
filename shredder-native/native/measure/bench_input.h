// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>

#include "shredder.h"

namespace shredder::bench {

/// More than any cache of today holds, so that what passes over it reads from memory.
inline constexpr std::size_t kInputBytes = 1ULL << 30;

/// kInputBytes of one kind, with a window of zeros before them: "random", "text", "zero", or "flood", where
/// every byte is a candidate under floodParams. One buffer for all kinds: filling it again ends the last
/// kind.
class BenchInput {
  public:
    static const std::uint8_t* of(const std::string& kind);

  private:
    static constexpr std::size_t kBefore = 4096;
    static constexpr std::align_val_t kAlignment{4096};
    struct Delete {
        void operator()(std::uint8_t* memory) const { ::operator delete[](memory, kAlignment); }
    };

    BenchInput();
    void fill(const std::string& kind);

    std::unique_ptr<std::uint8_t[], Delete> memory_;
    std::string kind_;
};

/// Chunks of average bytes (a power of two), a quarter to eight times of it.
shredder_params paramsOf(std::uint64_t averageBytes);

/// The same with an irreducible polynomial that has no pattern.
shredder_params withAnotherPolynomial(shredder_params params);

/// The same with the flood's fingerprint as marker.
shredder_params floodParams(shredder_params params);

}  // namespace shredder::bench
