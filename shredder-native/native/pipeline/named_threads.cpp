// SPDX-License-Identifier: Apache-2.0
#include "pipeline/named_threads.h"

#include <pthread.h>

#include <system_error>

#include "pipeline/error.h"

namespace shredder {

void NamedThreads::start(const char* name, std::function<void()> body) {
    try {
        threads_.emplace_back(std::move(body));
    } catch (const std::system_error&) {
        throw Error(
            SHREDDER_OUT_OF_MEMORY,
            "the system has no thread left to give: raise its limit (ulimit -u, or pids of a container), "
            "or ask for fewer threads");
    }
    pthread_setname_np(threads_.back().native_handle(), name);
}

void NamedThreads::join() noexcept {
    for (std::thread& thread : threads_) {
        thread.join();
    }
    threads_.clear();
}

}  // namespace shredder
