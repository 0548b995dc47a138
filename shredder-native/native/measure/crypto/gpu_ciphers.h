// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "measure/crypto/cipher_batch.h"

namespace shredder::crypto {

/// The first GPU's forms of the algorithms of cpuCiphers, with memory for a batch: in the device, and
/// page-locked in the host. One thread.
class GpuCiphers {
  public:
    /// bytes: of the largest batch; least: of its shortest messages. Throws an Error where there is no GPU.
    GpuCiphers(std::size_t bytes, std::size_t least);
    ~GpuCiphers();
    GpuCiphers(const GpuCiphers&) = delete;
    GpuCiphers& operator=(const GpuCiphers&) = delete;

    /// Page-locked; what batches are made of, and what run leaves.
    std::uint8_t* in();
    const std::uint8_t* out() const;

    /// Bytes from the host's memory, through the kernel, and back, in pieces that overlap: wall seconds.
    double run(const std::string& algorithm, std::size_t length, std::size_t count);
    /// The same without the kernel: what copies alone take.
    double copy(const std::string& algorithm, std::size_t length, std::size_t count);
    /// The kernels alone, on data that is there: seconds by the device's clock, mean of `repeats`.
    double kernel(const std::string& algorithm, std::size_t length, std::size_t count, int repeats);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace shredder::crypto
