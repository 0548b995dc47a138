// SPDX-License-Identifier: Apache-2.0
#include "coding/erasure_coder.h"

#include <algorithm>
#include <string>

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

}  // namespace

ErasureCoder::ErasureCoder(const Code& code, const CodingForm& form, unsigned threads)
    : code_(valid(code)),
      form_(&form),
      threads_(threads),
      parity_(parityRows(code), form),
      transform_(CauchyTransform::of(code, form)),
      plans_(std::make_unique<RecoveryPlans>(code, parityRows(code), form)) {
    if (threads == 0 || threads > kMostThreads) {
        refuse("a coder of " + std::to_string(threads) + " threads: use 1 to " +
               std::to_string(kMostThreads));
    }
    if (threads > 1) pool_ = std::make_unique<WorkerPool>(threads);
}

void ErasureCoder::encode(const std::uint8_t* const* data, std::uint8_t* const* parity,
                          std::size_t bytes) const {
    if (bytes == 0) return;
    requireAll(data, code_.data, "data");
    requireAll(parity, code_.parity, "parity");
    if (transform_) {
        inRanges(bytes,
                 [&](std::size_t from, std::size_t count) { transform_->apply(data, parity, from, count); });
    } else {
        apply(parity_, data, parity, bytes);
    }
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
    apply(plan->matrix, inputs, outputs, bytes);
}

void ErasureCoder::apply(const PreparedMatrix& matrix, const std::uint8_t* const* inputs,
                         std::uint8_t* const* outputs, std::size_t bytes) const {
    Traversal traversal = matrix.traversalFor(bytes);
    inRanges(bytes, [&](std::size_t from, std::size_t count) {
        matrix.apply(inputs, outputs, from, count, traversal);
    });
}

template <typename Body>
void ErasureCoder::inRanges(std::size_t bytes, Body code) const {
    std::size_t pieces = std::min<std::size_t>(threads_, (bytes + kPieceBytes - 1) / kPieceBytes);
    if (pieces <= 1) {
        code(std::size_t{0}, bytes);
        return;
    }
    std::size_t each = ((bytes + pieces - 1) / pieces + kPieceBytes - 1) / kPieceBytes * kPieceBytes;
    auto task = pool_->start((bytes + each - 1) / each, [&](std::size_t piece) {
        code(piece * each, std::min(each, bytes - piece * each));
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
