// SPDX-License-Identifier: Apache-2.0
#include "cpu/running_digest.h"

#include <algorithm>

#include "chunk/sha256_constants.h"

namespace shredder {

void RunningDigest::begin(DigestAlgorithm algorithm) {
    static constexpr std::uint32_t kInitialState[8] = {SHREDDER_SHA256_INITIAL_STATE};
    algorithm_ = algorithm;
    sha256Done_ = 0;
    std::copy_n(kInitialState, 8, sha256State_);
    blake3_ = Blake3Spans();
}

void RunningDigest::goOn(const RunningKernels& kernels, const std::uint8_t* data, std::size_t size) {
    if (algorithm_ == DigestAlgorithm::Blake3) {
        blake3_.goOn(kernels.blake3, data, size);
        return;
    }
    std::size_t blocks = (size - sha256Done_) / kSha256BlockBytes;
    kernels.sha256(sha256State_, data + sha256Done_, blocks);
    sha256Done_ += blocks * kSha256BlockBytes;
}

void RunningDigest::finish(const RunningKernels& kernels, const std::uint8_t* data, std::size_t size,
                           std::uint8_t* digest) {
    goOn(kernels, data, size);
    if (algorithm_ == DigestAlgorithm::Blake3) {
        blake3_.finish(kernels.blake3, data, size, digest);
        return;
    }
    std::uint32_t state[8];
    std::copy_n(sha256State_, 8, state);
    Sha256End end = sha256End({data, size, digest});
    kernels.sha256(state, end.bytes, end.blocks);
    storeSha256(state, digest);
}

}  // namespace shredder
