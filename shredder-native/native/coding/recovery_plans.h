// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "coding/code.h"
#include "coding/prepared_matrix.h"
#include "coding/recovery_transform.h"

namespace shredder::coding {

/// How to get certain shards back; immutable.
struct RecoveryPlan {
    std::vector<std::size_t> sources;
    Matrix rows;
    PreparedMatrix matrix;                       ///< of rows
    std::optional<RecoveryTransform> transform;  ///< does the same, in less time
};

/// The shards that are there.
using Presence = std::bitset<kMostShards>;

/// The last few plans that were asked for: whoever reads around a lost disk asks for the same one each time.
/// Thread-safe.
class RecoveryPlans {
  public:
    /// @param parity parityRows of the code
    RecoveryPlans(const Code& code, Matrix parity, const CodingForm& form);

    /// @param wanted numbers of shards that are not there
    std::shared_ptr<const RecoveryPlan> of(const Presence& present, const std::vector<std::size_t>& wanted);

  private:
    struct Entry {
        Presence present;
        std::vector<std::size_t> wanted;
        std::shared_ptr<const RecoveryPlan> plan;
    };

    std::shared_ptr<const RecoveryPlan> find(const Presence& present, const std::vector<std::size_t>& wanted);
    std::shared_ptr<const RecoveryPlan> make(const Presence& present,
                                             const std::vector<std::size_t>& wanted) const;

    Code code_;
    Matrix parity_;
    const CodingForm* form_;
    std::mutex mutex_;
    std::array<Entry, 16> entries_;
    std::size_t next_ = 0;  ///< the entry that the next plan takes
};

}  // namespace shredder::coding
