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

/// The largest blocks of which the data are made; about as many shards as the parity has, since a larger
/// block of parity would be computed for nothing.
std::size_t blockShardsFor(const Code& code) {
    std::size_t whole = code.data & (~code.data + 1);
    return std::min({whole, std::bit_ceil(code.parity), kMostTransformShards});
}

std::size_t blocksOf(std::size_t shards, std::size_t blockShards) {
    return (shards + blockShards - 1) / blockShards;
}

/// Multiplications for each byte of all data shards.
std::size_t multiplications(const Code& code, std::size_t blockShards) {
    std::size_t data = blocksOf(code.data, blockShards);
    std::size_t parity = blocksOf(code.parity, blockShards);
    std::size_t layers = static_cast<std::size_t>(std::countr_zero(blockShards));
    return (data + parity) * blockShards / 2 * layers + data * parity * blockShards;
}

}  // namespace

std::uint8_t transformTwiddle(unsigned layer, std::size_t x) {
    return products()[subspace(layer, x)][inverses()[subspace(layer, std::size_t{1} << layer)]];
}

std::uint8_t transformScale(std::size_t blockShards, std::size_t parityShard, std::size_t dataShard) {
    auto layers = static_cast<unsigned>(std::countr_zero(blockShards));
    std::uint8_t derivative = 1;
    for (std::size_t v = 1; v < blockShards; v++) {
        derivative = products()[derivative][v];
    }
    return products()[derivative][inverses()[subspace(layers, parityShard ^ dataShard)]];
}

std::optional<CauchyTransform> CauchyTransform::of(const Code& code, const CodingForm& form) {
    if (code.kind != SHREDDER_CODE_RS || form.transform == nullptr) return std::nullopt;
    std::size_t blockShards = blockShardsFor(code);
    if (blockShards < kLeastBlockShards) return std::nullopt;
    // A multiplication here comes with more additions and more traffic than one of the matrix.
    if (2 * multiplications(code, blockShards) > code.data * code.parity) return std::nullopt;
    return CauchyTransform(code, blockShards, form);
}

CauchyTransform::CauchyTransform(const Code& code, std::size_t blockShards, const CodingForm& form)
    : code_(code), blockShards_(blockShards), form_(&form) {
    choosePasses();
    dataTwiddles_ = twiddles(code.data / blockShards, 0);
    parityTwiddles_ = twiddles(blocksOf(code.parity, blockShards), code.data);
    scales_ = scales();
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
std::vector<std::uint8_t> CauchyTransform::twiddles(std::size_t blocks, std::size_t firstShard) const {
    std::vector<std::uint8_t> prepared;
    for (std::size_t block = 0; block < blocks; block++) {
        std::size_t begin = firstShard + block * blockShards_;
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

std::vector<std::uint8_t> CauchyTransform::scales() const {
    std::vector<std::uint8_t> prepared;
    for (std::size_t parity = code_.data; parity < code_.shards(); parity += blockShards_) {
        for (std::size_t data = 0; data < code_.data; data += blockShards_) {
            prepared.resize(prepared.size() + form_->factorBytes);
            form_->prepare(transformScale(blockShards_, parity, data),
                           &prepared[prepared.size() - form_->factorBytes]);
        }
    }
    return prepared;
}

void CauchyTransform::apply(const std::uint8_t* const* data, std::uint8_t* const* parity, std::size_t from,
                            std::size_t bytes) const {
    form_->transform({.blockShards = blockShards_,
                      .dataBlocks = code_.data / blockShards_,
                      .parity = code_.parity,
                      .passes = passes_.data(),
                      .passCount = passes_.size(),
                      .dataTwiddles = dataTwiddles_.data(),
                      .parityTwiddles = parityTwiddles_.data(),
                      .scales = scales_.data(),
                      .inputs = data,
                      .outputs = parity,
                      .from = from,
                      .bytes = bytes});
}

}  // namespace shredder::coding
