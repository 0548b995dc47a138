// SPDX-License-Identifier: Apache-2.0
//
// What the engine codes with. Code says which matrix; a CodingForm multiplies by it with one
// instruction set; PreparedMatrix brings both together; RecoveryPlans finds the matrix that undoes a loss. A
// CodingDevice is a GPU that multiplies by a matrix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "coding/code.h"
#include "coding/coding_device.h"
#include "coding/device_group.h"
#include "coding/form.h"
#include "coding/prepared_matrix.h"
#include "coding/recovery_plans.h"
#include "coding/transform.h"
#include "cpu/worker_pool.h"

namespace shredder::coding {

/// Codes shards: the C++ side of shredder_coder, whose rules hold. Any number of threads may use it at once.
class ErasureCoder {
  public:
    /// Computes on the calling thread if threads is 1, else on so many of its own. Throws Error if there is
    /// no such code, or if the system does not give the threads.
    ///
    /// @param devices compute in place of the CPU, which finishes what they fail to; none is fine
    ErasureCoder(const Code& code, const CodingForm& form, unsigned threads,
                 std::vector<std::unique_ptr<CodingDevice>> devices = {});

    void encode(const std::uint8_t* const* data, std::uint8_t* const* parity, std::size_t bytes) const;

    /// @param shards one for each shard, null where it is not there
    void decode(const std::uint8_t* const* shards, const std::vector<std::size_t>& wanted,
                std::uint8_t* const* outputs, std::size_t bytes) const;

    const Code& code() const { return code_; }
    const CodingForm& form() const { return *form_; }
    unsigned threads() const { return threads_; }
    /// Empty without devices.
    const std::string& devices() const { return deviceNames_; }

  private:
    /// By the devices where there are some; code(from, bytes) computes a range on the CPU.
    template <typename Body>
    void compute(const Matrix& rows, const std::uint8_t* const* inputs, std::uint8_t* const* outputs,
                 std::size_t bytes, Body code) const;
    /// Calls code(from, bytes) for all bytes of the range, a part for each thread.
    template <typename Body>
    void inRanges(const ByteRange& range, Body code) const;
    Presence presence(const std::uint8_t* const* shards) const;

    Code code_;
    const CodingForm* form_;
    unsigned threads_;
    Matrix parityRows_;
    PreparedMatrix parity_;                     ///< of parityRows_
    std::optional<CauchyTransform> transform_;  ///< in place of parity_, where it is faster
    std::unique_ptr<RecoveryPlans> plans_;
    std::unique_ptr<WorkerPool> pool_;  ///< null with one thread
    std::string deviceNames_;
    std::unique_ptr<DeviceGroup> devices_;  ///< null if the CPU computes
};

}  // namespace shredder::coding
