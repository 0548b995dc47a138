// SPDX-License-Identifier: Apache-2.0
//
// What a fast form of the coder computes, an instruction set a file; which one runs is chosen when the
// program runs. Every form gives what combineReference gives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "cpu/features.h"
#include "shredder.h"

namespace shredder::coding {

/// Rows that a form computes in one pass over the inputs, at most.
inline constexpr std::size_t kMostRows = 8;

/// Inputs of which each has instructions of its own: what fetches ahead tells streams apart by the
/// instructions that read them, and loses them where several share one.
inline constexpr std::size_t kOwnColumns = 20;

/// A product of a few rows with some inputs, over a range of bytes: for each row i < rows and each byte b of
/// [from, from + bytes), outputs[i][b] is the sum over j < columns of factor(i, j) * inputs[j][b]; with
/// addToOutputs, that is added to what outputs[i][b] has.
struct Combination {
    /// As the form prepared them, column by column: that of (i, j) at factorBytes * (j * rows + i).
    const std::uint8_t* factors;
    std::size_t rows;  ///< 1 to kMostRows
    std::size_t columns;
    const std::uint8_t* const* inputs;
    std::uint8_t* const* outputs;  ///< overlap nothing
    std::size_t from;
    std::size_t bytes;
    bool addToOutputs;
};

/// Shards of a block of a transform, at most: two blocks at least are among 256 shards.
inline constexpr std::size_t kMostTransformShards = 128;

/// The sums of transform.h over a range of bytes. All factors are as the form prepared them.
struct TransformWork {
    std::size_t blockShards;  ///< a power of two
    std::size_t inputBlocks;
    std::size_t outputShards;   ///< the last block may be wanted in part
    const std::size_t* passes;  ///< how many layers each pass takes, from the lowest layer on
    std::size_t passCount;      ///< at least 2
    /// blockShards - 1 factors a block. Of a pass over L layers there are 2^L - 1 for each group of 2^L
    /// neighbours (or of those the pass's lowest layer apart): first those of the lowest layer.
    const std::uint8_t* inputTwiddles;
    const std::uint8_t* outputTwiddles;
    const std::uint8_t* scales;  ///< for each block of outputs, a factor for each block of inputs
    const std::uint8_t* const* inputs;
    std::uint8_t* const* outputs;  ///< overlap nothing
    std::size_t from;
    std::size_t bytes;
};

/// How one instruction set codes.
struct CodingForm {
    const char* name;
    const char* instructions;  ///< in words
    std::size_t factorBytes;   ///< of a prepared factor
    void (*prepare)(std::uint8_t factor, std::uint8_t* prepared);
    /// Touches no byte outside of the range.
    void (*combine)(const Combination& work);
    /// The same for one row whose factors are all 1; work.factors is not looked at.
    void (*sum)(const Combination& work);
    std::size_t transformLayers;  ///< that one pass has room for in its registers
    /// Null where there is none.
    void (*transform)(const TransformWork& work);
};

/// Tables of 256 bytes.
extern const CodingForm kCodingScalar;
/// Tables of 16 bytes in registers. Needs AVX2.
extern const CodingForm kCodingAvx2;
/// Multiplies by matrices of bits. Needs AVX2 and GFNI.
extern const CodingForm kCodingAvx2Gfni;
/// Needs AVX-512 (F and BW).
extern const CodingForm kCodingAvx512;
/// Needs AVX-512 (F and BW) and GFNI.
extern const CodingForm kCodingAvx512Gfni;

/// The fastest form of a backend (scalar, avx2 or avx512) on a CPU with these features; null where the
/// backend needs more than they are.
const CodingForm* codingForm(shredder_backend backend, const CpuFeatures& features);

/// Every form with vectors that a CPU with these features can run, the slowest first.
std::vector<const CodingForm*> codingForms(const CpuFeatures& features);

/// The form for a request, and for SHREDDER_CODER_BACKEND where the request is AUTO. Throws Error if there is
/// no such backend, or if this CPU can't run it.
const CodingForm& chooseCodingForm(std::uint32_t requested, const CpuFeatures& features);

/// The rows and columns of bits with which gf2p8affineqb multiplies by a factor.
std::uint64_t bitMatrix(std::uint8_t factor);

/// The multiples of 0 to 15, then those of 0, 16, .. 240: 32 bytes.
void prepareNibbleTables(std::uint8_t factor, std::uint8_t* prepared);

}  // namespace shredder::coding
