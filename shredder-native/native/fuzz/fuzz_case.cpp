// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_case.h"

#include <algorithm>
#include <cstring>

#include "chunk/fingerprint.h"

namespace shredder::fuzz {
namespace {

constexpr std::size_t kMaxStreamBytes = 256 << 10;

std::uint64_t seedOf(const std::uint8_t* bytes, std::size_t size) {
    std::uint64_t seed = 0;
    if (size != 0) std::memcpy(&seed, bytes, std::min(size, sizeof seed));
    return seed;
}

/// Takes the script apart; zeros after its end.
class Script {
  public:
    Script(const std::uint8_t* bytes, std::size_t size) : at_(bytes), left_(size) {}

    bool isDone() const { return left_ == 0; }
    std::uint8_t byte() {
        if (left_ == 0) return 0;
        left_--;
        return *at_++;
    }
    std::size_t number() {
        std::size_t low = byte();
        return low | std::size_t{byte()} << 8;
    }

  private:
    const std::uint8_t* at_;
    std::size_t left_;
};

void appendCopy(test::Bytes& stream, std::size_t distance, std::size_t length) {
    if (stream.empty()) return;
    std::size_t from = stream.size() - 1 - distance % stream.size();
    for (std::size_t i = 0; i < length; i++) {
        stream.push_back(stream[from + i]);
    }
}

}  // namespace

FuzzCase::FuzzCase(const std::uint8_t* bytes, std::size_t size)
    : random_(seedOf(bytes, size)), params_(test::randomParams(random_)) {
    std::size_t seedBytes = std::min<std::size_t>(size, 8);
    runScript(bytes + seedBytes, size - seedBytes);
    params_.digest_algorithm = 1 + static_cast<std::uint32_t>(random_() % 2);
    if (random_() % 2 == 0) chooseMarker();
}

void FuzzCase::runScript(const std::uint8_t* bytes, std::size_t size) {
    Script script(bytes, size);
    while (!script.isDone() && stream_.size() < kMaxStreamBytes) {
        std::uint8_t step = script.byte();
        if (step % 4 == 0) {
            for (std::size_t i = 0; i <= step / 4; i++) {
                stream_.push_back(script.byte());
            }
        } else if (step % 4 == 1) {
            std::size_t length = script.number() % 20'000;
            stream_.insert(stream_.end(), length, script.byte());
        } else if (step % 4 == 2) {
            std::size_t distance = script.number();
            appendCopy(stream_, distance, script.number());
        } else {
            std::size_t length = script.number();
            test::Bytes some = test::splitmix64(script.byte(), length);
            stream_.insert(stream_.end(), some.begin(), some.end());
        }
    }
    if (stream_.size() > kMaxStreamBytes) stream_.resize(kMaxStreamBytes);
}

/// The fingerprint of some window of the stream, so that there are candidates whatever the mask.
void FuzzCase::chooseMarker() {
    if (stream_.size() <= kWindowBytes) return;
    std::size_t end = kWindowBytes + random_() % (stream_.size() - kWindowBytes);
    std::uint64_t marker = windowFingerprint(RollTables(Polynomial(params_.polynomial)), &stream_[end]);
    if ((marker & ((std::uint64_t{1} << params_.mask_bits) - 1)) != 0) params_.marker = marker;
}

std::vector<std::size_t> FuzzCase::pieces() {
    std::vector<std::size_t> sizes;
    for (std::size_t count = random_() % 20; count > 0; count--) {
        sizes.push_back(random_() % 4 == 0 ? random_() % 50 : random_() % 70'000);
    }
    sizes.push_back(1 + random_() % 70'000);
    return sizes;
}

}  // namespace shredder::fuzz
