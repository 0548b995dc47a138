// SPDX-License-Identifier: Apache-2.0
//
// The C API of workers.
#include <cstdio>
#include <memory>

#include "api/guarded.h"
#include "remote/worker.h"
#include "shredder.h"

struct shredder_worker {
    explicit shredder_worker(const shredder::WorkerOptions& options) : worker(options) {}
    shredder::Worker worker;
};

namespace {

using shredder::guarded;
using shredder::required;

shredder::WorkerOptions optionsOf(const shredder_worker_options& asked) {
    shredder::WorkerOptions options{.socket = &required(asked.socket, "socket"),
                                    .devices = asked.devices != nullptr ? asked.devices : "cpu",
                                    .cpuThreads = asked.cpu_threads};
    if (asked.most_clients != 0) options.mostClients = asked.most_clients;
    if (asked.most_buffer_bytes != 0) options.mostBufferBytes = asked.most_buffer_bytes;
    return options;
}

}  // namespace

shredder_status shredder_worker_open(const shredder_worker_options* options, shredder_worker** worker) {
    return guarded([&] {
        shredder_worker*& result = required(worker, "worker");
        result = std::make_unique<shredder_worker>(optionsOf(required(options, "options"))).release();
    });
}

shredder_status shredder_worker_describe(const shredder_worker* worker, shredder_worker_info* info) {
    return guarded([&] {
        shredder_worker_info& result = required(info, "info");
        const shredder::Worker& opened = required(worker, "worker").worker;
        shredder::Worker::State state = opened.state();
        result = {.clients = state.clients,
                  .clients_served = state.clientsServed,
                  .bytes_scanned = state.bytesScanned};
        std::snprintf(result.devices, sizeof result.devices, "%s", opened.name().c_str());
    });
}

void shredder_worker_close(shredder_worker* worker) {
    std::unique_ptr<shredder_worker>(worker).reset();
}
