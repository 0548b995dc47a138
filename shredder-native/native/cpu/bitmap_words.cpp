// SPDX-License-Identifier: Apache-2.0
#include "cpu/bitmap_words.h"

#include "cpu/features.h"

namespace shredder {

std::size_t firstNonZeroWordPortable(const std::uint64_t* words, std::size_t begin, std::size_t end) {
    constexpr std::size_t kTogether = 8;
    for (; begin + kTogether <= end; begin += kTogether) {
        std::uint64_t any = 0;
        for (std::size_t i = 0; i < kTogether; i++) {
            any |= words[begin + i];
        }
        if (any != 0) break;
    }
    while (begin < end && words[begin] == 0) {
        begin++;
    }
    return begin;
}

FirstNonZeroWord bestFirstNonZeroWord() {
    return cpuFeatures().avx512 ? firstNonZeroWordAvx512 : firstNonZeroWordPortable;
}

}  // namespace shredder
