// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <new>

#include "pipeline/device.h"

namespace shredder {

/// Host memory of which only those pages exist that were touched. It comes from the system and goes back to
/// it, whatever its size.
class UntouchedMemory final : public HostMemory {
  public:
    /// Throws std::bad_alloc.
    explicit UntouchedMemory(std::size_t bytes) : bytes_(bytes) {
        void* memory =
            mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) throw std::bad_alloc();
        memory_ = static_cast<std::uint8_t*>(memory);
    }
    UntouchedMemory(const UntouchedMemory&) = delete;
    UntouchedMemory& operator=(const UntouchedMemory&) = delete;
    ~UntouchedMemory() override { munmap(memory_, bytes_); }

    std::uint8_t* data() override { return memory_; }
    std::size_t size() const override { return bytes_; }
    bool pinned() const override { return false; }
    void discard() noexcept override { madvise(memory_, bytes_, MADV_DONTNEED); }

  private:
    std::size_t bytes_;
    std::uint8_t* memory_;
};

}  // namespace shredder
