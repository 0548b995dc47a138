// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <vector>

namespace shredder {

/// Finds how far an engine's buffers are worth filling, while it works (CROCUS, TPDS 2020, section 4.4:
/// auto-sizing of virtual objects, figure 6). The paper adds an object each five seconds until the rate falls
/// by more than 5 %, so one slow moment ends the search. Here the best size so far and a larger one take
/// turns, window by window, and the median of the pairs' ratios decides: what happens beside falls on both.
/// Larger is taken only if it pays; after two sizes that don't, the search is over. It begins anew if the
/// rate later stays far from what it was. Thread-safe.
class BufferSizer {
  public:
    using Clock = std::chrono::steady_clock;

    /// least, doubled as often as it stays below most, and most.
    static std::vector<std::size_t> doubled(std::size_t least, std::size_t most);

    /// sizes: at least one, rising.
    explicit BufferSizer(std::vector<std::size_t> sizes);

    /// How far the next buffer is to be filled.
    std::size_t size() const;
    /// A buffer is through.
    void done(std::size_t bytes, Clock::time_point now);
    /// Whether the search is over, for now.
    bool settled() const;

  private:
    void endWindow(double rate);
    void decide(double gain);
    void watch(double rate);
    void restart();
    std::size_t current() const;

    mutable std::mutex mutex_;
    const std::vector<std::size_t> sizes_;
    std::size_t best_ = 0;       // its place in sizes_
    std::size_t candidate_ = 1;  // against it; behind the last: the search is over
    std::size_t notBetter_ = 0;  // sizes since the best one
    bool candidatesTurn_ = false;
    double bestsRate_ = 0;       // of this pair's first window
    std::vector<double> gains_;  // of pairs
    std::size_t skipped_ = 0;    // buffers of the window before, still on their way
    std::size_t buffers_ = 0;    // of this window
    std::size_t bytes_ = 0;
    Clock::time_point since_{};
    double usualRate_ = 0;     // since the search ended
    std::size_t unusual_ = 0;  // windows in a row
};

}  // namespace shredder
