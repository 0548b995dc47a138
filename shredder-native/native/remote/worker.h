// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "pipeline/device_pool.h"
#include "pipeline/error.h"
#include "pipeline/named_threads.h"
#include "remote/fair_gate.h"

namespace shredder {

namespace remote {
class WorkerClient;
}

/// What a worker allows.
struct WorkerOptions {
    std::string socket;       ///< a path; only its owner may connect
    std::string devices;      ///< a pool, as parsePool reads it
    unsigned cpuThreads = 0;  ///< 0: all cores
    unsigned mostClients = 16;
    std::uint64_t mostBufferBytes = 64ULL << 20;  ///< payload of one buffer; a client has up to 16 of them
    std::chrono::milliseconds patience{10'000};   ///< with a client in the middle of a frame
};

/// One of a worker's devices. Thread-safe.
struct WorkerDevice {
    std::unique_ptr<Device> device;
    remote::FairGate gate;
    std::atomic<bool> failed{false};

    WorkerDevice(std::unique_ptr<Device> opened, FairClock& clock);
};

/// Lends this machine's devices to engines of other processes. Clients are served until it is destroyed.
class Worker {
  public:
    /// Listens. Throws Error(SHREDDER_INVALID_ARGUMENT or SHREDDER_UNAVAILABLE).
    explicit Worker(WorkerOptions options);
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    ~Worker();

    struct State {
        unsigned clients;
        std::uint64_t clientsServed;  ///< those that are there, too
        std::uint64_t bytesScanned;
    };
    State state() const;

    // For WorkerClient.
    const WorkerOptions& options() const { return options_; }
    /// What the devices are called together.
    const std::string& name() const { return name_; }
    /// The device for a buffer; a CPU in place of all when all have failed.
    WorkerDevice& choose();
    /// If the error is a failure of this device: nobody is given it any more, and the error is thrown as one
    /// that clients are told of.
    void fail(WorkerDevice& device, const Error& error) const;
    std::uint64_t waitingBytes() const;
    /// That all devices read at full speed.
    std::unique_ptr<HostMemory> createMemory(std::size_t bytes);

  private:
    void acceptLoop();
    void newsLoop();
    void admit(int socket);
    void removeEnded();

    WorkerOptions options_;
    FairClock clock_;  // of all devices: a client's turns are the same at each
    std::vector<std::unique_ptr<WorkerDevice>> devices_;
    std::once_flag substituteOpens_;
    std::unique_ptr<WorkerDevice> opened_;
    std::atomic<WorkerDevice*> substitute_{nullptr};  // once all devices have failed
    std::string name_;
    int listener_;
    std::atomic<bool> closed_{false};
    mutable std::mutex mutex_;
    std::vector<std::unique_ptr<remote::WorkerClient>> clients_;
    std::uint64_t served_ = 0;
    NamedThreads threads_;
};

}  // namespace shredder
