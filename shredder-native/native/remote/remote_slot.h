// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "chunk/candidates.h"
#include "remote/wire.h"

namespace shredder::remote {

/// What a worker answered.
struct CandidatesAnswer {
    CandidatesForm form = CandidatesForm::List;
    std::vector<std::uint32_t> list;
    std::vector<std::uint64_t> bitmap;

    Candidates view() const {
        if (form == CandidatesForm::Bitmap) return {.bitmap = bitmap.data()};
        return {.list = list.data(),
                .count = list.size(),
                .strengthListed = form == CandidatesForm::ListWithStrength};
    }
};

/// A client's place for one job at a time, and the worker's answers about it. Not thread-safe.
struct RemoteSlot {
    bool taken = false;              ///< by a workspace
    std::uint64_t sequence = 0;      ///< of the last buffer that was sent
    std::uint64_t payloadBytes = 0;  ///< of that
    bool awaitsCandidates = false;
    CandidatesAnswer candidates;
    std::size_t awaitedDigests = 0;  ///< 0: none
    std::vector<std::uint8_t> digests;
};

}  // namespace shredder::remote
