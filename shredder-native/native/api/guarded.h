// SPDX-License-Identifier: Apache-2.0
//
// What the C API's functions share: nothing that they call gets an exception out, nor a null pointer in.
#pragma once

#include <string>

#include "api/last_error.h"
#include "pipeline/error.h"
#include "shredder.h"

namespace shredder {

/// The one place where exceptions become status codes.
template <typename Body>
shredder_status guarded(Body body) noexcept {
    try {
        body();
        return SHREDDER_OK;
    } catch (...) {
        Error error = Error::current();
        keepLastError(error.what());
        return error.status();
    }
}

template <typename T>
T& required(T* pointer, const char* name) {
    if (pointer == nullptr) throw Error(SHREDDER_INVALID_ARGUMENT, std::string(name) + " is NULL");
    return *pointer;
}

}  // namespace shredder
