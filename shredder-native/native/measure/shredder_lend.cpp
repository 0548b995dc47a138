// SPDX-License-Identifier: Apache-2.0
//
// Runs a command beside a worker, whose devices the command's engines may use:
//
//   shredder_lend SOCKET DEVICES COMMAND [ARGUMENTS..]
//
// The command begins when the worker listens, and the worker ends with it. Exit code: the command's; 2 if
// there is no worker.
#include <cstdio>

#include "measure/child_command.h"
#include "shredder.h"

int main(int argc, char** argv) {
    if (argc < 4) {
        std::fprintf(stderr, "usage: shredder_lend SOCKET DEVICES COMMAND [ARGUMENTS..]\n");
        return 2;
    }
    shredder_worker_options options{.socket = argv[1], .devices = argv[2]};
    shredder_worker* worker = nullptr;
    if (shredder_worker_open(&options, &worker) != SHREDDER_OK) {
        std::fprintf(stderr, "shredder_lend: %s\n", shredder_last_error());
        return 2;
    }
    int code = shredder::tools::exitCodeOf(argv + 3);
    shredder_worker_close(worker);
    return code;
}
