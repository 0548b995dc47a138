// SPDX-License-Identifier: Apache-2.0
//
// The native reader stage. A file or device is read by several threads at once, since one thread's copy out
// of the page cache (7 to 11 GB/s) is slower than a device, and since a cold disk wants several requests in
// flight. Each buffer is cut into pieces that the threads take in order, so they all end together whatever
// their speed; a piece is small against a buffer, so that none waits long for the last.
//
// Plain threads with pread, not io_uring: from the page cache io_uring copies on the submitting thread, or
// with IOSQE_ASYNC on kernel threads, at the same cost a byte (in a trial with 1 GiB, pieces of 256 KiB and 1
// MiB: 7.0 to 7.9 GB/s a core either way); from a cold file and with O_DIRECT both met the disk's limit. Nor
// is the next buffer asked for in advance (POSIX_FADV_WILLNEED): threads that read side by side were at least
// as fast.
#include "pipeline/file_reader.h"

#include <algorithm>
#include <thread>

#include "pipeline/piece_readers.h"
#include "pipeline/source_file.h"

namespace shredder {
namespace {

constexpr unsigned kDefaultThreads = 8;
constexpr unsigned kMaxThreads = 256;
constexpr std::size_t kCachedPieceBytes = 256 << 10;
/// Disks want longer requests than memory does.
constexpr std::size_t kDirectPieceBytes = 1 << 20;
/// How often the wait for a pipe's writer looks at whether the stream was cancelled.
constexpr int kCancelPollMs = 20;

/// Bytes [begin, end) of a source.
struct Range {
    std::uint64_t begin;
    std::uint64_t end;
};

Range rangeOf(const SourceFile& source, const shredder_read_options& options) {
    bool whole = options.offset == 0 && options.length == 0;
    if (!whole && !source.positional()) {
        throw Error(SHREDDER_INVALID_ARGUMENT, source.path() +
                                                   " has no known size: read it from its start "
                                                   "to its end, without offset and length");
    }
    std::uint64_t size = source.size();
    if (options.offset > size || options.length > size - options.offset) {
        throw Error(SHREDDER_INVALID_ARGUMENT, source.path() + " has " + std::to_string(size) +
                                                   " bytes: offset " + std::to_string(options.offset) +
                                                   " and length " + std::to_string(options.length) +
                                                   " reach beyond");
    }
    return {options.offset, options.length == 0 ? size : options.offset + options.length};
}

unsigned threadsFor(const SourceFile& source, const Range& range, const shredder_read_options& options,
                    std::size_t pieceBytes) {
    if (options.threads > kMaxThreads) {
        throw Error(SHREDDER_INVALID_ARGUMENT, "threads " + std::to_string(options.threads) + " to read " +
                                                   source.path() + " with is above " +
                                                   std::to_string(kMaxThreads));
    }
    unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    unsigned asked = options.threads != 0 ? options.threads : std::min(kDefaultThreads, cores);
    std::uint64_t pieces = (range.end - range.begin + pieceBytes - 1) / pieceBytes;
    return static_cast<unsigned>(std::clamp<std::uint64_t>(pieces, 1, asked));
}

std::uint64_t fillByPosition(Stream& stream, const SourceFile& source, const shredder_read_options& options) {
    Range range = rangeOf(source, options);
    std::size_t pieceBytes = source.direct() ? kDirectPieceBytes : kCachedPieceBytes;
    PieceReaders readers(source, threadsFor(source, range, options, pieceBytes), pieceBytes);
    for (std::uint64_t position = range.begin;;) {
        Stream::Payload payload = stream.acquire();
        std::size_t size = std::min<std::uint64_t>(payload.capacity, range.end - position);
        readers.read(position, payload.data, size, [&stream] { return stream.stopped(); });
        position += size;
        bool last = position == range.end;
        if (last && options.length == 0) source.requireUnchanged(position);
        stream.submit(size, last);
        if (last) return range.end - range.begin;
    }
}

/// Returns how much of the payload is filled; less than its capacity only at the source's end.
std::size_t fillPayload(const Stream::Payload& payload, Stream& stream, SourceFile& source) {
    std::size_t filled = 0;
    while (filled < payload.capacity) {
        if (stream.stopped()) throw Error(SHREDDER_CANCELLED, "the stream was cancelled");
        if (!source.awaitNext(kCancelPollMs)) continue;
        std::size_t count = source.readNext(payload.data + filled, payload.capacity - filled);
        if (count == 0) break;
        filled += count;
    }
    return filled;
}

std::uint64_t fillInSequence(Stream& stream, SourceFile& source, const shredder_read_options& options) {
    rangeOf(source, options);
    for (std::uint64_t total = 0;;) {
        Stream::Payload payload = stream.acquire();
        std::size_t size = fillPayload(payload, stream, source);
        total += size;
        bool last = size < payload.capacity;
        if (last) source.requireUnchanged(total);
        stream.submit(size, last);
        if (last) return total;
    }
}

}  // namespace

std::uint64_t fillFromFile(Stream& stream, const char* path, const shredder_read_options& options) {
    try {
        if (path == nullptr) throw Error(SHREDDER_INVALID_ARGUMENT, "path is NULL");
        SourceFile source(path, options.direct != 0);
        return source.positional() ? fillByPosition(stream, source, options)
                                   : fillInSequence(stream, source, options);
    } catch (...) {
        stream.cancel();
        throw;
    }
}

}  // namespace shredder
