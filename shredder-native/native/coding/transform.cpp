// SPDX-License-Identifier: Apache-2.0
#include "coding/transform.h"

#include <algorithm>
#include <bit>

#include "coding/field.h"

namespace shredder::coding {
namespace {

constexpr std::size_t kLeastBlockShards = 16;

/// s of the elements 0 .. 2^layers - 1: by s_0(x) = x, s_(i+1)(x) = s_i(x) * (s_i(x) + s_i(2^i)).
std::uint8_t subspace(unsigned layers, std::size_t x) {
    auto value = static_cast<std::uint8_t>(x);
    for (unsigned i = 0; i < layers; i++) {
        std::uint8_t atNext = subspace(i, std::size_t{1} << i);
        value = products()[value][value ^ atNext];
    }
    return value;
}

std::size_t blocksOf(const ShardRange& shards, std::size_t blockShards) {
    return (shards.count + blockShards - 1) / blockShards;
}

}  // namespace

std::uint8_t transformTwiddle(unsigned layer, std::size_t x) {
    return products()[subspace(layer, x)][inverses()[subspace(layer, std::size_t{1} << layer)]];
}

std::uint8_t transformScale(std::size_t blockShards, std::size_t output, std::size_t input) {
    auto layers = static_cast<unsigned>(std::countr_zero(blockShards));
    std::uint8_t derivative = 1;
    for (std::size_t v = 1; v < blockShards; v++) {
        derivative = products()[derivative][v];
    }
    return products()[derivative][inverses()[subspace(layers, output ^ input)]];
}

/// The largest blocks of which the data are made; about as many shards as the parity has, since a larger
/// block of parity would be computed for nothing.
std::optional<std::size_t> transformBlockShards(const Code& code) {
    if (code.kind != SHREDDER_CODE_RS) return std::nullopt;
    std::size_t whole = code.data & (~code.data + 1);
    std::size_t blockShards = std::min({whole, std::bit_ceil(code.parity), kMostTransformShards});
    if (blockShards < kLeastBlockShards) return std::nullopt;
    return blockShards;
}

bool transformsPayOff(std::size_t theirs, std::size_t ofMatrix) {
    return 2 * theirs <= ofMatrix;
}

std::optional<CauchyTransform> CauchyTransform::of(const Code& code, const CodingForm& form) {
    std::optional<std::size_t> blockShards = transformBlockShards(code);
    if (!blockShards || form.transform == nullptr) return std::nullopt;
    CauchyTransform transform(form, *blockShards, {0, code.data}, {code.data, code.parity},
                              [](std::size_t, std::size_t) { return std::uint8_t{1}; });
    if (!transformsPayOff(transform.multiplications(), code.data * code.parity)) return std::nullopt;
    return transform;
}

CauchyTransform::CauchyTransform(const CodingForm& form, std::size_t blockShards, const ShardRange& inputs,
                                 const ShardRange& outputs, const BlockFactor& factor)
    : form_(&form), blockShards_(blockShards), inputs_(inputs), outputs_(outputs) {
    choosePasses();
    inputTwiddles_ = twiddles(inputs);
    outputTwiddles_ = twiddles(outputs);
    scales_ = scales(factor);
}

std::size_t CauchyTransform::multiplications() const {
    std::size_t inputs = blocksOf(inputs_, blockShards_);
    std::size_t outputs = blocksOf(outputs_, blockShards_);
    auto layers = static_cast<std::size_t>(std::countr_zero(blockShards_));
    return (inputs + outputs) * blockShards_ / 2 * layers + inputs * outputs * blockShards_;
}

/// As few passes as can be, of nearly equally many layers.
void CauchyTransform::choosePasses() {
    auto layers = static_cast<std::size_t>(std::countr_zero(blockShards_));
    std::size_t count = (layers + form_->transformLayers - 1) / form_->transformLayers;
    for (std::size_t i = 0; i < count; i++) {
        passes_.push_back(layers * (i + 1) / count - layers * i / count);
    }
}

/// Block by block, pass by pass from the lowest layer on, in the order of TransformWork.
std::vector<std::uint8_t> CauchyTransform::twiddles(const ShardRange& shards) const {
    std::vector<std::uint8_t> prepared;
    for (std::size_t begin = shards.first; begin < shards.end(); begin += blockShards_) {
        unsigned lowest = 0;
        for (std::size_t layers : passes_) {
            for (std::size_t group = 0; group < blockShards_ >> (lowest + layers); group++) {
                for (unsigned layer = lowest; layer < lowest + layers; layer++) {
                    for (std::size_t at = 0; at < (std::size_t{1} << (lowest + layers)); at += 2UL << layer) {
                        prepared.resize(prepared.size() + form_->factorBytes);
                        form_->prepare(transformTwiddle(layer, begin + (group << (lowest + layers)) + at),
                                       &prepared[prepared.size() - form_->factorBytes]);
                    }
                }
            }
            lowest += static_cast<unsigned>(layers);
        }
    }
    return prepared;
}

std::vector<std::uint8_t> CauchyTransform::scales(const BlockFactor& factor) const {
    std::vector<std::uint8_t> prepared;
    for (std::size_t output = outputs_.first; output < outputs_.end(); output += blockShards_) {
        for (std::size_t input = inputs_.first; input < inputs_.end(); input += blockShards_) {
            prepared.resize(prepared.size() + form_->factorBytes);
            form_->prepare(products()[transformScale(blockShards_, output, input)][factor(output, input)],
                           &prepared[prepared.size() - form_->factorBytes]);
        }
    }
    return prepared;
}

void CauchyTransform::apply(const std::uint8_t* const* inputs, std::uint8_t* const* outputs, std::size_t from,
                            std::size_t bytes) const {
    form_->transform({.blockShards = blockShards_,
                      .inputBlocks = blocksOf(inputs_, blockShards_),
                      .outputShards = outputs_.count,
                      .passes = passes_.data(),
                      .passCount = passes_.size(),
                      .inputTwiddles = inputTwiddles_.data(),
                      .outputTwiddles = outputTwiddles_.data(),
                      .scales = scales_.data(),
                      .inputs = inputs,
                      .outputs = outputs,
                      .from = from,
                      .bytes = bytes});
}

}  // namespace shredder::coding
