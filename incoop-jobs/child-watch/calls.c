// SPDX-License-Identifier: Apache-2.0
// What each held system call means. A call that stands in no list here is one that only a plain run may make.
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/openat2.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include "child_watch.h"

// A path argument, and how the call names its folder.
struct path_call {
  int nr;
  int folder;  // the argument that is a folder's descriptor, or -1: the working folder
  int path;    // the argument that is the path
  int flags;   // the argument that holds AT_ flags, or -1
  bool follows;
};

// Calls that ask about a path.
static const struct path_call ASKING[] = {
#ifdef SYS_stat
    {SYS_stat, -1, 0, -1, true},
    {SYS_lstat, -1, 0, -1, false},
    {SYS_access, -1, 0, -1, true},
    {SYS_readlink, -1, 0, -1, false},
#endif
    {SYS_newfstatat, 0, 1, 3, true},
    {SYS_statx, 0, 1, 2, true},
    {SYS_faccessat, 0, 1, -1, true},
    {SYS_faccessat2, 0, 1, 3, true},
    {SYS_readlinkat, 0, 1, -1, false},
    {SYS_chdir, -1, 0, -1, true},
};

// Calls that change what is there, other than its mode.
static const struct path_call CHANGING[] = {
#ifdef SYS_chown
    {SYS_chown, -1, 0, -1, true},
    {SYS_lchown, -1, 0, -1, false},
    {SYS_utime, -1, 0, -1, true},
    {SYS_utimes, -1, 0, -1, true},
    {SYS_futimesat, 0, 1, -1, true},
#endif
    {SYS_fchownat, 0, 1, 4, true},
    {SYS_utimensat, 0, 1, 3, true},
    {SYS_truncate, -1, 0, -1, true},
};

static const struct path_call MAKING_FOLDERS[] = {
#ifdef SYS_mkdir
    {SYS_mkdir, -1, 0, -1, true},
#endif
    {SYS_mkdirat, 0, 1, -1, true},
};

static const struct path_call REMOVING[] = {
#ifdef SYS_unlink
    {SYS_unlink, -1, 0, -1, false},
    {SYS_rmdir, -1, 0, -1, false},
#endif
    {SYS_unlinkat, 0, 1, -1, false},
};

static const struct path_call RENAMING[] = {
#ifdef SYS_rename
    {SYS_rename, -1, 0, -1, false},
#endif
    {SYS_renameat, 0, 1, -1, false},
    {SYS_renameat2, 0, 1, -1, false},
};

static const struct path_call EXECUTING[] = {
    {SYS_execve, -1, 0, -1, true},
    {SYS_execveat, 0, 1, 4, true},
};

#define COUNT(list) (sizeof(list) / sizeof(list)[0])
#define FIND(list, nr) find(list, COUNT(list), nr)

static const struct path_call *find(const struct path_call *list, size_t count, int nr) {
  for (size_t i = 0; i < count; i++)
    if (list[i].nr == nr) return &list[i];
  return NULL;
}

static enum verdict unreadable(const struct call *call) {
  return report_plain("makes the system call %d in a way that can't be followed", call->nr);
}

enum found { FOUND, ON_DESCRIPTOR, NOT_FOUND };

// The place that a call's arguments name.
static enum found place_of(const struct call *call, const struct path_call *form, struct place *place) {
  char path[PATH_MAX];
  int folder = form->folder < 0 ? AT_FDCWD : (int)call->args[form->folder];
  unsigned flags = form->flags < 0 ? 0 : (unsigned)call->args[form->flags];
  if (call->args[form->path] == 0) return folder == AT_FDCWD ? NOT_FOUND : ON_DESCRIPTOR;
  if (!read_text(call, call->args[form->path], path)) return NOT_FOUND;
  if (path[0] == '\0' && ((flags & AT_EMPTY_PATH) != 0 || !form->follows) && folder != AT_FDCWD) return ON_DESCRIPTOR;
  bool follows = form->follows && (flags & AT_SYMLINK_NOFOLLOW) == 0;
  return find_place(call, folder, path, follows, place) ? FOUND : NOT_FOUND;
}

