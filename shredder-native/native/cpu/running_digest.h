// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "chunk/chunking_params.h"
#include "cpu/blake3_nodes.h"
#include "cpu/digest.h"
#include "cpu/sha256.h"

namespace shredder {

/// The functions that one CPU digests single messages with, piece by piece.
struct RunningKernels {
    Sha256Compress sha256;
    Blake3Nodes blake3;
};

/// The digest of a message of which more and more lies in memory, back to back. Each byte is digested once,
/// as soon as a unit of the algorithm is whole. Whatever kernels the calls come with, the digest is the same.
class RunningDigest {
  public:
    /// Begins with another message.
    void begin(DigestAlgorithm algorithm);

    /// data[0 .. size) is the message so far: what was there before has not changed, but may have moved.
    void goOn(const RunningKernels& kernels, const std::uint8_t* data, std::size_t size);

    /// data[0 .. size) is the whole message. May be called again.
    void finish(const RunningKernels& kernels, const std::uint8_t* data, std::size_t size,
                std::uint8_t* digest);

  private:
    DigestAlgorithm algorithm_ = DigestAlgorithm::Sha256;
    std::size_t sha256Done_ = 0;  ///< bytes
    std::uint32_t sha256State_[8] = {};
    Blake3Spans blake3_;
};

}  // namespace shredder
