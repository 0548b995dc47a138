// SPDX-License-Identifier: Apache-2.0
//
// Messages to lanes. A lane whose message has ended takes the next one; the longest come first, so that the
// lanes end together. When too few are left to make the lanes worthwhile, a form with fewer lanes goes on
// with them, from the states that they have reached.
#include "cpu/sha256_packing.h"

#include <algorithm>

#include "chunk/sha256_constants.h"

namespace shredder {
namespace {

/// Messages with the longest first among each kTogether, so that no memory is needed for the order. The first
/// ones may be fewer, so that the last are not.
class LongestFirst {
  public:
    LongestFirst(const DigestMessage* messages, std::size_t count)
        : next_(messages), end_(messages + count) {}

    /// Null after the last one.
    const DigestMessage* take() {
        if (taken_ == sorted_ && !sortMore()) return nullptr;
        const DigestMessage* message = order_[taken_++];
        if (taken_ != sorted_) prefetch(*order_[taken_]);
        return message;
    }

  private:
    static constexpr std::size_t kTogether = 1024;

    /// The bytes that a lane begins with before its own prefetches come into effect.
    static void prefetch(const DigestMessage& message) {
        for (std::size_t at = 0; at < std::min(message.size, kSha256PrefetchBytes); at += kSha256BlockBytes) {
            __builtin_prefetch(message.data + at);
        }
    }

    bool sortMore() {
        auto left = static_cast<std::size_t>(end_ - next_);
        if (left == 0) return false;
        sorted_ = left % kTogether != 0 ? left % kTogether : kTogether;
        for (std::size_t i = 0; i < sorted_; i++) {
            order_[i] = next_++;
        }
        std::sort(order_, order_ + sorted_,
                  [](const DigestMessage* a, const DigestMessage* b) { return a->size > b->size; });
        taken_ = 0;
        return true;
    }

    const DigestMessage* next_;
    const DigestMessage* end_;
    const DigestMessage* order_[kTogether];
    std::size_t sorted_ = 0;
    std::size_t taken_ = 0;
};

/// What a lane works on: first the message's whole blocks, then its padded end.
struct Lane {
    const DigestMessage* message = nullptr;  ///< null: idle
    std::size_t blocks = 0;                  ///< left, of the whole ones or of the end
    bool inEnd = false;
    Sha256End end;
};

class Lanes {
  public:
    Lanes(const DigestMessage* messages, std::size_t count) : messages_(messages, count) {}

    void run(const Sha256LaneForm& widest) {
        for (const Sha256LaneForm* form = &widest; form != nullptr; form = form->rest) {
            use(*form);
            while (active_ >= form->worthwhileLanes) {
                std::size_t blocks = fewestBlocks();
                pointIdleLanesSomewhere();
                form->compress(states_, at_, blocks);
                for (std::size_t lane = 0; lane < width_; lane++) {
                    if (lanes_[lane].message != nullptr) advance(lane, blocks);
                }
            }
        }
    }

  private:
    /// Goes on with another form. The messages under way lie in the first lanes then; those that the form has
    /// no lanes for wait behind them.
    void use(const Sha256LaneForm& form) {
        std::size_t packed = 0;
        for (std::size_t lane = 0; lane < width_; lane++) {
            if (lanes_[lane].message != nullptr) move(lane, packed++);
        }
        width_ = form.lanes;
        waiting_ = std::max(packed, width_);
        for (std::size_t lane = packed; lane < width_; lane++) {
            takeNext(lane);
        }
    }

    void move(std::size_t from, std::size_t to) {
        if (from == to) return;
        std::uint32_t state[kSha256StateWords];
        states_.load(from, state);
        states_.store(to, state);
        lanes_[to] = lanes_[from];
        at_[to] =
            lanes_[from].inEnd ? lanes_[to].end.bytes + (at_[from] - lanes_[from].end.bytes) : at_[from];
        lanes_[from].message = nullptr;
    }

    void takeNext(std::size_t index) {
        Lane& lane = lanes_[index];
        if (waiting_ > width_) {
            move(--waiting_, index);
            return;
        }
        lane.message = messages_.take();
        if (lane.message == nullptr) return;
        active_++;
        lane.blocks = lane.message->size / kSha256BlockBytes;
        lane.inEnd = false;
        at_[index] = lane.message->data;
        static constexpr std::uint32_t kInitialState[kSha256StateWords] = {SHREDDER_SHA256_INITIAL_STATE};
        states_.store(index, kInitialState);
        if (lane.blocks == 0) beginEnd(index);
    }

    void beginEnd(std::size_t index) {
        Lane& lane = lanes_[index];
        lane.end = sha256End(*lane.message);
        lane.blocks = lane.end.blocks;
        lane.inEnd = true;
        at_[index] = lane.end.bytes;
    }

    void advance(std::size_t index, std::size_t blocks) {
        Lane& lane = lanes_[index];
        lane.blocks -= blocks;
        if (lane.blocks != 0) return;
        if (!lane.inEnd) {
            beginEnd(index);
            return;
        }
        std::uint32_t state[kSha256StateWords];
        states_.load(index, state);
        storeSha256(state, lane.message->digest);
        lane.message = nullptr;
        active_--;
        takeNext(index);
    }

    std::size_t fewestBlocks() const {
        std::size_t fewest = SIZE_MAX;
        for (std::size_t lane = 0; lane < width_; lane++) {
            if (lanes_[lane].message != nullptr) fewest = std::min(fewest, lanes_[lane].blocks);
        }
        return fewest;
    }

    /// They compute along on bytes that may be read, and nobody looks at the result.
    void pointIdleLanesSomewhere() {
        std::size_t busy = 0;
        while (lanes_[busy].message == nullptr)
            busy++;
        for (std::size_t lane = 0; lane < width_; lane++) {
            if (lanes_[lane].message == nullptr) at_[lane] = at_[busy];
        }
    }

    LongestFirst messages_;
    std::size_t width_ = 0;    ///< lanes of the form in use
    std::size_t waiting_ = 0;  ///< lanes from width_ on to before this wait for one of the form's
    std::size_t active_ = 0;   ///< lanes with a message
    Sha256LaneStates states_{};
    const std::uint8_t* at_[kSha256MaxLanes] = {};
    Lane lanes_[kSha256MaxLanes];
};

}  // namespace

void sha256ManyPacked(const Sha256LaneForm& form, const DigestMessage* messages, std::size_t count) {
    Lanes(messages, count).run(form);
}

}  // namespace shredder
