// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "cpu/digest.h"

namespace shredder::tools {

/// OpenSSL's SHA-256, one message after the other: the peer of ours. Its library is looked for at run time,
/// so that nothing here is built against it.
class OpensslSha256 {
  public:
    /// Throws std::runtime_error where this machine has no libcrypto.
    OpensslSha256();
    ~OpensslSha256();
    OpensslSha256(const OpensslSha256&) = delete;
    OpensslSha256& operator=(const OpensslSha256&) = delete;

    /// What the library calls itself, such as "OpenSSL 3.0.17 1 Jul 2025".
    const std::string& version() const { return version_; }

    void digestMany(const DigestMessage* messages, std::size_t count);

  private:
    struct Library;

    std::unique_ptr<Library> library_;
    std::string version_;
};

}  // namespace shredder::tools
