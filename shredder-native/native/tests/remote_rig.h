// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "remote/connection.h"
#include "remote/worker.h"
#include "tests/test_support.h"

namespace shredder::test {

/// A frame on its way.
struct Frame {
    remote::FrameHeader header;
    Bytes body;
};

/// Stands between a worker and its clients, and passes frames on, unless it does something else with them.
class Middleman {
  public:
    /// Gets each frame of a client or of the worker, which it may change, and its number, from 1 on, among
    /// all of the connection's frames; false ends the connection in its place.
    using Handling = std::function<bool(Frame& frame, int number)>;

    /// Listens at `own`; the worker listens at `worker`.
    Middleman(const std::string& own, std::string worker, Handling handling);
    Middleman(const Middleman&) = delete;
    Middleman& operator=(const Middleman&) = delete;
    ~Middleman();

  private:
    struct Line {
        Line(int clientSocket, int workerSocket);

        remote::Connection client;
        remote::Connection worker;
        std::atomic<int> frames{0};
    };

    void acceptLoop();
    void pass(Line& line, remote::Connection& from, remote::Connection& to);

    std::string worker_;
    Handling handling_;
    int listener_;
    std::atomic<bool> closed_{false};
    std::mutex mutex_;
    std::vector<std::unique_ptr<Line>> lines_;
    std::vector<std::thread> passing_;
    std::thread accepting_;
};

}  // namespace shredder::test
