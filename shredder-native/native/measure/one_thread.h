// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "chunk/chunking_params.h"
#include "cpu/buffer_scan.h"
#include "cpu/digest.h"
#include "cpu/scan.h"

namespace shredder::tools {

/// One thread's way through an input, buffer by buffer as the CPU device has it, but without ring and queues:
/// scan, select the cuts, digest the chunks that end in the buffer.
class OneThread {
  public:
    OneThread(const CpuScan& form, const shredder_params& params);

    /// Candidates alone. The 48 bytes before data must be readable.
    void scan(const std::uint8_t* data, std::size_t size);

    /// Calls digest(messages, count) once a buffer; the messages' digests all go to one place.
    template <typename Digest>
    void cut(const std::uint8_t* data, std::size_t size, Digest digest) {
        selector_ = CutSelector(rules_);
        for (std::size_t begin = 0; begin < size; begin += kBufferBytes) {
            std::size_t end = begin + kBufferBytes < size ? begin + kBufferBytes : size;
            cutBuffer(data, begin, end, end == size);
            digest(chunks_.data(), chunks_.size());
        }
    }

  private:
    /// As the engine's smallest buffers on the CPU.
    static constexpr std::size_t kBufferBytes = 8ULL << 20;

    Candidates scanBuffer(const std::uint8_t* data, std::size_t size);
    void cutBuffer(const std::uint8_t* data, std::size_t begin, std::size_t end, bool last);

    CpuScan form_;
    ScanSpec spec_;
    CutRules rules_;
    CutSelector selector_;
    BufferScan scan_;
    std::vector<DigestMessage> chunks_;
    std::uint8_t digest_[kDigestBytes];
};

}  // namespace shredder::tools
