// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "chunk/chunking_params.h"
#include "cpu/digest.h"
#include "cpu/scan.h"

namespace shredder::bench {

/// One thread's way through an input, as the CPU device has it: scan a piece, select its cuts, digest the
/// chunks of a buffer.
class OneThread {
  public:
    OneThread(ScanFunction scan, const shredder_params& params);

    void scan(const std::uint8_t* data, std::size_t size);

    /// digest may be null.
    void cut(const std::uint8_t* data, std::size_t size, DigestMany digest);

  private:
    void cutBuffer(const std::uint8_t* data, std::size_t begin, std::size_t end, bool last);

    ScanFunction scan_;
    ScanSpec spec_;
    CutRules rules_;
    CutSelector selector_;
    std::vector<std::uint64_t> bitmap_;
    std::vector<DigestMessage> chunks_;
    std::uint8_t digest_[kDigestBytes];
};

}  // namespace shredder::bench
