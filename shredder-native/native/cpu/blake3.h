// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cpu/digest.h"

namespace shredder {

// BLAKE3, hash mode, 32 bytes of output: digest algorithm 2 of docs/formats/chunking.md section 5.

/// The readable reference: one message after the other, leaf by leaf.
void blake3ManyPortable(const DigestMessage* messages, std::size_t count);

/// Eight nodes of the messages' trees side by side. Call only where cpuFeatures().avx2.
void blake3ManyAvx2(const DigestMessage* messages, std::size_t count);

/// Sixteen. Call only where cpuFeatures().avx512.
void blake3ManyAvx512(const DigestMessage* messages, std::size_t count);

}  // namespace shredder
