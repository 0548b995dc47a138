// SPDX-License-Identifier: Apache-2.0
#include "pipeline/buffer_sizer.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <random>

#include "tests/test_support.h"

namespace shredder::test {
namespace {

using Curve = std::map<std::size_t, double>;  // MB/s by size

/// Runs buffers through a machine of which the rate at each size, and what happens beside, is known.
class Machine {
  public:
    explicit Machine(Curve curve) : curve_(std::move(curve)), sizer_(sizesOf(curve_)) {}

    /// disturbance: of the number of the buffer, what its time is multiplied by.
    void run(
        int buffers, const std::function<double(int)>& disturbance = [](int) { return 1; }) {
        for (int i = 0; i < buffers; i++) {
            std::size_t size = sizer_.size();
            double seconds = static_cast<double>(size) / (curve_[size] * 1e6) * disturbance(i);
            now_ += std::chrono::duration_cast<BufferSizer::Clock::duration>(
                std::chrono::duration<double>(seconds));
            sizer_.done(size, now_);
        }
    }
    const BufferSizer& sizer() const { return sizer_; }
    Curve& curve() { return curve_; }

  private:
    static std::vector<std::size_t> sizesOf(const Curve& curve) {
        std::vector<std::size_t> sizes;
        for (const auto& point : curve) {
            sizes.push_back(point.first);
        }
        return sizes;
    }

    Curve curve_;
    BufferSizer sizer_;
    BufferSizer::Clock::time_point now_{};
};

/// CROCUS's figure 6: objects of 4 MB; 20 MB are best, 24 MB cost 12 %.
Curve figure6() {
    return {{4, 60}, {8, 75}, {12, 86}, {16, 94}, {20, 100}, {24, 88}, {28, 87}, {32, 86}};
}

Curve scaled(const Curve& curve) {
    Curve bytes;
    for (const auto& [size, rate] : curve) {
        bytes[size << 20] = rate;
    }
    return bytes;
}

TEST(BufferSizerTest, sizesDouble) {
    EXPECT_EQ(BufferSizer::doubled(4, 64), (std::vector<std::size_t>{4, 8, 16, 32, 64}));
    EXPECT_EQ(BufferSizer::doubled(4, 10), (std::vector<std::size_t>{4, 8, 10}));
    EXPECT_EQ(BufferSizer::doubled(4, 4), (std::vector<std::size_t>{4}));
    EXPECT_EQ(BufferSizer::doubled(4, 3), (std::vector<std::size_t>{3}));
}

TEST(BufferSizerTest, findsTheBestSizeOfFigure6AndStays) {
    Machine machine(scaled(figure6()));
    machine.run(3000);
    EXPECT_TRUE(machine.sizer().settled());
    EXPECT_EQ(machine.sizer().size(), 20U << 20);
    machine.run(3000);
    EXPECT_EQ(machine.sizer().size(), 20U << 20);
}

/// The paper's rule would stop at the first window that is 5 % slower. Here three of a size's five pairs must
/// have met a blip in the same window of the two: about once in four thousand searches, so one or two may be
/// wrong.
TEST(BufferSizerTest, blipsDontFoolIt) {
    std::mt19937_64 random(randomSeed());
    int fooled = 0;
    for (int round = 0; round < 50; round++) {
        Machine machine(scaled(figure6()));
        std::normal_distribution<double> noise(1, 0.03);
        // One buffer in a hundred takes twice its time, which makes its window 5 to 15 % slower.
        machine.run(4000, [&](int) { return std::max(0.5, noise(random)) * (random() % 100 == 0 ? 2 : 1); });
        EXPECT_TRUE(machine.sizer().settled());
        std::size_t size = machine.sizer().size();
        if (size < 16U << 20 || size > 20U << 20) fooled++;
    }
    EXPECT_LE(fooled, 2);
}

TEST(BufferSizerTest, asMachinesSlowDownBesideItTheBestStaysTheBest) {
    Machine machine(scaled(figure6()));
    machine.run(4000, [](int i) { return 1 + i / 1000.0; });
    EXPECT_EQ(machine.sizer().size(), 20U << 20);
}

TEST(BufferSizerTest, whereSizeChangesNothingTheLeastStays) {
    Machine machine(scaled({{4, 100}, {8, 101}, {16, 100}, {32, 102}}));
    machine.run(2000);
    EXPECT_TRUE(machine.sizer().settled());
    EXPECT_EQ(machine.sizer().size(), 4U << 20);
}

TEST(BufferSizerTest, searchesAnewWhenTheMachineIsAnotherOne) {
    Machine machine(scaled({{4, 100}, {8, 101}, {16, 100}}));
    machine.run(2000);
    EXPECT_EQ(machine.sizer().size(), 4U << 20);
    machine.curve() = scaled({{4, 300}, {8, 400}, {16, 500}});
    machine.run(3000);
    EXPECT_EQ(machine.sizer().size(), 16U << 20);
}

}  // namespace
}  // namespace shredder::test
