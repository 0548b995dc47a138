// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "pipeline/device.h"

namespace shredder {

/// What host memory is taken in.
inline constexpr std::size_t kPageBytes = 4096;

/// Host memory that is not page-locked.
class PlainMemory final : public HostMemory {
  public:
    explicit PlainMemory(std::size_t bytes)
        : memory_(new (kAlignment) std::uint8_t[wholePages(bytes)]), bytes_(bytes) {}

    std::uint8_t* data() override { return memory_.get(); }
    std::size_t size() const override { return bytes_; }
    bool pinned() const override { return false; }
    void discard() noexcept override { madvise(memory_.get(), wholePages(bytes_), MADV_DONTNEED); }

  private:
    static constexpr std::align_val_t kAlignment{kPageBytes};
    static std::size_t wholePages(std::size_t bytes) {
        return (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
    }
    struct Delete {
        void operator()(std::uint8_t* memory) const { ::operator delete[](memory, kAlignment); }
    };

    std::unique_ptr<std::uint8_t[], Delete> memory_;
    std::size_t bytes_;
};

}  // namespace shredder
