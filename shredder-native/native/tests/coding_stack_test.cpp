// SPDX-License-Identifier: Apache-2.0
//
// How much stack coding takes: a thread of a JVM keeps 80 KiB for all that native code does.
#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "coding/erasure_coder.h"
#include "coding/form.h"
#include "tests/coding_support.h"

namespace shredder::test {
namespace {

using coding::Code;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
constexpr bool kFramesAreThoseOfUsers = false;
#else
constexpr bool kFramesAreThoseOfUsers = true;
#endif

/// The JVM's own frames and the door's tables of addresses need the rest.
constexpr std::size_t kMostStackBytes = 48 << 10;

/// A thread's stack in which whatever was used shows.
class PaintedStack {
  public:
    /// Bytes that the work used, those of the thread itself included.
    std::size_t usedBy(const std::function<void()>& work) {
        std::uint8_t* memory = &pages_[0].bytes[0];
        std::fill_n(memory, kBytes, kPaint);
        pthread_attr_t attributes;
        EXPECT_EQ(0, pthread_attr_init(&attributes));
        EXPECT_EQ(0, pthread_attr_setstack(&attributes, memory, kBytes));
        pthread_t thread;
        auto run = [](void* argument) -> void* {
            (*static_cast<const std::function<void()>*>(argument))();
            return nullptr;
        };
        EXPECT_EQ(0, pthread_create(&thread, &attributes, run, const_cast<std::function<void()>*>(&work)));
        EXPECT_EQ(0, pthread_join(thread, nullptr));
        EXPECT_EQ(0, pthread_attr_destroy(&attributes));
        const std::uint8_t* end = memory + kBytes;
        return static_cast<std::size_t>(end - std::find_if(static_cast<const std::uint8_t*>(memory), end,
                                                           [](std::uint8_t byte) { return byte != kPaint; }));
    }

  private:
    static constexpr std::size_t kBytes = 512 << 10;
    static constexpr std::uint8_t kPaint = 0xA5;

    struct alignas(4096) Page {
        std::uint8_t bytes[4096];
    };
    std::vector<Page> pages_ = std::vector<Page>(kBytes / sizeof(Page));
};

TEST(CodingStackTest, aLargeCodeTakesNoMoreThanAThreadOfAJvmHas) {
    if (!kFramesAreThoseOfUsers) GTEST_SKIP() << "frames of this build are larger";
    constexpr std::size_t kBytes = 1'000;  // no whole columns of 64
    const Code code{SHREDDER_CODE_RS, 128, 128};
    Shards shards(code, kBytes);
    shards.setData(splitmix64(5, code.data * kBytes));
    std::vector<std::size_t> lost(code.data - 1);  // of the data one is there: through tiles
    std::iota(lost.begin(), lost.end(), 0);
    Outputs outputs(lost.size(), kBytes);
    PaintedStack stack;
    std::size_t threadAlone = stack.usedBy([] {});
    for (const coding::CodingForm* form : coding::codingForms(cpuFeatures())) {
        const coding::ErasureCoder coder(code, *form, 1);
        std::size_t encoding = stack.usedBy([&] { coder.encode(shards.data(), shards.parity(), kBytes); });
        EXPECT_LT(encoding - threadAlone, kMostStackBytes) << form->name;
        auto left = shards.without(lost);
        std::size_t decoding =
            stack.usedBy([&] { coder.decode(left.data(), lost, outputs.pointers(), kBytes); });
        EXPECT_LT(decoding - threadAlone, kMostStackBytes) << form->name;
        for (std::size_t i = 0; i < lost.size(); i++) {
            EXPECT_EQ(shards.bytes(lost[i]), outputs.bytes(i)) << form->name;
        }
    }
}

}  // namespace
}  // namespace shredder::test
