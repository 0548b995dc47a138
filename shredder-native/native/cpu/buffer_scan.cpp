// SPDX-License-Identifier: Apache-2.0
#include "cpu/buffer_scan.h"

#include <algorithm>
#include <cstring>

namespace shredder {

BufferScan::BufferScan(std::size_t mostBytes, std::size_t mostPieces)
    : mostPieces_(mostPieces),
      listRoom_(roomFor(mostBytes) + mostPieces),
      bitmapWords_((mostBytes + 63) / 64),
      list_(new std::uint32_t[listRoom_]),
      bitmap_(new std::uint64_t[bitmapWords_]) {
    pieces_.reserve(mostPieces);
}

std::size_t BufferScan::begin(const std::uint8_t* data, std::size_t size) {
    data_ = data;
    pieces_.clear();
    std::size_t share = size / mostPieces_ + 1;
    std::size_t pieceBytes = (share + kScanBlockBytes - 1) / kScanBlockBytes * kScanBlockBytes;
    std::uint32_t* list = list_.get();
    for (std::size_t at = 0; at < size; at += pieceBytes) {
        std::size_t end = std::min(at + pieceBytes, size);
        pieces_.push_back({at, end, list, roomFor(end - at), 0, false});
        list += roomFor(end - at);
    }
    return pieces_.size();
}

void BufferScan::scan(const CpuScan& form, const ScanSpec& spec, std::size_t index) {
    Piece& piece = pieces_[index];
    std::size_t size = piece.end - piece.begin;
    ListTarget list{piece.list, piece.room, static_cast<std::uint32_t>(piece.begin)};
    Listed listed = form.list(spec, data_ + piece.begin, size, list);
    piece.count = listed.candidates;
    piece.listed = listed.bytes == size;
    if (!piece.listed) {
        std::size_t rest = piece.begin + listed.bytes / 64 * 64;
        markEntries(piece, rest);
        form.mark(spec, data_ + rest, piece.end - rest, bitmap_.get() + rest / 64);
    }
}

/// From the piece's begin to `end`, a multiple of 64 unless it is the buffer's.
void BufferScan::markEntries(const Piece& piece, std::size_t end) {
    std::fill(bitmap_.get() + piece.begin / 64, bitmap_.get() + (end + 63) / 64, std::uint64_t{0});
    for (std::size_t i = 0; i < piece.count && piece.list[i] <= end; i++) {
        std::size_t bit = piece.list[i] - 1;
        bitmap_[bit / 64] |= std::uint64_t{1} << (bit % 64);
    }
}

Candidates BufferScan::candidates() {
    bool allListed =
        std::all_of(pieces_.begin(), pieces_.end(), [](const Piece& piece) { return piece.listed; });
    return allListed ? joinedList() : joinedBitmap();
}

Candidates BufferScan::joinedList() {
    std::uint32_t* end = list_.get();
    for (const Piece& piece : pieces_) {
        std::memmove(end, piece.list, piece.count * sizeof *end);
        end += piece.count;
    }
    return {.list = list_.get(), .count = static_cast<std::size_t>(end - list_.get())};
}

Candidates BufferScan::joinedBitmap() {
    for (const Piece& piece : pieces_) {
        if (piece.listed) markEntries(piece, piece.end);
    }
    return {.bitmap = bitmap_.get()};
}

std::size_t BufferScan::bytes() const {
    return listRoom_ * sizeof(std::uint32_t) + bitmapWords_ * sizeof(std::uint64_t);
}

}  // namespace shredder
