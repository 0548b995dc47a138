// SPDX-License-Identifier: Apache-2.0
#include "remote/worker.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <thread>

#include "pipeline/pipeline.h"
#include "remote/worker_client.h"

namespace shredder {
namespace {

/// Steps that one device computes at once: while one ends, the next ones keep all of it busy.
constexpr std::size_t kPlaces = 3;
constexpr std::chrono::milliseconds kClientNewsPeriod{1'000};
constexpr std::chrono::milliseconds kClientNewsTick{100};
/// Where the process may open no more files.
constexpr std::chrono::milliseconds kBetweenFailures{100};

shredder_engine_options engineOptions(const WorkerOptions& options) {
    return {.device = -1, .cpu_threads = options.cpuThreads};
}

void check(const WorkerOptions& options) {
    if (options.mostClients == 0) throw Error(SHREDDER_INVALID_ARGUMENT, "a worker for 0 clients");
    if (options.mostBufferBytes < 4096 || options.mostBufferBytes > 1ULL << 30) {
        throw Error(SHREDDER_INVALID_ARGUMENT, "buffers of " + std::to_string(options.mostBufferBytes) +
                                                   " bytes: 4 KiB to 1 GiB are allowed");
    }
}

}  // namespace

WorkerDevice::WorkerDevice(std::unique_ptr<Device> opened, FairClock& clock)
    : device(std::move(opened)), gate(kPlaces, clock) {}

Worker::Worker(WorkerOptions options) : options_(std::move(options)) {
    check(options_);
    std::vector<PoolEntry> pool = parsePool(options_.devices);
    name_ = choosePool(pool).name;
    for (auto& device : openPool(pool, engineOptions(options_))) {
        devices_.push_back(std::make_unique<WorkerDevice>(std::move(device), clock_));
    }
    listener_ = remote::listenAt(options_.socket);
    try {
        threads_.start("shredder-accept", [this] { acceptLoop(); });
        threads_.start("shredder-news", [this] { newsLoop(); });
    } catch (...) {
        closed_ = true;
        unlink(options_.socket.c_str());
        shutdown(listener_, SHUT_RDWR);
        threads_.join();
        close(listener_);
        throw;
    }
}

/// The path goes first: once nobody listens there, it may be another worker's.
Worker::~Worker() {
    closed_ = true;
    unlink(options_.socket.c_str());
    shutdown(listener_, SHUT_RDWR);
    threads_.join();
    close(listener_);
    for (const auto& client : clients_) {
        client->end("");
    }
    clients_.clear();
}

/// The least busy of those that have not failed, of equally busy ones the first.
WorkerDevice& Worker::choose() {
    WorkerDevice* chosen = nullptr;
    for (const auto& device : devices_) {
        if (device->failed) continue;
        if (chosen == nullptr || device->gate.bytes() < chosen->gate.bytes()) chosen = device.get();
    }
    if (chosen != nullptr) return *chosen;
    std::call_once(substituteOpens_, [this] {
        opened_ = std::make_unique<WorkerDevice>(openBestCpu(engineOptions(options_)), clock_);
        substitute_ = opened_.get();
    });
    return *opened_;
}

void Worker::fail(WorkerDevice& device, const Error& error) const {
    if (!isDeviceFailure(error)) return;
    if (!device.failed.exchange(true)) {
        std::fprintf(stderr, "shredder: warning: the worker's device %s failed and is no longer used: %s\n",
                     device.device->name().c_str(), error.what());
    }
    throw Error(SHREDDER_UNAVAILABLE, "its device " + device.device->name() + " failed: " + error.what());
}

std::uint64_t Worker::waitingBytes() const {
    const WorkerDevice* substitute = substitute_;
    std::uint64_t bytes = substitute != nullptr ? substitute->gate.bytes() : 0;
    for (const auto& device : devices_) {
        bytes += device->gate.bytes();
    }
    return bytes;
}

std::unique_ptr<HostMemory> Worker::createMemory(std::size_t bytes) {
    WorkerDevice& device = choose();
    try {
        return device.device->createHostMemory(bytes, true);
    } catch (...) {
        fail(device, Error::current());
        throw;
    }
}

Worker::State Worker::state() const {
    std::lock_guard lock(mutex_);
    State state{.clients = 0, .clientsServed = served_, .bytesScanned = 0};
    for (const auto& client : clients_) {
        state.clients += client->hasEnded() ? 0 : 1;
    }
    for (const auto& device : devices_) {
        state.bytesScanned += device->device->bytesScanned();
    }
    const WorkerDevice* substitute = substitute_;
    if (substitute != nullptr) state.bytesScanned += substitute->device->bytesScanned();
    return state;
}

void Worker::acceptLoop() {
    while (!closed_) {
        int socket = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (socket < 0) {
            if (!closed_ && errno != EINTR) std::this_thread::sleep_for(kBetweenFailures);
            continue;
        }
        try {
            admit(socket);
        } catch (...) {
            // It has no thread or memory for another one, which hears that by its connection's end.
            std::fprintf(stderr, "shredder: warning: a worker can't serve another client: %s\n",
                         Error::current().what());
        }
    }
}

void Worker::admit(int socket) {
    std::lock_guard lock(mutex_);
    removeEnded();
    if (clients_.size() >= options_.mostClients) {
        remote::Connection refused(socket, options_.patience);
        std::string text = "it has " + std::to_string(clients_.size()) + " clients, and takes no more";
        refused.trySend({.type = remote::FrameType::Refused}, {{text.data(), text.size()}});
        return;
    }
    clients_.push_back(std::make_unique<remote::WorkerClient>(*this, socket));
    served_++;
}

void Worker::removeEnded() {
    std::erase_if(clients_, [](const auto& client) { return client->hasEnded(); });
}

void Worker::newsLoop() {
    for (auto left = kClientNewsPeriod; !closed_; left -= kClientNewsTick) {
        std::this_thread::sleep_for(kClientNewsTick);
        if (left > kClientNewsTick) continue;
        left = kClientNewsPeriod + kClientNewsTick;
        std::lock_guard lock(mutex_);
        removeEnded();
        for (const auto& client : clients_) {
            client->sendNews();
        }
    }
}

}  // namespace shredder
