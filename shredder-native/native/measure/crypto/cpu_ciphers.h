// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "measure/crypto/cipher_batch.h"

namespace shredder::crypto {

/// Takes a batch: AEADs seal it; TEA encrypts it in place of that and CRC-32 writes four bytes for each
/// message, both without tags: message i's output is then at i * outputBytes.
using BatchRun = std::function<void(const UniformBatch&)>;

/// One way of one algorithm on the CPU.
struct CpuCipher {
    std::string algorithm;           ///< "crc-32", "tea", "aes-256-gcm", "chacha20-poly1305"
    std::string form;                ///< "scalar", or "instructions": what this CPU has beyond that
    std::function<BatchRun()> open;  ///< for one thread
};

/// Bytes that an algorithm leaves of a message.
std::size_t outputBytes(const std::string& algorithm, std::size_t length);

/// The key of all measurements and of the comparison of forms.
void measuringKey(std::uint8_t (&key)[kKeyBytes]);

/// What this machine can run, the form that is compared with first. Without a libcrypto, AEADs have their
/// scalar form alone.
std::vector<CpuCipher> cpuCiphers();

/// Runs a batch with as many threads as there are runs, each with its share of the messages. Threads start
/// and end here, as in Kirby's thesis; one run takes the caller's thread.
void runShared(const std::vector<BatchRun>& runs, const std::string& algorithm, const UniformBatch& batch);

}  // namespace shredder::crypto
