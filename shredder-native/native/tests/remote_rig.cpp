// SPDX-License-Identifier: Apache-2.0
#include "tests/remote_rig.h"

#include <sys/socket.h>
#include <unistd.h>

#include "pipeline/error.h"

namespace shredder::test {
namespace {

using namespace remote;

constexpr std::chrono::milliseconds kPatience{10'000};

}  // namespace

Middleman::Line::Line(int clientSocket, int workerSocket)
    : client(clientSocket, kPatience), worker(workerSocket, kPatience) {}

Middleman::Middleman(const std::string& own, std::string worker, Handling handling)
    : worker_(std::move(worker)),
      handling_(std::move(handling)),
      listener_(listenAt(own)),
      accepting_([this] { acceptLoop(); }) {}

Middleman::~Middleman() {
    closed_ = true;
    shutdown(listener_, SHUT_RDWR);
    accepting_.join();
    close(listener_);
    for (auto& line : lines_) {
        line->client.shutDown();
        line->worker.shutDown();
    }
    for (std::thread& thread : passing_) {
        thread.join();
    }
}

void Middleman::acceptLoop() {
    while (!closed_) {
        int socket = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (socket < 0) continue;
        lines_.push_back(std::make_unique<Line>(socket, connectTo(worker_)));
        Line* line = lines_.back().get();
        passing_.emplace_back([this, line] { pass(*line, line->client, line->worker); });
        passing_.emplace_back([this, line] { pass(*line, line->worker, line->client); });
    }
}

void Middleman::pass(Line& line, Connection& from, Connection& to) {
    try {
        for (;;) {
            from.awaitReadable(std::chrono::milliseconds(-1));
            Frame frame{};
            if (!from.receiveHeader(frame.header)) break;
            frame.body.resize(frame.header.bodyBytes);
            from.receive(frame.body.data(), frame.body.size());
            if (!handling_(frame, ++line.frames)) break;
            to.send(frame.header, {{frame.body.data(), frame.body.size()}});
        }
    } catch (const Error&) {
        line.client.shutDown();  // One of the two has gone.
    }
    line.client.shutDown();
    line.worker.shutDown();
}

}  // namespace shredder::test
