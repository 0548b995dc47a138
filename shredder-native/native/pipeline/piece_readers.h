// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>

#include "pipeline/named_threads.h"
#include "pipeline/source_file.h"

namespace shredder {

/// Threads named shredder-read that read one ring buffer after the other, each in pieces side by side; the
/// thread that calls read is one of them.
///
/// Pieces are numbered through all buffers. A thread takes the next number below published_; a buffer's
/// place and its pieces' numbers change only when every piece before is done, so whoever has taken a number
/// may read them without a lock.
class PieceReaders {
  public:
    /// As many threads as the system gives: the one that calls read would do.
    PieceReaders(const SourceFile& source, unsigned threads, std::size_t pieceBytes);
    PieceReaders(const PieceReaders&) = delete;
    PieceReaders& operator=(const PieceReaders&) = delete;
    ~PieceReaders();

    /// Reads the source's bytes [offset, offset + size) to target. Throws the first error of any thread, or
    /// CANCELLED as soon as `stopped`, asked by the calling thread between pieces, says so.
    void read(std::uint64_t offset, std::uint8_t* target, std::size_t size,
              const std::function<bool()>& stopped);

  private:
    void run();
    void publish(std::size_t pieces);
    bool takePiece(std::uint64_t& piece);
    void readPiece(std::uint64_t piece, BounceBuffer& bounce);
    void fail(const Error& error) noexcept;
    void awaitAllDone();

    const SourceFile& source_;
    std::size_t pieceBytes_;
    BounceBuffer bounce_;  // of the calling thread

    // The buffer being read.
    std::uint64_t offset_ = 0;
    std::uint8_t* target_ = nullptr;
    std::size_t size_ = 0;
    std::uint64_t firstPiece_ = 0;

    std::atomic<std::uint64_t> next_{0};       // piece to be taken next
    std::atomic<std::uint64_t> published_{0};  // pieces up to here may be taken
    std::atomic<std::uint64_t> done_{0};
    std::atomic<bool> failed_{false};  // the other pieces of this fill need not be read

    std::mutex mutex_;
    std::condition_variable work_;      // published_ or closing_ has changed
    std::condition_variable finished_;  // done_ has reached published_
    bool closing_ = false;
    std::optional<Error> failure_;
    NamedThreads threads_;
};

}  // namespace shredder
