// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

namespace shredder::tools {

/// Runs a command, which ends with a null pointer, to its end; returns its exit code, 2 if there was no
/// process for it.
inline int exitCodeOf(char** command) {
    pid_t child = fork();
    if (child == 0) {
        execv(command[0], command);
        std::perror(command[0]);
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) return 2;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace shredder::tools
