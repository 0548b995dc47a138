// SPDX-License-Identifier: Apache-2.0
// The filter of system calls: those that reach nothing outside happen at once, all others are held.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "child_watch.h"

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif

#if defined(__x86_64__)
#define NATIVE AUDIT_ARCH_X86_64
#define FOREIGN_BIT 0x40000000U  // calls of x32
#elif defined(__aarch64__)
#define NATIVE AUDIT_ARCH_AARCH64
#define FOREIGN_BIT 0x80000000U
#else
#error "child-watch knows x86_64 and aarch64"
#endif

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

// They work on memory, on the process itself, or on descriptors, each of which was let open before.
static const int HARMLESS[] = {
#include "harmless.inc"
};

bool is_native(__u32 arch, int nr) { return arch == NATIVE && ((unsigned)nr & FOREIGN_BIT) == 0; }

static int hold(struct sock_filter *program, unsigned long flags) {
  struct sock_fprog all = {.len = (unsigned short)(2 * COUNT(HARMLESS) + 6), .filter = program};
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &all);
}

// Whether the kernel lets signals that don't kill wait while a call is received and not yet answered.
bool only_death_interrupts(void) {
  static int known = -1;
  if (known < 0) {
    unsigned long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
    // A kernel that knows the flags looks for the filter next, and finds none.
    known = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, NULL) < 0 && errno == EFAULT;
  }
  return known == 1;
}

// The descriptor on which held calls are told, or -1.
int install_filter(void) {
  static struct sock_filter program[2 * COUNT(HARMLESS) + 6];
  size_t n = 0;
  program[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
  program[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NATIVE, 1, 0);
  program[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
  program[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (size_t i = 0; i < COUNT(HARMLESS); i++) {
    program[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (__u32)HARMLESS[i], 0, 1);
    program[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  }
  program[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
  program[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  int listener = hold(program, SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV);
  return listener >= 0 || errno != EINVAL ? listener : hold(program, SECCOMP_FILTER_FLAG_NEW_LISTENER);
}
