// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <initializer_list>
#include <mutex>
#include <string>

#include "remote/wire.h"

namespace shredder::remote {

/// Bytes that are sent.
struct Part {
    const void* bytes;
    std::size_t count;
};

/// One end of a Unix socket. One thread receives; any may send, or shut it down. What goes wrong is thrown as
/// Error(SHREDDER_DEVICE_LOST), with the reason.
class Connection {
  public:
    /// Takes the socket over. patience: how long the other end may take for any part of a frame.
    Connection(int socket, std::chrono::milliseconds patience);
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection();

    /// Waits until there is something to receive, or the other end is gone, for so long; -1 ms: for ever.
    bool awaitReadable(std::chrono::milliseconds time) const;
    /// False if the other end has closed the connection, and nothing came.
    bool receiveHeader(FrameHeader& header);
    void receive(void* bytes, std::size_t count);
    template <typename Body>
    Body receiveBody() {
        Body body;
        receive(&body, sizeof body);
        return body;
    }
    void skip(std::size_t count);

    /// A frame; whose header's bodyBytes are filled in.
    void send(FrameHeader header, std::initializer_list<Part> body);
    /// The same for a short one, unless another thread is sending or there is no room: then nothing is sent.
    bool trySend(FrameHeader header, std::initializer_list<Part> body);
    /// Whoever receives or sends gives up.
    void shutDown() noexcept;

  private:
    std::size_t receiveSome(void* bytes, std::size_t count);
    void sendLocked(const FrameHeader& header, std::initializer_list<Part> body);

    int socket_;
    std::mutex sending_;
};

/// To a worker's socket.
int connectTo(const std::string& path);
/// Only its owner may connect. What is left of a worker that is gone is replaced.
int listenAt(const std::string& path);

}  // namespace shredder::remote
