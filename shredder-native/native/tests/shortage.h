// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace shredder::test {

enum class Resource {
    Memory,  ///< operator new, in all its forms
    Thread,  ///< pthread_create
};

enum class Duration {
    Once,     ///< the request fails, and the next one is served
    Lasting,  ///< so does every later one
};

/// While it lives, the process's N-th request of a resource fails, whatever thread it comes from. One at a
/// time. Only in programs that are linked with shortage.cpp.
class Shortage {
  public:
    /// number: 1 is the next request.
    Shortage(Resource resource, std::uint64_t number, Duration duration);
    Shortage(const Shortage&) = delete;
    Shortage& operator=(const Shortage&) = delete;
    ~Shortage();

    /// Whether there were so many requests.
    bool struck() const;
};

}  // namespace shredder::test
