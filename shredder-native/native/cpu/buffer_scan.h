// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "chunk/candidates.h"
#include "cpu/scan.h"

namespace shredder {

/// The scan of one buffer in pieces, which several threads may scan at once, and the memory for what it
/// finds: a list, or a bitmap of the whole buffer if the candidates of some piece lie too close to be listed.
/// Used again for buffer after buffer.
class BufferScan {
  public:
    /// Buffers have at most so many bytes (less than 2 GiB), in at most so many pieces.
    BufferScan(std::size_t mostBytes, std::size_t mostPieces);

    /// Begins with another buffer, which must stay until the last piece is scanned, as must the 48 bytes
    /// before it. Returns how many pieces it has.
    std::size_t begin(const std::uint8_t* data, std::size_t size);

    /// Any pieces may be scanned at once.
    void scan(const CpuScan& form, const ScanSpec& spec, std::size_t piece);

    /// After all pieces, once. Valid until the next begin.
    Candidates candidates();

    /// Held; the bitmap takes up real memory only once it is needed.
    std::size_t bytes() const;

  private:
    struct Piece {
        std::size_t begin;
        std::size_t end;
        std::uint32_t* list;
        std::size_t room;
        std::size_t count;
        bool listed;
    };

    /// Entries for so many bytes: more than any useful setting gives, a quarter of the bitmap's memory.
    static constexpr std::size_t roomFor(std::size_t bytes) { return bytes / 128 + 1; }

    Candidates joinedList();
    Candidates joinedBitmap();
    void markEntries(const Piece& piece, std::size_t end);

    std::size_t mostPieces_;
    std::size_t listRoom_;
    std::size_t bitmapWords_;
    std::unique_ptr<std::uint32_t[]> list_;
    std::unique_ptr<std::uint64_t[]> bitmap_;
    const std::uint8_t* data_ = nullptr;
    std::vector<Piece> pieces_;
};

}  // namespace shredder
