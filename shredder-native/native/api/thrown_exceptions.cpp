// SPDX-License-Identifier: Apache-2.0
//
// The C++ run-time library is linked into this one. For each thread that throws it keeps two words in
// thread-local storage. Of a library that is loaded while a process runs, a thread gets that when it first
// touches it, and where there is no memory for it the C library ends the process: just when an exception is
// to say that memory is short. So the words are kept here instead, under the names and in the layout that
// the C++ ABI for Itanium gives them (section 2.2.2), and there are some in reserve.
#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>

namespace __cxxabiv1 {

struct __cxa_eh_globals {
    void* caughtExceptions;
    unsigned int uncaughtExceptions;
};

}  // namespace __cxxabiv1

namespace {

using Globals = __cxxabiv1::__cxa_eh_globals;

/// Of threads for which there was no memory. A thread that ends leaves its own to the next one that the
/// system gives its number to: no exception is under way then.
class Reserve {
  public:
    /// Null if it has none.
    Globals* find(pthread_t thread) {
        for (Entry& entry : entries_) {
            pthread_t owner = entry.owner;
            if (owner == thread) return &entry.globals;
            if (owner == 0) return nullptr;
        }
        return nullptr;
    }

    Globals* give(pthread_t thread) {
        for (Entry& entry : entries_) {
            pthread_t owner = 0;
            if (entry.owner.compare_exchange_strong(owner, thread)) return &entry.globals;
        }
        std::abort();
    }

  private:
    static constexpr std::size_t kThreads = 1024;

    struct Entry {
        std::atomic<pthread_t> owner{0};
        Globals globals{};
    };
    Entry entries_[kThreads]{};
};

constinit Reserve reserve{};

// The thread's key owns the words.
// NOLINTBEGIN(cppcoreguidelines-owning-memory)
class ThreadGlobals {
  public:
    ThreadGlobals() : made_(pthread_key_create(&key_, std::free) == 0) {}

    Globals* get() {
        void* own = made_ ? pthread_getspecific(key_) : nullptr;
        return own != nullptr ? static_cast<Globals*>(own) : make();
    }

  private:
    /// Whoever has some of the reserve keeps it: an exception may be under way.
    Globals* make() {
        if (Globals* reserved = reserve.find(pthread_self())) return reserved;
        void* own = made_ ? std::calloc(1, sizeof(Globals)) : nullptr;
        if (own != nullptr && pthread_setspecific(key_, own) == 0) return static_cast<Globals*>(own);
        std::free(own);
        return reserve.give(pthread_self());
    }

    pthread_key_t key_{};
    // NOLINTEND(cppcoreguidelines-owning-memory)
    bool made_;
};

ThreadGlobals& threads() {
    static ThreadGlobals all;
    return all;
}

}  // namespace

namespace __cxxabiv1 {

extern "C" __cxa_eh_globals* __cxa_get_globals() noexcept {
    return threads().get();
}

extern "C" __cxa_eh_globals* __cxa_get_globals_fast() noexcept {
    return threads().get();
}

}  // namespace __cxxabiv1
