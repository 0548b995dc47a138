// SPDX-License-Identifier: Apache-2.0
#include "pipeline/error.h"

#include <new>

namespace shredder {

Error Error::current() noexcept {
    try {
        throw;
    } catch (const Error& error) {
        return error;
    } catch (const std::bad_alloc&) {
        return {SHREDDER_OUT_OF_MEMORY, "out of memory: use smaller buffers, a smaller max or fewer streams"};
    } catch (const std::exception& error) {
        return {SHREDDER_INTERNAL, error.what()};
    } catch (...) {
        return {SHREDDER_INTERNAL, "unknown error"};
    }
}

}  // namespace shredder
