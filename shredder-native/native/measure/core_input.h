// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>

namespace shredder::tools {

/// Bytes in memory as a scan wants them: aligned to a page, a window of zeros before them, a whole number of
/// kilobytes.
class CoreInput {
  public:
    /// "random", or the name of a file, of which at most `most` bytes are taken. Throws std::runtime_error if
    /// it can't be read or holds less than a megabyte.
    CoreInput(const std::string& source, std::size_t most);

    /// The same byte everywhere, in the window before as well.
    CoreInput(std::uint8_t value, std::size_t bytes);

    const std::uint8_t* data() const { return memory_.get() + kBefore; }
    std::size_t size() const { return size_; }

  private:
    static constexpr std::size_t kBefore = 4096;
    static constexpr std::align_val_t kAlignment{4096};
    struct Delete {
        void operator()(std::uint8_t* memory) const { ::operator delete[](memory, kAlignment); }
    };

    std::unique_ptr<std::uint8_t[], Delete> memory_;
    std::size_t size_;
};

}  // namespace shredder::tools
