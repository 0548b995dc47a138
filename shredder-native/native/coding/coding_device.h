// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "coding/matrix.h"

namespace shredder::coding {

/// What codes shards of host memory beside the CPU: a GPU. Thread-safe.
class CodingDevice {
  public:
    virtual ~CodingDevice() = default;

    /// Such as "cuda:0".
    virtual std::string name() const = 0;

    /// outputs[i][b] is the sum over j of rows.at(i, j) * inputs[j][b], for each b of [from, from + bytes).
    /// Blocks. Throws Error if the device fails: the outputs' bytes are then anything, and the device no
    /// longer touches any of the memory.
    virtual void apply(const Matrix& rows, const std::uint8_t* const* inputs, std::uint8_t* const* outputs,
                       std::size_t from, std::size_t bytes) = 0;
};

}  // namespace shredder::coding
