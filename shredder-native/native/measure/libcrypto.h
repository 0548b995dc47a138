// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace shredder::tools {

/// OpenSSL's library as this machine has it, loaded when asked for: only to compare with, so that nothing
/// needs it to build.
class Libcrypto {
  public:
    /// Throws std::runtime_error where there is none.
    Libcrypto() {
        for (const char* name : {"libcrypto.so.3", "libcrypto.so.1.1"}) {
            if (handle_ == nullptr) handle_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        }
        if (handle_ == nullptr) throw std::runtime_error("no libcrypto.so.3 or libcrypto.so.1.1");
    }
    Libcrypto(const Libcrypto&) = delete;
    Libcrypto& operator=(const Libcrypto&) = delete;
    ~Libcrypto() { dlclose(handle_); }

    template <typename Function>
    Function find(const char* name) const {
        auto function = reinterpret_cast<Function>(dlsym(handle_, name));
        if (function == nullptr) throw std::runtime_error(std::string("libcrypto has no ") + name);
        return function;
    }

  private:
    void* handle_ = nullptr;
};

}  // namespace shredder::tools
