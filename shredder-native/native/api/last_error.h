// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace shredder {

/// Keeps what the calling thread's last failed call said. A longer text is cut off; where there is no memory
/// for it, one that says so is kept.
void keepLastError(const char* text) noexcept;

/// Valid until the thread's next failed call; empty before its first.
const char* lastError() noexcept;

}  // namespace shredder
