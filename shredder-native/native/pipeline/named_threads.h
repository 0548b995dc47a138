// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <thread>
#include <vector>

namespace shredder {

/// Threads that their owner starts together and joins together. Before they are joined, or destroyed, they
/// must have been told to end.
class NamedThreads {
  public:
    NamedThreads() = default;
    NamedThreads(const NamedThreads&) = delete;
    NamedThreads& operator=(const NamedThreads&) = delete;
    ~NamedThreads() { join(); }

    /// Throws Error(SHREDDER_OUT_OF_MEMORY) if the system has no thread to give. Those that run already go
    /// on: an owner that needs all of them tells them to end.
    void start(const char* name, std::function<void()> body);
    void join() noexcept;
    std::size_t count() const { return threads_.size(); }

  private:
    std::vector<std::thread> threads_;
};

}  // namespace shredder
