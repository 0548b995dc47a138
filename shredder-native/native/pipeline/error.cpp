// SPDX-License-Identifier: Apache-2.0
#include "pipeline/error.h"

#include <new>

namespace shredder {
namespace {

Error withTextOf(const std::exception& error) noexcept {
    try {
        return {SHREDDER_INTERNAL, std::string(error.what())};
    } catch (...) {
        return {SHREDDER_INTERNAL, "an error for whose text there was no memory"};
    }
}

}  // namespace

Error Error::current() noexcept {
    try {
        throw;
    } catch (const Error& error) {
        return error;
    } catch (const std::bad_alloc&) {
        return {SHREDDER_OUT_OF_MEMORY, "out of memory: use smaller buffers, a smaller max or fewer streams"};
    } catch (const std::exception& error) {
        return withTextOf(error);
    } catch (...) {
        return {SHREDDER_INTERNAL, "unknown error"};
    }
}

}  // namespace shredder
