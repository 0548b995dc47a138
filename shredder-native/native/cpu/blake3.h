// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cpu/digest.h"

namespace shredder {

/// BLAKE3, hash mode, 32 bytes of output: digest algorithm 2 of docs/formats/chunking.md section 5.
using Blake3Many = DigestMany;

/// The readable reference: one message after the other, leaf by leaf.
void blake3ManyPortable(const DigestMessage* messages, std::size_t count);

}  // namespace shredder
