// SPDX-License-Identifier: Apache-2.0
#include "bench/one_thread.h"

#include "chunk/candidate_finder.h"

namespace shredder::bench {
namespace {

/// As the engine's ring buffers on the CPU.
constexpr std::size_t kBufferBytes = 8ULL << 20;

}  // namespace

OneThread::OneThread(ScanFunction scan, const shredder_params& params)
    : scan_(scan),
      spec_(scanSpec(params)),
      rules_(cutRules(params)),
      selector_(rules_),
      bitmap_(kBufferBytes / 64) {}

void OneThread::scan(const std::uint8_t* data, std::size_t size) {
    for (std::size_t begin = 0; begin < size; begin += kScanBlockBytes) {
        scan_(spec_, data + begin, std::min(kScanBlockBytes, size - begin), bitmap_.data());
    }
}

void OneThread::cut(const std::uint8_t* data, std::size_t size, DigestMany digest) {
    selector_ = CutSelector(rules_);
    for (std::size_t begin = 0; begin < size; begin += kBufferBytes) {
        std::size_t end = std::min(begin + kBufferBytes, size);
        chunks_.clear();
        cutBuffer(data, begin, end, end == size);
        if (digest != nullptr) digest(chunks_.data(), chunks_.size());
    }
}

void OneThread::cutBuffer(const std::uint8_t* data, std::size_t begin, std::size_t end, bool last) {
    scan_(spec_, data + begin, end - begin, bitmap_.data());
    auto emit = [&](std::uint64_t offset, std::uint32_t length, bool) {
        chunks_.push_back({data + offset, length, digest_});
    };
    Candidates candidates{.list = nullptr, .count = 0, .bitmap = bitmap_.data()};
    CandidateFinder finder(spec_, candidates, data + begin, begin);
    selector_.select(finder, begin, end, last, emit);
}

}  // namespace shredder::bench