static enum verdict ask(const struct call *call, const struct path_call *form) {
  struct place place;
  enum found found = place_of(call, form, &place);
  if (found == ON_DESCRIPTOR) return LET;
  bool follows = form->follows && (form->flags < 0 || (call->args[form->flags] & AT_SYMLINK_NOFOLLOW) == 0);
  return found == FOUND ? asks(&place, follows) : unreadable(call);
}

static enum verdict change(const struct call *call, const struct path_call *form) {
  struct place place;
  enum found found = place_of(call, form, &place);
  if (found == ON_DESCRIPTOR && !find_descriptor(call, (int)call->args[form->folder], &place)) return unreadable(call);
  return found == NOT_FOUND ? unreadable(call) : changes(&place);
}

static enum verdict with_place(const struct call *call, const struct path_call *form,
                               enum verdict (*rule)(const struct place *)) {
  struct place place;
  return place_of(call, form, &place) == FOUND ? rule(&place) : unreadable(call);
}

static enum verdict rename_(const struct call *call, const struct path_call *form) {
  bool by_folders = form->folder >= 0;
  struct path_call second = {form->nr, by_folders ? 2 : -1, by_folders ? 3 : 1, -1, false};
  struct place from, to;
  bool exchanges = call->nr == SYS_renameat2 && call->args[4] > 1;
  if (exchanges || place_of(call, form, &from) != FOUND || place_of(call, &second, &to) != FOUND)
    return unreadable(call);
  return renames(&from, &to);
}

static enum verdict execute(const struct call *call, const struct path_call *form) {
  struct place program;
  return place_of(call, form, &program) == FOUND ? executes(call, &program) : unreadable(call);
}

static enum verdict open_(const struct call *call, int folder, __u64 path_at, __u64 flags) {
  char path[PATH_MAX];
  return read_text(call, path_at, path) ? opens(call, folder, path, flags) : unreadable(call);
}

static enum verdict open_2(const struct call *call) {
  struct open_how how;
  if (!read_bytes(call, call->args[2], &how, sizeof how) || how.resolve != 0) return unreadable(call);
  return open_(call, (int)call->args[0], call->args[1], how.flags);
}

static enum verdict mode(const struct call *call, int folder, int path, mode_t mode) {
  struct path_call form = {call->nr, folder, path, -1, true};
  struct place place;
  return place_of(call, &form, &place) == FOUND ? changes_mode(&place, mode) : unreadable(call);
}

static enum verdict mode_of_descriptor(const struct call *call) {
  struct place place;
  return find_descriptor(call, (int)call->args[0], &place) ? changes_mode(&place, (mode_t)call->args[1])
                                                           : unreadable(call);
}

static enum verdict change_descriptor(const struct call *call) {
  struct place place;
  return find_descriptor(call, (int)call->args[0], &place) ? changes(&place) : unreadable(call);
}

// Between processes of the same program alone: what is sent on such a socket can have no other address.
static enum verdict socket_(const struct call *call) {
  int kind = (int)call->args[1] & 0xf;
  bool here = (int)call->args[0] == AF_UNIX && kind == SOCK_STREAM;
  return here ? LET : report_plain("opens a network connection");
}

// glibc asks a cache of names first, which need not be there.
static enum verdict connect_(const struct call *call) {
  struct sockaddr_un address = {0};
  size_t length = (size_t)call->args[2];
  if (length > sizeof address || length <= offsetof(struct sockaddr_un, sun_path) + 1 ||
      !read_bytes(call, call->args[1], &address, length) || address.sun_family != AF_UNIX)
    return report_plain("opens a network connection");
  char path[sizeof address.sun_path + 1];
  snprintf(path, sizeof path, "%.*s", (int)(length - offsetof(struct sockaddr_un, sun_path)), address.sun_path);
  struct place place;
  if (path[0] == '\0' || !find_place(call, AT_FDCWD, path, true, &place) || place.reach != MISSING)
    return report_plain("opens a connection to %s", path);
  return asks(&place, true);
}

