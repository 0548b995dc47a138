// SPDX-License-Identifier: Apache-2.0
//
// Messages to lanes. A lane whose message has ended takes the next one; the longest come first, so that the
// lanes end together. When too few are left to make the lanes worthwhile, they are finished one by one, from
// the state that they have reached, by the form for one.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "chunk/sha256_constants.h"
#include "cpu/sha256.h"
#include "cpu/sha256_packing.h"

namespace shredder {
namespace {

constexpr std::size_t kWords = kSha256StateWords;

/// What a lane works on: first the message's whole blocks, then its padded end.
struct Lane {
    const DigestMessage* message = nullptr;  ///< null: idle
    std::size_t blocks = 0;                  ///< left, of the whole ones or of the end
    bool inEnd = false;
    Sha256End end;
};

class Lanes {
  public:
    Lanes(const Sha256LaneForm& form, const DigestMessage* messages, const std::vector<std::size_t>& order)
        : form_(form), messages_(messages), order_(order) {
        for (std::size_t lane = 0; lane < form_.lanes; lane++) {
            takeNext(lane);
        }
    }

    void run() {
        while (active_ >= form_.worthwhileLanes) {
            std::size_t blocks = fewestBlocks();
            pointIdleLanesSomewhere();
            form_.compress(states_, at_, blocks);
            for (std::size_t lane = 0; lane < form_.lanes; lane++) {
                if (lanes_[lane].message != nullptr) advance(lane, blocks);
            }
        }
        finishOneByOne();
    }

  private:
    void takeNext(std::size_t index) {
        Lane& lane = lanes_[index];
        lane.message = nullptr;
        if (taken_ == order_.size()) return;
        lane.message = &messages_[order_[taken_++]];
        active_++;
        lane.blocks = lane.message->size / kSha256BlockBytes;
        lane.inEnd = false;
        at_[index] = lane.message->data;
        static constexpr std::uint32_t kInitialState[kWords] = {SHREDDER_SHA256_INITIAL_STATE};
        for (std::size_t i = 0; i < kWords; i++) {
            states_.word[i][index] = kInitialState[i];
        }
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
        storeDigest(index);
        active_--;
        takeNext(index);
    }

    std::size_t fewestBlocks() const {
        std::size_t fewest = SIZE_MAX;
        for (const Lane& lane : lanes_) {
            if (lane.message != nullptr) fewest = std::min(fewest, lane.blocks);
        }
        return fewest;
    }

    /// They compute along on bytes that may be read, and nobody looks at the result.
    void pointIdleLanesSomewhere() {
        std::size_t busy = 0;
        while (lanes_[busy].message == nullptr)
            busy++;
        for (std::size_t lane = 0; lane < form_.lanes; lane++) {
            if (lanes_[lane].message == nullptr) at_[lane] = at_[busy];
        }
    }

    void finishOneByOne() {
        for (std::size_t index = 0; index < form_.lanes; index++) {
            Lane& lane = lanes_[index];
            if (lane.message == nullptr) continue;
            std::uint32_t state[kWords];
            for (std::size_t i = 0; i < kWords; i++) {
                state[i] = states_.word[i][index];
            }
            form_.one(state, at_[index], lane.blocks);
            if (!lane.inEnd) {
                beginEnd(index);
                form_.one(state, at_[index], lane.blocks);
            }
            for (std::size_t i = 0; i < kWords; i++) {
                states_.word[i][index] = state[i];
            }
            storeDigest(index);
        }
    }

    void storeDigest(std::size_t index) {
        std::uint32_t state[kWords];
        for (std::size_t i = 0; i < kWords; i++) {
            state[i] = states_.word[i][index];
        }
        storeSha256(state, lanes_[index].message->digest);
    }

    const Sha256LaneForm& form_;
    const DigestMessage* messages_;
    const std::vector<std::size_t>& order_;
    std::size_t taken_ = 0;
    std::size_t active_ = 0;
    Sha256LaneStates states_{};
    const std::uint8_t* at_[kSha256MaxLanes] = {};
    Lane lanes_[kSha256MaxLanes];
};

}  // namespace

void sha256ManyPacked(const Sha256LaneForm& form, const DigestMessage* messages, std::size_t count) {
    std::vector<std::size_t> longestFirst(count);
    std::iota(longestFirst.begin(), longestFirst.end(), std::size_t{0});
    std::sort(longestFirst.begin(), longestFirst.end(),
              [&](std::size_t a, std::size_t b) { return messages[a].size > messages[b].size; });
    Lanes(form, messages, longestFirst).run();
}

}  // namespace shredder
