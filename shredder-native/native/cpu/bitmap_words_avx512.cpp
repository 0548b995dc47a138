// SPDX-License-Identifier: Apache-2.0
//
// Nearly all words of a scan's bitmap are 0, and which of a line's eight is not can't be predicted: so a line
// is one load and one test, and the word is found in the test's mask without a branch. The rest of a range
// that is no whole line is loaded under a mask, which also keeps the load inside the range.
#include <immintrin.h>

#include <bit>

#include "cpu/bitmap_words.h"

namespace shredder {
namespace {

constexpr std::size_t kLineWords = 8;

}  // namespace

std::size_t firstNonZeroWordAvx512(const std::uint64_t* words, std::size_t begin, std::size_t end) {
    for (; begin + kLineWords <= end; begin += kLineWords) {
        __m512i line = _mm512_loadu_si512(words + begin);
        unsigned nonZero = _mm512_test_epi64_mask(line, line);
        if (nonZero != 0) return begin + static_cast<std::size_t>(std::countr_zero(nonZero));
    }
    if (begin >= end) return end;
    auto inside = static_cast<__mmask8>((1U << (end - begin)) - 1);
    __m512i rest = _mm512_maskz_loadu_epi64(inside, words + begin);
    unsigned nonZero = _mm512_test_epi64_mask(rest, rest);
    return nonZero == 0 ? end : begin + static_cast<std::size_t>(std::countr_zero(nonZero));
}

}  // namespace shredder
