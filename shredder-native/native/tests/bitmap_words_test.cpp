// SPDX-License-Identifier: Apache-2.0
#include "cpu/bitmap_words.h"

#include <gtest/gtest.h>

#include <vector>

#include "cpu/features.h"

namespace shredder::test {
namespace {

std::vector<FirstNonZeroWord> forms() {
    std::vector<FirstNonZeroWord> forms{firstNonZeroWordPortable};
    if (cpuFeatures().avx512) forms.push_back(firstNonZeroWordAvx512);
    return forms;
}

TEST(BitmapWordsTest, everyFormFindsTheFirstWordOfEveryRange) {
    constexpr std::size_t kWords = 45;
    for (FirstNonZeroWord form : forms()) {
        for (std::size_t set = 0; set < kWords; set++) {
            std::vector<std::uint64_t> words(kWords);
            words[set] = 1ULL << (set % 64);
            for (std::size_t begin = 0; begin <= kWords; begin++) {
                for (std::size_t end = begin; end <= kWords; end++) {
                    std::size_t expected = set >= begin && set < end ? set : end;
                    ASSERT_EQ(form(words.data(), begin, end), expected)
                        << set << " in " << begin << ".." << end;
                }
            }
        }
    }
}

TEST(BitmapWordsTest, noFormReadsBeyondTheRange) {
    for (FirstNonZeroWord form : forms()) {
        for (std::size_t size = 0; size < 20; size++) {
            std::vector<std::uint64_t> words(size);  // the sanitizers watch its end
            EXPECT_EQ(form(words.data(), 0, size), size);
        }
    }
}

}  // namespace
}  // namespace shredder::test
