// SPDX-License-Identifier: Apache-2.0
// For LD_PRELOAD: reads of one file, by its inode, fail as on a disk with bad sectors: short before them, EIO within.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static long number(const char *name)
{
    const char *text = getenv(name);
    return text == NULL ? 0 : atol(text);
}

ssize_t pread64(int fd, void *into, size_t count, off64_t at)
{
    static ssize_t (*real)(int, void *, size_t, off64_t);
    if (real == NULL) {
        real = (ssize_t(*)(int, void *, size_t, off64_t))dlsym(RTLD_NEXT, "pread64");
    }
    struct stat file;
    long from = number("BAD_FROM");
    long to = number("BAD_TO");
    if (fstat(fd, &file) == 0 && (long)file.st_ino == number("BAD_INODE") && at < to && at + (long)count > from) {
        if (at >= from) {
            errno = EIO;
            return -1;
        }
        count = (size_t)(from - at);
    }
    return real(fd, into, count, at);
}
