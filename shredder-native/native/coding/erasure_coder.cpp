// SPDX-License-Identifier: Apache-2.0
#include "coding/erasure_coder.h"

#include <algorithm>
#include <string>
#include <utility>

#include "pipeline/error.h"

namespace shredder::coding {
namespace {

/// What a thread takes at a time begins at a multiple of this, and is at least so long.
constexpr std::size_t kPieceBytes = 16384;

constexpr unsigned kMostThreads = 1024;

const Code& valid(const Code& code) {
    validate(code);
    return code;
}

[[noreturn]] void refuse(const std::string& problem) {
    throw Error(SHREDDER_INVALID_ARGUMENT, problem);
}

/// No pointer of these may be null.
template <typename Pointer>
void requireAll(Pointer const* pointers, std::size_t count, const char* name) {
    if (pointers == nullptr) refuse(std::string(name) + " is NULL");
    for (std::size_t i = 0; i < count; i++) {
        if (pointers[i] == nullptr) refuse(std::string(name) + "[" + std::to_string(i) + "] is NULL");
    }
}

/// Each number once, and of a shard that is not there.
void requireLost(const std::vector<std::size_t>& wanted, const Presence& present, std::size_t shards) {
    Presence seen;
    for (std::size_t shard : wanted) {
        std::string name = "shard " + std::to_string(shard);
        if (shard >= shards) refuse(name + " is wanted of " + std::to_string(shards));
        if (present[shard]) refuse(name + " is wanted, but it is there");
        if (seen[shard]) refuse(name + " is wanted twice");
        seen.set(shard);
    }
}

/// Such as "cuda:0, cuda:1".
std::string namesOf(const std::vector<std::unique_ptr<CodingDevice>>& devices) {
    std::string names;
    for (const auto& device : devices) {
        names += (names.empty() ? "" : ", ") + device->name();
    }
    return names;
}

}  // namespace

ErasureCoder::ErasureCoder(const Code& code, const CodingForm& form, unsigned threads,
                           std::vector<std::unique_ptr<CodingDevice>> devices)
    : code_(valid(code)),
      form_(&form),
      threads_(threads),
      parityRows_(parityRows(code)),
      parity_(parityRows_, form),
      transform_(CauchyTransform::of(code, form)),
      plans_(std::make_unique<RecoveryPlans>(code, parityRows_, form)),
      deviceNames_(namesOf(devices)) {
    if (threads == 0 || threads > kMostThreads) {
        refuse("a coder of " + std::to_string(threads) + " threads: use 1 to " +
               std::to_string(kMostThreads));
    }
    if (threads > 1) pool_ = std::make_unique<WorkerPool>(threads);
    if (!devices.empty()) devices_ = std::make_unique<DeviceGroup>(std::move(devices));
}

void ErasureCoder::encode(const std::uint8_t* const* data, std::uint8_t* const* parity,
                          std::size_t bytes) const {
    if (bytes == 0) return;
    requireAll(data, code_.data, "data");
    requireAll(parity, code_.parity, "parity");
    Traversal traversal = parity_.traversalFor(bytes);
    compute(parityRows_, data, parity, bytes, [&](std::size_t from, std::size_t count) {
        if (transform_) {
            transform_->apply(data, parity, from, count);
        } else {
            parity_.apply(data, parity, from, count, traversal);
        }
    });
}

void ErasureCoder::decode(const std::uint8_t* const* shards, const std::vector<std::size_t>& wanted,
                          std::uint8_t* const* outputs, std::size_t bytes) const {
    if (shards == nullptr) refuse("shards is NULL");
    Presence present = presence(shards);
    requireLost(wanted, present, code_.shards());
    if (present.count() < code_.data) {
        refuse(std::to_string(present.count()) + " shards are there, " + std::to_string(code_.data) +
               " are needed");
    }
    if (wanted.empty() || bytes == 0) return;
    requireAll(outputs, wanted.size(), "outputs");
    std::shared_ptr<const RecoveryPlan> plan = plans_->of(present, wanted);
    const std::uint8_t* inputs[kMostShards];
    for (std::size_t i = 0; i < code_.data; i++) {
        inputs[i] = shards[plan->sources[i]];
    }
    Traversal traversal = plan->matrix.traversalFor(bytes);
    compute(plan->rows, inputs, outputs, bytes, [&](std::size_t from, std::size_t count) {
        if (!plan->transform || !plan->transform->apply(inputs, outputs, from, count)) {
            plan->matrix.apply(inputs, outputs, from, count, traversal);
        }
    });
}

template <typename Body>
void ErasureCoder::compute(const Matrix& rows, const std::uint8_t* const* inputs,
                           std::uint8_t* const* outputs, std::size_t bytes, Body code) const {
    if (!devices_) {
        inRanges({0, bytes}, code);
        return;
    }
    for (const ByteRange& left : devices_->apply(rows, inputs, outputs, bytes)) {
        inRanges(left, code);
    }
}

template <typename Body>
void ErasureCoder::inRanges(const ByteRange& range, Body code) const {
    std::size_t pieces = std::min<std::size_t>(threads_, (range.bytes + kPieceBytes - 1) / kPieceBytes);
    if (pieces <= 1) {
        code(range.from, range.bytes);
        return;
    }
    std::size_t each = ((range.bytes + pieces - 1) / pieces + kPieceBytes - 1) / kPieceBytes * kPieceBytes;
    auto task = pool_->start((range.bytes + each - 1) / each, [&](std::size_t piece) {
        code(range.from + piece * each, std::min(each, range.bytes - piece * each));
    });
    task.wait();
}

Presence ErasureCoder::presence(const std::uint8_t* const* shards) const {
    Presence present;
    for (std::size_t i = 0; i < code_.shards(); i++) {
        present.set(i, shards[i] != nullptr);
    }
    return present;
}

}  // namespace shredder::coding
