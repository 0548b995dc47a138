// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace shredder {

/// The first word in words[begin .. end) that is not 0, or end. Every form gives the same.
using FirstNonZeroWord = std::size_t (*)(const std::uint64_t* words, std::size_t begin, std::size_t end);

std::size_t firstNonZeroWordPortable(const std::uint64_t* words, std::size_t begin, std::size_t end);

/// A cache line at a time. Call only where cpuFeatures().avx512.
std::size_t firstNonZeroWordAvx512(const std::uint64_t* words, std::size_t begin, std::size_t end);

/// The fastest form that this CPU runs.
FirstNonZeroWord bestFirstNonZeroWord();

}  // namespace shredder
