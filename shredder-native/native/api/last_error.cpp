// SPDX-License-Identifier: Apache-2.0
//
// Not thread_local: of a library that is loaded while a process runs, a thread gets such memory when it first
// touches it, and where there is none the C library ends the process.
#include "api/last_error.h"

#include <pthread.h>

#include <cstdio>
#include <cstdlib>

namespace shredder {
namespace {

/// A path and what is to be said about it.
constexpr std::size_t kMostMessageBytes = 8192;

constexpr const char* kNoMemory = "out of memory, even for what is to be said";

// The thread's key owns the text.
// NOLINTBEGIN(cppcoreguidelines-owning-memory)
class ThreadTexts {
  public:
    ThreadTexts() : made_(pthread_key_create(&key_, freeText) == 0) {}

    void keep(const char* text) noexcept {
        if (!made_) return;
        auto* kept = const_cast<char*>(find());
        if (kept == nullptr || kept == kNoMemory) {
            kept = static_cast<char*>(std::malloc(kMostMessageBytes));
            if (pthread_setspecific(key_, kept != nullptr ? kept : kNoMemory) != 0) std::free(kept);
        }
        if (find() == kept && kept != nullptr) std::snprintf(kept, kMostMessageBytes, "%s", text);
    }

    /// Null if none was kept.
    const char* find() const noexcept {
        return made_ ? static_cast<const char*>(pthread_getspecific(key_)) : kNoMemory;
    }

  private:
    static void freeText(void* text) {
        if (text != kNoMemory) std::free(text);
    }

    pthread_key_t key_{};
    // NOLINTEND(cppcoreguidelines-owning-memory)
    bool made_;
};

/// Never destroyed: threads may end after the process's static objects.
ThreadTexts& texts() {
    static ThreadTexts all;
    return all;
}

}  // namespace

void keepLastError(const char* text) noexcept {
    texts().keep(text);
}

const char* lastError() noexcept {
    const char* text = texts().find();
    return text != nullptr ? text : "";
}

}  // namespace shredder
