// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <string>

#include "shredder.h"

namespace shredder {

/// An error with what the caller can do about it; the C API and JNI translate it, each in one place. Copies
/// share the text: only making a new text takes memory.
class Error : public std::exception {
  public:
    Error(shredder_status status, std::string text)
        : status_(status), text_(std::make_shared<const std::string>(std::move(text))) {}
    /// Takes no memory.
    template <std::size_t N>
    Error(shredder_status status, const char (&literal)[N]) noexcept : status_(status), literal_(literal) {}

    shredder_status status() const noexcept { return status_; }
    const char* what() const noexcept override { return text_ ? text_->c_str() : literal_; }

    /// The exception being handled, as an Error. Call inside a catch block.
    static Error current() noexcept;

  private:
    shredder_status status_;
    const char* literal_ = "";
    std::shared_ptr<const std::string> text_;
};

}  // namespace shredder
