// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace shredder::tools {

/// "random", "text", "image" (like a disk image: zero, repeated, text and random blocks) or "zero"; the same
/// bytes every time. Throws std::invalid_argument for another kind.
std::vector<std::uint8_t> generateInput(const std::string& kind, std::size_t size);

}  // namespace shredder::tools