static enum verdict signal_(pid_t target) {
  return target > 0 && is_descendant(target) ? LET : report_plain("sends a signal to process %d", (int)target);
}

static enum verdict limit(pid_t target) {
  return target == 0 ? LET : signal_(target);
}

static enum verdict control(const struct call *call) {
  switch ((unsigned)call->args[1]) {
    case TCGETS:
    case TIOCGWINSZ:
    case TIOCGPGRP:
    case FIONREAD:
    case FIONBIO:
    case FIOCLEX:
    case FIONCLEX:
      return LET;
    default:
      return report_plain("controls a device (request 0x%x)", (unsigned)call->args[1]);
  }
}

static enum verdict other(const struct call *call) {
  const __u64 *args = call->args;
  switch (call->nr) {
#ifdef SYS_open
    case SYS_open:
      return open_(call, AT_FDCWD, args[0], args[1]);
    case SYS_creat:
      return open_(call, AT_FDCWD, args[0], O_CREAT | O_WRONLY | O_TRUNC);
    case SYS_chmod:
      return mode(call, -1, 0, (mode_t)args[1]);
#endif
    case SYS_openat:
      return open_(call, (int)args[0], args[1], args[2]);
    case SYS_openat2:
      return open_2(call);
    case SYS_fchmodat:
      return mode(call, 0, 1, (mode_t)args[2]);
    case SYS_fchmod:
      return mode_of_descriptor(call);
    case SYS_fchown:
    case SYS_fsetxattr:
    case SYS_fremovexattr:
      return change_descriptor(call);
    case SYS_socket:
    case SYS_socketpair:
      return socket_(call);
    case SYS_connect:
      return connect_(call);
    case SYS_kill:
    case SYS_tkill:
    case SYS_tgkill:
    case SYS_rt_sigqueueinfo:
    case SYS_rt_tgsigqueueinfo:
    case SYS_pidfd_open:
      return signal_((pid_t)args[0]);
    case SYS_pidfd_send_signal:  // of a process for which pidfd_open was let
      return LET;
    case SYS_prlimit64:
    case SYS_sched_setaffinity:
    case SYS_sched_setscheduler:
    case SYS_sched_setparam:
    case SYS_sched_setattr:
      return limit((pid_t)args[0]);
    case SYS_setpriority:
      return (int)args[0] == PRIO_PROCESS ? limit((pid_t)args[1]) : report_plain("changes priorities");
    case SYS_ioctl:
      return control(call);
    default:
      return report_plain("makes the system call %d, which can't be part of a result that is kept", call->nr);
  }
}

enum verdict judge(const struct call *call) {
  const struct path_call *form = FIND(ASKING, call->nr);
  if (form != NULL) return ask(call, form);
  if ((form = FIND(EXECUTING, call->nr)) != NULL) return execute(call, form);
  if ((form = FIND(REMOVING, call->nr)) != NULL) return with_place(call, form, removes);
  if ((form = FIND(MAKING_FOLDERS, call->nr)) != NULL) return with_place(call, form, makes_folder);
  if ((form = FIND(RENAMING, call->nr)) != NULL) return rename_(call, form);
  if ((form = FIND(CHANGING, call->nr)) != NULL) return change(call, form);
#ifdef SYS_statfs
  struct path_call file_system = {SYS_statfs, -1, 0, -1, true};
  struct place place;
  if (call->nr == SYS_statfs)
    return place_of(call, &file_system, &place) == FOUND && place.reach != THERE
               ? asks(&place, true)
               : report_plain("asks how full the disk of a file is");
#endif
  return other(call);
}
