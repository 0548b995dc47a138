// SPDX-License-Identifier: Apache-2.0
#include "measure/one_thread.h"

#include <algorithm>

#include "chunk/candidate_finder.h"

namespace shredder::tools {

OneThread::OneThread(const CpuScan& form, const shredder_params& params)
    : form_(form),
      spec_(scanSpec(params)),
      rules_(cutRules(params)),
      selector_(rules_),
      scan_(kBufferBytes, 1) {}

void OneThread::scan(const std::uint8_t* data, std::size_t size) {
    for (std::size_t begin = 0; begin < size; begin += kBufferBytes) {
        scanBuffer(data + begin, std::min(kBufferBytes, size - begin));
    }
}

Candidates OneThread::scanBuffer(const std::uint8_t* data, std::size_t size) {
    std::size_t pieces = scan_.begin(data, size);
    for (std::size_t piece = 0; piece < pieces; piece++) {
        scan_.scan(form_, spec_, piece);
    }
    return scan_.candidates();
}

void OneThread::cutBuffer(const std::uint8_t* data, std::size_t begin, std::size_t end, bool last) {
    Candidates candidates = scanBuffer(data + begin, end - begin);
    chunks_.clear();
    auto emit = [&](std::uint64_t offset, std::uint32_t length, bool) {
        chunks_.push_back({data + offset, length, digest_});
    };
    CandidateFinder finder(spec_, candidates, data + begin, begin);
    selector_.select(finder, begin, end, last, emit);
}

}  // namespace shredder::tools
