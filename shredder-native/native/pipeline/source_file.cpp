// SPDX-License-Identifier: Apache-2.0
#include "pipeline/source_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>

namespace shredder {
namespace {

constexpr std::align_val_t kAlignment{SourceFile::kDirectAlignment};
constexpr std::uint64_t kAlignmentMask = SourceFile::kDirectAlignment - 1;

std::string systemText() {
    return std::generic_category().message(errno);
}

/// The descriptor of this process that a path names, or -1.
int descriptorNamedBy(std::string_view path) {
    if (path == "/dev/stdin") return STDIN_FILENO;
    for (std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
        if (path.substr(0, folder.size()) != folder) continue;
        std::string_view digits = path.substr(folder.size());
        int descriptor = -1;
        auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), descriptor);
        if (error == std::errc() && end == digits.data() + digits.size()) return descriptor;
    }
    return -1;
}

/// To open a pipe anew would wait for a writer: for the first one, out of reach of the stream's cancel, or,
/// if it is a pipe that this process was given and whose writers are through, for one that never comes.
int openForReading(const char* path) {
    struct stat status {};
    bool known = stat(path, &status) == 0;
    bool pipe = known && S_ISFIFO(status.st_mode);
    int own = pipe || (known && S_ISSOCK(status.st_mode)) ? descriptorNamedBy(path) : -1;
    if (own != -1) return fcntl(own, F_DUPFD_CLOEXEC, 0);
    return open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (pipe ? O_NONBLOCK : 0));
}

bool aligned(std::uint64_t value) {
    return (value & kAlignmentMask) == 0;
}

}  // namespace

std::uint8_t* BounceBuffer::atLeast(std::size_t size) {
    if (size > size_) {
        memory_.reset(static_cast<std::uint8_t*>(::operator new(size, kAlignment)));
        size_ = size;
    }
    return memory_.get();
}

void BounceBuffer::Free::operator()(std::uint8_t* memory) const {
    ::operator delete(memory, kAlignment);
}

SourceFile::SourceFile(std::string path, bool direct)
    : path_(std::move(path)), descriptor_(openForReading(path_.c_str())) {
    if (descriptor_ < 0) throw openError();
    try {
        describe();
        if (direct) makeDirect();
        if (positional_ && !direct_) posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
    } catch (...) {
        close(descriptor_);
        throw;
    }
}

SourceFile::~SourceFile() {
    close(descriptor_);
}

/// A regular file of no length may be one of the kernel's, which have bytes all the same: read like a pipe.
void SourceFile::describe() {
    struct stat status {};
    if (fstat(descriptor_, &status) != 0) throw readError(0);
    if (S_ISDIR(status.st_mode)) throw Error(SHREDDER_SOURCE_ERROR, path_ + " is a directory: name a file");
    regular_ = S_ISREG(status.st_mode);
    if (regular_) {
        size_ = static_cast<std::uint64_t>(status.st_size);
    } else if (S_ISBLK(status.st_mode)) {
        off_t end = lseek(descriptor_, 0, SEEK_END);
        if (end < 0) throw readError(0);
        size_ = static_cast<std::uint64_t>(end);
    }
    positional_ = size_ > 0;
}

void SourceFile::makeDirect() {
    if (!positional_) {
        if (regular_) return;
        throw Error(SHREDDER_INVALID_ARGUMENT,
                    path_ +
                        " can't be read past the page cache, it is not a file or block device: leave "
                        "direct out");
    }
    if (fcntl(descriptor_, F_SETFL, O_DIRECT) != 0) {
        throw Error(SHREDDER_INVALID_ARGUMENT, path_ +
                                                   " can't be read past the page cache, its file system "
                                                   "refuses (" +
                                                   systemText() + "): leave direct out");
    }
    direct_ = true;
}

void SourceFile::readAt(std::uint64_t offset, std::uint8_t* target, std::size_t size,
                        BounceBuffer& bounce) const {
    bool straight =
        !direct_ || (aligned(offset) && aligned(size) && aligned(reinterpret_cast<std::uintptr_t>(target)));
    if (straight) {
        readStraight(offset, target, size, size);
        return;
    }
    std::uint64_t begin = offset & ~kAlignmentMask;
    std::size_t skipped = offset - begin;
    std::size_t whole = (skipped + size + kAlignmentMask) & ~kAlignmentMask;
    std::uint8_t* memory = bounce.atLeast(whole);
    readStraight(begin, memory, whole, skipped + size);
    std::memcpy(target, memory + skipped, size);
}

/// Asks for `size` bytes and is content with `needed`: a direct read may ask beyond the file's end.
void SourceFile::readStraight(std::uint64_t offset, std::uint8_t* target, std::size_t size,
                              std::size_t needed) const {
    for (std::size_t done = 0; done < needed;) {
        ssize_t count = pread(descriptor_, target + done, size - done, static_cast<off_t>(offset + done));
        if (count < 0 && errno == EINTR) continue;
        // A direct read that ended within a block has met the file's end; the next would not be aligned.
        bool ended = count == 0 || (count < 0 && errno == EINVAL && direct_ && !aligned(done));
        if (ended) throwChanged(offset + done);
        if (count < 0) throw readError(offset + done);
        done += static_cast<std::size_t>(count);
    }
}

bool SourceFile::awaitNext(int timeoutMs) const {
    pollfd waiting{.fd = descriptor_, .events = POLLIN, .revents = 0};
    int ready = poll(&waiting, 1, timeoutMs);
    if (ready < 0 && errno != EINTR) throw readError(nextOffset_);
    return ready > 0;
}

std::size_t SourceFile::readNext(std::uint8_t* target, std::size_t size) {
    for (;;) {
        ssize_t count = read(descriptor_, target, size);
        if (count >= 0) {
            nextOffset_ += static_cast<std::uint64_t>(count);
            return static_cast<std::size_t>(count);
        }
        if (errno != EINTR && errno != EAGAIN) throw readError(nextOffset_);
    }
}

void SourceFile::requireUnchanged(std::uint64_t bytesRead) const {
    struct stat status {};
    if (fstat(descriptor_, &status) != 0) throw readError(bytesRead);
    if (regular_ && static_cast<std::uint64_t>(status.st_size) != size_) throwChanged(bytesRead);
}

void SourceFile::throwChanged(std::uint64_t bytesRead) const {
    struct stat status {};
    if (fstat(descriptor_, &status) != 0) throw readError(bytesRead);
    std::string now = regular_ ? ", now it has " + std::to_string(status.st_size) : "";
    throw Error(SHREDDER_SOURCE_CHANGED, path_ + " changed while it was read: it had " +
                                             std::to_string(size_) + " bytes, " + std::to_string(bytesRead) +
                                             " were read" + now + "; chunk it again when nobody writes it");
}

Error SourceFile::openError() const {
    switch (errno) {
        case ENOENT:
            return {SHREDDER_SOURCE_ERROR, path_ + " does not exist"};
        case EACCES:
            return {SHREDDER_SOURCE_ERROR, path_ + " may not be read by this user"};
        default:
            return {SHREDDER_SOURCE_ERROR, path_ + " can't be opened: " + systemText()};
    }
}

Error SourceFile::readError(std::uint64_t offset) const {
    return {SHREDDER_SOURCE_ERROR,
            path_ + " can't be read at offset " + std::to_string(offset) + ": " + systemText()};
}

}  // namespace shredder
