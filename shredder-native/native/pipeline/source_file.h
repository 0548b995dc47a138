// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "pipeline/error.h"

namespace shredder {

/// Memory for one thread's direct reads that are not aligned as the device wants them. Allocated when first
/// needed.
class BounceBuffer {
  public:
    /// At least `size` bytes, aligned to SourceFile::kDirectAlignment.
    std::uint8_t* atLeast(std::size_t size);

  private:
    struct Free {
        void operator()(std::uint8_t* memory) const;
    };
    std::unique_ptr<std::uint8_t, Free> memory_;
    std::size_t size_ = 0;
};

/// An open file, block device or pipe. Errors name the path and, where the system gave one, its text.
class SourceFile {
  public:
    /// Of memory, offsets and lengths: what every device and file system of today accepts for direct reads.
    static constexpr std::size_t kDirectAlignment = 4096;

    /// Opens; with `direct`, for reads past the page cache. Never waits for a pipe's writer.
    SourceFile(std::string path, bool direct);
    SourceFile(const SourceFile&) = delete;
    SourceFile& operator=(const SourceFile&) = delete;
    ~SourceFile();

    /// Whether it has a size and readAt works: a regular file that is not empty, or a block device. Else
    /// only readNext works.
    bool positional() const { return positional_; }
    /// When it was opened; 0 if not positional.
    std::uint64_t size() const { return size_; }
    bool direct() const { return direct_; }
    const std::string& path() const { return path_; }

    /// Reads exactly data[offset .. offset + size). Any thread; `bounce` is the thread's own. Throws
    /// SOURCE_CHANGED if the file ends before.
    void readAt(std::uint64_t offset, std::uint8_t* target, std::size_t size, BounceBuffer& bounce) const;

    /// Waits up to timeoutMs for bytes that readNext can give; false if there are none yet.
    bool awaitNext(int timeoutMs) const;
    /// The next 1 to `size` bytes; 0 at the end. For one thread.
    std::size_t readNext(std::uint8_t* target, std::size_t size);

    /// Throws SOURCE_CHANGED if a regular file's size is not what it was at the beginning.
    void requireUnchanged(std::uint64_t bytesRead) const;

  private:
    void describe();
    void makeDirect();
    void readStraight(std::uint64_t offset, std::uint8_t* target, std::size_t size, std::size_t needed) const;
    [[noreturn]] void throwChanged(std::uint64_t bytesRead) const;
    Error openError() const;
    Error readError(std::uint64_t offset) const;

    std::string path_;
    int descriptor_;
    bool regular_ = false;
    bool positional_ = false;
    bool direct_ = false;
    std::uint64_t size_ = 0;
    std::uint64_t nextOffset_ = 0;  // readNext only
};

}  // namespace shredder
