// SPDX-License-Identifier: Apache-2.0
#include "remote/connection.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "pipeline/error.h"

namespace shredder::remote {
namespace {

constexpr int kBacklog = 64;
constexpr std::size_t kMostParts = 4;
constexpr std::size_t kSkippedAtOnce = 64ULL << 10;

[[noreturn]] void lost(const std::string& what) {
    throw Error(SHREDDER_DEVICE_LOST, what);
}

[[noreturn]] void lostBy(const char* what) {
    int error = errno;
    bool late = error == EAGAIN || error == EWOULDBLOCK;
    lost(std::string(what) + ": " + (late ? "nothing moved for too long" : std::strerror(error)));
}

sockaddr_un addressOf(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.empty() || path.size() >= sizeof address.sun_path) {
        throw Error(SHREDDER_INVALID_ARGUMENT, "socket '" + path + "': a path of 1 to " +
                                                   std::to_string(sizeof address.sun_path - 1) +
                                                   " bytes is needed");
    }
    std::copy(path.begin(), path.end(), address.sun_path);
    return address;
}

int newSocket() {
    int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made < 0) throw Error(SHREDDER_UNAVAILABLE, std::string("no socket: ") + std::strerror(errno));
    return made;
}

const sockaddr* plain(const sockaddr_un& address) {
    return reinterpret_cast<const sockaddr*>(&address);
}

[[noreturn]] void refuse(int made, const std::string& path, const char* what, const char* remedy) {
    std::string text = std::string(what) + " '" + path + "': " + std::strerror(errno) + remedy;
    close(made);
    throw Error(SHREDDER_UNAVAILABLE, text);
}

/// A frame, ready to be sent.
struct Parts {
    Parts(const FrameHeader& of, std::initializer_list<Part> body) : header(of) {
        std::size_t count = 1;
        header.bodyBytes = 0;
        for (const Part& part : body) {
            header.bodyBytes += part.count;
            parts[count++] = {const_cast<void*>(part.bytes), part.count};
        }
        parts[0] = {&header, sizeof header};
        message.msg_iov = parts;
        message.msg_iovlen = count;
    }
    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;
    ~Parts() = default;

    FrameHeader header;
    iovec parts[1 + kMostParts]{};
    msghdr message{};
};

/// Nobody listens there any more.
bool isLeftOver(const sockaddr_un& address) {
    struct stat state {};
    if (lstat(address.sun_path, &state) != 0 || !S_ISSOCK(state.st_mode)) return false;
    int probe = newSocket();
    bool refused = connect(probe, plain(address), sizeof address) != 0 && errno == ECONNREFUSED;
    close(probe);
    return refused;
}

}  // namespace

Connection::Connection(int socket, std::chrono::milliseconds patience) : socket_(socket) {
    timeval time{.tv_sec = patience.count() / 1000, .tv_usec = patience.count() % 1000 * 1000};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
    setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
}

Connection::~Connection() {
    close(socket_);
}

bool Connection::awaitReadable(std::chrono::milliseconds time) const {
    pollfd waited{.fd = socket_, .events = POLLIN, .revents = 0};
    return poll(&waited, 1, static_cast<int>(time.count())) > 0;
}

std::size_t Connection::receiveSome(void* bytes, std::size_t count) {
    ssize_t came = 0;
    do {
        came = recv(socket_, bytes, count, 0);
    } while (came < 0 && errno == EINTR);
    if (came < 0) lostBy("receiving");
    return static_cast<std::size_t>(came);
}

bool Connection::receiveHeader(FrameHeader& header) {
    std::size_t first = receiveSome(&header, sizeof header);
    if (first == 0) return false;
    receive(reinterpret_cast<char*>(&header) + first, sizeof header - first);
    return true;
}

void Connection::receive(void* bytes, std::size_t count) {
    for (std::size_t done = 0; done < count;) {
        std::size_t came = receiveSome(static_cast<char*>(bytes) + done, count - done);
        if (came == 0) lost("the other end has closed the connection");
        done += came;
    }
}

void Connection::skip(std::size_t count) {
    std::vector<char> unwanted(std::min(count, kSkippedAtOnce));
    for (std::size_t left = count; left > 0;) {
        std::size_t part = std::min(left, unwanted.size());
        receive(unwanted.data(), part);
        left -= part;
    }
}

void Connection::send(FrameHeader header, std::initializer_list<Part> body) {
    std::lock_guard lock(sending_);
    sendLocked(header, body);
}

bool Connection::trySend(FrameHeader header, std::initializer_list<Part> body) {
    std::unique_lock lock(sending_, std::try_to_lock);
    if (!lock) return false;
    Parts parts(header, body);
    ssize_t gone = sendmsg(socket_, &parts.message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (gone < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return false;
    if (gone < 0) lostBy("sending");
    if (static_cast<std::size_t>(gone) < sizeof header + parts.header.bodyBytes)
        lost("sending: half a frame went");
    return true;
}

void Connection::sendLocked(const FrameHeader& header, std::initializer_list<Part> body) {
    Parts parts(header, body);
    msghdr& message = parts.message;
    while (message.msg_iovlen > 0) {
        ssize_t gone = sendmsg(socket_, &message, MSG_NOSIGNAL);
        if (gone < 0 && errno == EINTR) continue;
        if (gone < 0) lostBy("sending");
        auto left = static_cast<std::size_t>(gone);
        while (message.msg_iovlen > 0 && left >= message.msg_iov->iov_len) {
            left -= message.msg_iov->iov_len;
            message.msg_iov++;
            message.msg_iovlen--;
        }
        if (message.msg_iovlen == 0) break;
        message.msg_iov->iov_base = static_cast<char*>(message.msg_iov->iov_base) + left;
        message.msg_iov->iov_len -= left;
    }
}

void Connection::shutDown() noexcept {
    shutdown(socket_, SHUT_RDWR);
}

int connectTo(const std::string& path) {
    sockaddr_un address = addressOf(path);
    int made = newSocket();
    if (connect(made, plain(address), sizeof address) != 0) {
        refuse(made, path, "no worker answers at", "; start one with 'shredder worker'");
    }
    return made;
}

int listenAt(const std::string& path) {
    sockaddr_un address = addressOf(path);
    if (isLeftOver(address)) unlink(address.sun_path);
    int made = newSocket();
    // On Linux what is bound to has the mode of the socket.
    if (fchmod(made, S_IRUSR | S_IWUSR) != 0) refuse(made, path, "can't protect", "");
    if (bind(made, plain(address), sizeof address) != 0)
        refuse(made, path, "can't listen at", "; name another path, or end who listens there");
    if (listen(made, kBacklog) != 0) refuse(made, path, "can't listen at", "");
    return made;
}

}  // namespace shredder::remote
