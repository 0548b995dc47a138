// SPDX-License-Identifier: Apache-2.0
// Which files may be looked at, and which changed: what was there before is an input, and only what a program has made
// itself, in a folder for temporary files, may it change and remove.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child_watch.h"

enum { MOST_OWN = 4096, TEMPORARY_FOLDERS = 2 };

// Devices that hold nothing.
static const char *const EMPTY_DEVICES[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};

// What tells of the machine's size, of the kernel and of nothing that a result may follow from.
static const char *const OF_MACHINE[] = {
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/version",
    "/proc/filesystems",
    "/proc/sys/kernel/cap_last_cap",
    "/proc/sys/kernel/ngroups_max",
    "/proc/sys/kernel/osrelease",
    "/proc/sys/kernel/pid_max",
    "/proc/sys/kernel/random",
    "/proc/sys/crypto/fips_enabled",
    "/proc/sys/vm/overcommit_memory",
    "/sys/devices/system/cpu",
    "/sys/fs/cgroup",
    "/sys/fs/selinux",
    "/sys/kernel/mm/transparent_hugepage",
};

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static char temporary[TEMPORARY_FOLDERS][PATH_MAX];

// What a program has made, by its real path.
static char *own[MOST_OWN];
static size_t own_count;

void find_temporary_folders(void) {
  const char *named[TEMPORARY_FOLDERS] = {"/tmp", getenv("TMPDIR")};
  for (int i = 0; i < TEMPORARY_FOLDERS; i++)
    if (named[i] == NULL || realpath(named[i], temporary[i]) == NULL || strcmp(temporary[i], "/") == 0)
      temporary[i][0] = '\0';
}

static bool is_temporary(const char *real) {
  for (int i = 0; i < TEMPORARY_FOLDERS; i++)
    if (temporary[i][0] != '\0' && is_below(real, temporary[i]) && strcmp(real, temporary[i]) != 0) return true;
  return false;
}

static bool is_own(const char *real) {
  for (size_t i = 0; i < own_count; i++)
    if (is_below(real, own[i])) return true;
  return false;
}

static enum verdict make_own(const char *real) {
  if (is_own(real)) return LET;
  char *copy = own_count < MOST_OWN ? strdup(real) : NULL;
  if (copy == NULL) return report_plain("makes more than %d temporary files", MOST_OWN);
  own[own_count++] = copy;
  return LET;
}

static int remove_one(const char *path, const struct stat *there, int kind, struct FTW *depth) {
  (void)there;
  (void)kind;
  (void)depth;
  remove(path);
  return 0;
}

