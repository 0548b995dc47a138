// SPDX-License-Identifier: Apache-2.0
#include "pipeline/piece_readers.h"

#include <algorithm>

namespace shredder {

PieceReaders::PieceReaders(const SourceFile& source, unsigned threads, std::size_t pieceBytes)
    : source_(source), pieceBytes_(pieceBytes) {
    try {
        for (unsigned i = 1; i < threads; i++) {
            threads_.start("shredder-read", [this] { run(); });
        }
    } catch (...) {
        return;
    }
}

PieceReaders::~PieceReaders() {
    {
        std::lock_guard lock(mutex_);
        closing_ = true;
    }
    work_.notify_all();
    threads_.join();
}

void PieceReaders::read(std::uint64_t offset, std::uint8_t* target, std::size_t size,
                        const std::function<bool()>& stopped) {
    offset_ = offset;
    target_ = target;
    size_ = size;
    firstPiece_ = published_;
    publish((size + pieceBytes_ - 1) / pieceBytes_);
    for (std::uint64_t piece = 0; takePiece(piece);) {
        readPiece(piece, bounce_);
        if (!failed_ && stopped()) fail(Error(SHREDDER_CANCELLED, "the stream was cancelled"));
    }
    awaitAllDone();
    if (failed_) throw Error(*failure_);
}

void PieceReaders::publish(std::size_t pieces) {
    {
        std::lock_guard lock(mutex_);
        published_ += pieces;
    }
    if (pieces > 1) work_.notify_all();
}

void PieceReaders::awaitAllDone() {
    std::unique_lock lock(mutex_);
    finished_.wait(lock, [this] { return done_ == published_; });
}

void PieceReaders::run() {
    BounceBuffer bounce;
    for (;;) {
        for (std::uint64_t piece = 0; takePiece(piece);)
            readPiece(piece, bounce);
        std::unique_lock lock(mutex_);
        work_.wait(lock, [this] { return closing_ || next_ < published_; });
        if (closing_) return;
    }
}

bool PieceReaders::takePiece(std::uint64_t& piece) {
    std::uint64_t end = published_;
    piece = next_;
    while (piece < end) {
        if (next_.compare_exchange_weak(piece, piece + 1)) return true;
    }
    return false;
}

void PieceReaders::readPiece(std::uint64_t piece, BounceBuffer& bounce) {
    std::size_t begin = (piece - firstPiece_) * pieceBytes_;
    std::size_t size = std::min(pieceBytes_, size_ - begin);
    try {
        if (!failed_) source_.readAt(offset_ + begin, target_ + begin, size, bounce);
    } catch (...) {
        fail(Error::current());
    }
    if (++done_ == published_) {
        std::lock_guard lock(mutex_);
        finished_.notify_one();
    }
}

void PieceReaders::fail(const Error& error) noexcept {
    std::lock_guard lock(mutex_);
    if (!failure_) failure_ = error;
    failed_ = true;
}

}  // namespace shredder
