// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

#include "shredder.h"

namespace shredder {

/// An error with what the caller can do about it; the C API and JNI translate it, each in one place.
class Error : public std::runtime_error {
  public:
    Error(shredder_status status, const std::string& text) : std::runtime_error(text), status_(status) {}

    shredder_status status() const { return status_; }

    /// The exception being handled, as an Error. Call inside a catch block.
    static Error current() noexcept;

  private:
    shredder_status status_;
};

}  // namespace shredder