void remove_own(void) {
  while (own_count > 0) nftw(own[--own_count], remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *left_behind(void) {
  struct stat there;
  for (size_t i = 0; i < own_count; i++)
    if (lstat(own[i], &there) == 0) return own[i];
  return NULL;
}

static bool is_one_of(const char *path, const char *const *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (is_below(path, list[i])) return true;
  return false;
}

static bool is_empty_device(const struct place *place) {
  return is_one_of(place->real, EMPTY_DEVICES, COUNT(EMPTY_DEVICES)) && S_ISCHR(place->stat.st_mode);
}

// Without a terminal opening it fails, for descendants too.
static bool is_absent_terminal(const struct place *place) {
  if (strcmp(place->real, "/dev/tty") != 0) return false;
  int terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (terminal >= 0) close(terminal);
  return terminal < 0;
}

// A process may look at itself and its like, though not through them at the machine's network.
static bool is_of_own_process(const char *real) {
  int pid = 0;
  const char *rest = strncmp(real, "/proc/", 6) == 0 ? real + 6 + strspn(real + 6, "0123456789") : "";
  return sscanf(real, "/proc/%d", &pid) == 1 && is_descendant(pid) && strstr(rest, "/net") == NULL;
}

// A pipe, say, that one of the processes has open.
static bool is_own_stream(const struct place *place) {
  return place->reach == NAMELESS && is_of_own_process(place->real);
}

// Neither an input nor a secret; what is nobody's business is reported by the caller.
static bool is_free(const struct place *place) {
  return is_own_stream(place) || is_own(place->real) || (place->reach == THERE && is_empty_device(place)) ||
         is_one_of(place->real, OF_MACHINE, COUNT(OF_MACHINE)) || is_of_own_process(place->real);
}

static bool is_of_kernel(const struct place *place) {
  return is_below(place->real, "/proc") || is_below(place->real, "/sys");
}

enum verdict asks(const struct place *place, bool follows) {
  if (is_free(place) || strcmp(place->real, "/proc") == 0 || strcmp(place->real, "/sys") == 0) return LET;
  if (is_of_kernel(place)) return report_plain("asks about %s", place->real);
  report_place(follows ? "ask" : "link", place);
  return LET;
}

enum verdict reads(const struct place *place) {
  if (is_free(place) || is_absent_terminal(place)) return LET;
  if (is_of_kernel(place)) return report_plain("reads %s", place->real);
  if (place->reach == MISSING) return asks(place, true);
  if (S_ISDIR(place->stat.st_mode)) {
    report_place("list", place);
    return LET;
  }
  if (!S_ISREG(place->stat.st_mode)) return report_plain("reads %s, which is no ordinary file", place->real);
  report_place("read", place);
  return LET;
}

static bool may_write(const char *path) { return faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0; }

// Whether nothing can be made or removed there, so that the call fails.
static bool is_closed_folder(const char *real) {
  char folder[PATH_MAX];
  snprintf(folder, sizeof folder, "%s", real);
  char *end = strrchr(folder, '/');
  if (end == NULL) return false;
  end[end == folder ? 1 : 0] = '\0';
  return !may_write(folder);
}

static enum verdict makes(const struct place *place, const char *what) {
  if (place->reach == THERE || is_closed_folder(place->real)) return asks(place, true);
  if (place->reach != MISSING || !(is_temporary(place->real) || is_own(place->real)))
    return report_plain("%s %s", what, place->real);
  asks(place, true);
  return make_own(place->real);
}

static enum verdict writes(const struct place *place, __u64 flags) {
  if (is_absent_terminal(place)) return LET;
  if (is_own_stream(place) || is_own(place->real) || (place->reach == THERE && is_empty_device(place))) return LET;
  bool creates = (flags & O_CREAT) != 0;
  if (place->reach == MISSING && !creates) return asks(place, true);
  if (creates && (flags & O_EXCL) != 0) return makes(place, "writes the file");
  if (place->reach == MISSING && is_closed_folder(place->real)) return asks(place, true);
  if (place->reach == THERE && !S_ISDIR(place->stat.st_mode) && !may_write(place->real)) return asks(place, true);
  if (place->reach == THERE && S_ISDIR(place->stat.st_mode)) return asks(place, true);
  return report_plain("writes the file %s", place->real);
}

enum verdict opens(const struct call *call, int folder, const char *path, __u64 flags) {
  struct place place;
  bool exclusive = (flags & O_CREAT) != 0 && (flags & O_EXCL) != 0;
  bool follows = (flags & O_NOFOLLOW) == 0 && !exclusive;
  if (!find_place(call, folder, path, follows, &place)) return report_plain("opens %s, which can't be followed", path);
  if ((flags & O_PATH) != 0) return asks(&place, follows);
  bool nameless = (flags & O_TMPFILE) == O_TMPFILE;
  if (nameless) return is_temporary(place.real) || strcmp(place.real, temporary[0]) == 0 ||
                               strcmp(place.real, temporary[1]) == 0
                           ? LET
                           : report_plain("writes a file in %s", place.real);
  bool writing = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0;
  if (writing) return writes(&place, flags);
  return S_ISLNK(place.stat.st_mode) && place.reach == THERE ? asks(&place, false) : reads(&place);
}

enum verdict makes_folder(const struct place *place) { return makes(place, "makes the folder"); }

enum verdict removes(const struct place *place) {
  if (place->reach == MISSING) return asks(place, false);
  return is_own(place->real) ? LET : report_plain("removes %s", place->real);
}

enum verdict renames(const struct place *from, const struct place *to) {
  if (from->reach == MISSING) return asks(from, false);
  bool into_own = is_own(to->real) || (to->reach == MISSING && is_temporary(to->real));
  if (!is_own(from->real) || !into_own) return report_plain("renames %s to %s", from->real, to->real);
  return make_own(to->real);
}

enum verdict changes(const struct place *place) {
  if (place->reach == MISSING) return asks(place, true);
  return is_own_stream(place) || is_own(place->real) ? LET : report_plain("changes %s", place->real);
}

// A mode that a file has already is no change.
enum verdict changes_mode(const struct place *place, mode_t mode) {
  if (place->reach == THERE && !is_own(place->real) && (place->stat.st_mode & 07777) == (mode & 07777))
    return asks(place, true);
  return changes(place);
}
