// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "tests/test_support.h"

namespace shredder::fuzz {

/// What the bytes of a fuzzer stand for. Its first eight bytes seed every choice that needs no feedback:
/// polynomial, masks, marker, limits, segments, sizes of pieces. The rest is a script for the stream's bytes,
/// so that a few of them make runs, repeats and random stretches.
class FuzzCase {
  public:
    FuzzCase(const std::uint8_t* bytes, std::size_t size);

    const shredder_params& params() const { return params_; }
    /// At most 256 KiB.
    const test::Bytes& stream() const { return stream_; }
    /// For the choices of whoever checks the case.
    std::mt19937_64& random() { return random_; }

    /// Sizes of the pieces that a stream is fed in; some are 0, the last is not.
    std::vector<std::size_t> pieces();

  private:
    void runScript(const std::uint8_t* script, std::size_t size);
    void chooseMarker();

    std::mt19937_64 random_;
    test::Bytes stream_;
    shredder_params params_;
};

}  // namespace shredder::fuzz
