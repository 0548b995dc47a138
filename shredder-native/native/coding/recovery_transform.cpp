// SPDX-License-Identifier: Apache-2.0
#include "coding/recovery_transform.h"

#include <algorithm>
#include <memory>
#include <new>

#include "coding/field.h"

namespace shredder::coding {
namespace {

constexpr std::size_t kTileBytes = 512;
/// Neither E nor S has more.
constexpr std::size_t kMostMissing = kMostShards / 2;

/// Rows of a tile lie so that no two are a page apart.
struct alignas(64) Row {
    std::uint8_t bytes[kTileBytes + 64];
};

/// The blocks around shards, which ascend.
ShardRange blocksAround(const std::vector<std::size_t>& shards, std::size_t blockShards) {
    if (shards.empty()) return {0, 0};
    std::size_t first = shards.front() / blockShards * blockShards;
    return {first, (shards.back() / blockShards + 1) * blockShards - first};
}

/// The product of shard + other, for all others but itself.
std::uint8_t productOfSums(std::size_t shard, const std::vector<std::size_t>& others) {
    std::uint8_t all = 1;
    for (std::size_t other : others) {
        if (other != shard) all = products()[all][static_cast<std::uint8_t>(shard ^ other)];
    }
    return all;
}

/// For each of the shards the product over the others' sums by that over its own kind's.
std::vector<std::uint8_t> factorsOf(const std::vector<std::size_t>& shards,
                                    const std::vector<std::size_t>& others) {
    std::vector<std::uint8_t> factors;
    factors.reserve(shards.size());
    for (std::size_t shard : shards) {
        factors.push_back(products()[productOfSums(shard, others)][inverses()[productOfSums(shard, shards)]]);
    }
    return factors;
}

/// Whether the shards are all of the range.
bool isAll(const std::vector<std::size_t>& shards, const ShardRange& range) {
    return shards.size() == range.count;
}

/// Where a shard stands among others, which ascend; their number if it doesn't.
std::size_t placeOf(std::size_t shard, const std::vector<std::size_t>& among) {
    auto found = std::lower_bound(among.begin(), among.end(), shard);
    if (found == among.end() || *found != shard) return among.size();
    return static_cast<std::size_t>(found - among.begin());
}

}  // namespace

struct RecoveryTransform::Scratch {
    Row sums[kMostMissing];
    Row rests[kMostMissing];
    Row zeros = {};
    Row waste;
};

std::optional<RecoveryTransform> RecoveryTransform::of(const Code& code,
                                                       const std::vector<std::size_t>& sources,
                                                       const std::vector<std::size_t>& wanted,
                                                       const CodingForm& form) {
    std::optional<std::size_t> blockShards = transformBlockShards(code);
    if (!blockShards || form.transform == nullptr) return std::nullopt;
    if (std::any_of(wanted.begin(), wanted.end(), [&](std::size_t shard) { return shard >= code.data; })) {
        return std::nullopt;
    }
    Shards shards;
    shards.wanted = wanted;
    for (std::size_t shard : sources) {
        (shard < code.data ? shards.known : shards.parity).push_back(shard);
    }
    for (std::size_t shard = 0; shard < code.data; shard++) {
        if (placeOf(shard, shards.known) == shards.known.size()) shards.missing.push_back(shard);
    }
    RecoveryTransform transform(shards, *blockShards, form);
    if (!transformsPayOff(transform.cost(), wanted.size() * code.data)) return std::nullopt;
    return transform;
}

RecoveryTransform::RecoveryTransform(const Shards& shards, std::size_t blockShards, const CodingForm& form)
    : form_(&form),
      shards_(shards),
      knownRange_(blocksAround(shards.known, blockShards)),
      parityRange_(blocksAround(shards.parity, blockShards)),
      missingRange_(blocksAround(shards.missing, blockShards)),
      isDirect_(shards.known.empty() && isAll(shards.parity, parityRange_) &&
                isAll(shards.missing, missingRange_) && shards.wanted.size() == shards.missing.size()) {
    std::vector<std::uint8_t> u = factorsOf(shards.missing, shards.parity);
    std::vector<std::uint8_t> v = factorsOf(shards.parity, shards.missing);
    if (isDirect_) {
        back_.emplace(form, blockShards, parityRange_, missingRange_,
                      [&](std::size_t output, std::size_t input) {
                          return products()[u[output - missingRange_.first]][v[input - parityRange_.first]];
                      });
        return;
    }
    auto one = [](std::size_t, std::size_t) { return std::uint8_t{1}; };
    if (!shards.known.empty()) there_.emplace(form, blockShards, knownRange_, parityRange_, one);
    back_.emplace(form, blockShards, parityRange_, missingRange_, one);
    prepareFactors(u, v);
}

void RecoveryTransform::prepareFactors(const std::vector<std::uint8_t>& u,
                                       const std::vector<std::uint8_t>& v) {
    auto append = [this](std::vector<std::uint8_t>& prepared, std::uint8_t factor) {
        prepared.resize(prepared.size() + form_->factorBytes);
        form_->prepare(factor, &prepared[prepared.size() - form_->factorBytes]);
    };
    for (std::uint8_t factor : v) {
        append(inputFactors_, factor);
        append(inputFactors_, factor);
    }
    for (std::size_t shard : shards_.wanted) {
        append(outputFactors_, u[placeOf(shard, shards_.missing)]);
    }
}

/// In multiplications of transforms for each byte of a shard; what goes through tiles takes half as long
/// again.
std::size_t RecoveryTransform::cost() const {
    if (isDirect_) return back_->multiplications();
    std::size_t there = there_ ? there_->multiplications() : 0;
    std::size_t count = there + back_->multiplications() + 2 * shards_.parity.size() + shards_.wanted.size();
    return count * 3 / 2;
}

bool RecoveryTransform::apply(const std::uint8_t* const* sources, std::uint8_t* const* outputs,
                              std::size_t from, std::size_t bytes) const {
    if (isDirect_) {
        applyDirectly(sources, outputs, from, bytes);
        return true;
    }
    std::unique_ptr<Scratch> scratch(new (std::nothrow) Scratch);
    if (scratch == nullptr) return false;
    for (std::size_t done = 0; done < bytes; done += kTileBytes) {
        tile(*scratch, sources, outputs, from + done, std::min(kTileBytes, bytes - done));
    }
    return true;
}

/// The sources are the inputs as they are.
void RecoveryTransform::applyDirectly(const std::uint8_t* const* sources, std::uint8_t* const* outputs,
                                      std::size_t from, std::size_t bytes) const {
    std::uint8_t* ascending[kMostShards];
    for (std::size_t i = 0; i < shards_.wanted.size(); i++) {
        ascending[shards_.wanted[i] - missingRange_.first] = outputs[i];
    }
    back_->apply(sources, ascending, from, bytes);
}

void RecoveryTransform::tile(Scratch& scratch, const std::uint8_t* const* sources,
                             std::uint8_t* const* outputs, std::size_t at, std::size_t bytes) const {
    if (there_) takeKnown(scratch, sources, at, bytes);
    const std::uint8_t* inputs[kMostShards];
    std::fill_n(inputs, parityRange_.count, &scratch.zeros.bytes[0]);
    for (std::size_t i = 0; i < shards_.parity.size(); i++) {
        const std::uint8_t* addends[] = {sources[shards_.known.size() + i] + at, scratch.sums[i].bytes};
        scale(&inputFactors_[2 * i * form_->factorBytes], addends, there_ ? 2 : 1, scratch.rests[i].bytes,
              bytes);
        inputs[shards_.parity[i] - parityRange_.first] = scratch.rests[i].bytes;
    }
    // The sums have been used.
    std::uint8_t* found[kMostShards];
    std::fill_n(found, missingRange_.count, &scratch.waste.bytes[0]);
    for (std::size_t i = 0; i < shards_.wanted.size(); i++) {
        found[shards_.wanted[i] - missingRange_.first] = scratch.sums[i].bytes;
    }
    back_->apply(inputs, found, 0, bytes);
    for (std::size_t i = 0; i < shards_.wanted.size(); i++) {
        const std::uint8_t* sum = scratch.sums[i].bytes;
        scale(&outputFactors_[i * form_->factorBytes], &sum, 1, outputs[i] + at, bytes);
    }
}

/// Into the sums, for each of S the share of the data that are there.
void RecoveryTransform::takeKnown(Scratch& scratch, const std::uint8_t* const* sources, std::size_t at,
                                  std::size_t bytes) const {
    const std::uint8_t* inputs[kMostShards];
    std::fill_n(inputs, knownRange_.count, &scratch.zeros.bytes[0]);
    for (std::size_t i = 0; i < shards_.known.size(); i++) {
        inputs[shards_.known[i] - knownRange_.first] = sources[i] + at;
    }
    std::uint8_t* outputs[kMostShards];
    std::fill_n(outputs, parityRange_.count, &scratch.waste.bytes[0]);
    for (std::size_t i = 0; i < shards_.parity.size(); i++) {
        outputs[shards_.parity[i] - parityRange_.first] = scratch.sums[i].bytes;
    }
    there_->apply(inputs, outputs, 0, bytes);
}

/// One factor, of which there is a copy for each input, by the sum of the inputs.
void RecoveryTransform::scale(const std::uint8_t* factors, const std::uint8_t* const* inputs,
                              std::size_t inputCount, std::uint8_t* output, std::size_t bytes) const {
    form_->combine({.factors = factors,
                    .rows = 1,
                    .columns = inputCount,
                    .inputs = inputs,
                    .outputs = &output,
                    .from = 0,
                    .bytes = bytes,
                    .addToOutputs = false});
}

}  // namespace shredder::coding
