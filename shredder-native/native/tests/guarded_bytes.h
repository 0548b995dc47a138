// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

#include "tests/test_support.h"

namespace shredder::test {

/// A copy of bytes that touches memory nobody may read, behind its last byte or before its first.
class GuardedBytes {
  public:
    enum class Guard { kBefore, kBehind };

    GuardedBytes(const Bytes& bytes, Guard guard) {
        auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        std::size_t room = (bytes.size() + page - 1) / page * page;
        mappedBytes_ = room + 2 * page;
        mapping_ = mmap(nullptr, mappedBytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (mapping_ == MAP_FAILED) throw std::bad_alloc();
        auto* inside = static_cast<std::uint8_t*>(mapping_) + page;
        if (room != 0 && mprotect(inside, room, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
        data_ = guard == Guard::kBefore ? inside : inside + room - bytes.size();
        if (!bytes.empty()) std::memcpy(data_, bytes.data(), bytes.size());
    }
    GuardedBytes(const GuardedBytes&) = delete;
    GuardedBytes& operator=(const GuardedBytes&) = delete;
    ~GuardedBytes() { munmap(mapping_, mappedBytes_); }

    const std::uint8_t* data() const { return data_; }

  private:
    void* mapping_;
    std::size_t mappedBytes_;
    std::uint8_t* data_;
};

}  // namespace shredder::test
