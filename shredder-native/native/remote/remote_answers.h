// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "remote/connection.h"
#include "remote/remote_slot.h"

namespace shredder::remote {

/// Receives the answer's body. Throws Error(SHREDDER_DEVICE_LOST) if it can't be the candidates of a buffer
/// of so many bytes: they ascend, and lie in it.
CandidatesAnswer receiveCandidates(Connection& connection, const FrameHeader& header,
                                   std::uint64_t payloadBytes);

/// The same for a text: at most kMostTextBytes, made readable.
std::string receiveText(Connection& connection, const FrameHeader& header);

/// Nothing but what can be printed in a line.
std::string readable(std::string text);

/// Throws Error(SHREDDER_DEVICE_LOST) that names what doesn't fit.
[[noreturn]] void refuseAnswer(const FrameHeader& header, const std::string& why);

}  // namespace shredder::remote
