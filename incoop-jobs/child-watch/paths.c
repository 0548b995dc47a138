// SPDX-License-Identifier: Apache-2.0
// What paths in other processes' memory mean there.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "child_watch.h"

enum { MOST_LINKS = 40, MOST_ANCESTORS = 256, PAGE = 4096 };

bool read_bytes(const struct call *call, __u64 address, void *into, size_t length) {
  struct iovec here = {into, length};
  struct iovec there = {(void *)(uintptr_t)address, length};
  return process_vm_readv(call->tid, &here, 1, &there, 1, 0) == (ssize_t)length;
}

// Page by page: the next one need not be there.
bool read_text(const struct call *call, __u64 address, char text[PATH_MAX]) {
  size_t have = 0;
  while (have < PATH_MAX) {
    size_t part = PAGE - (size_t)((address + have) % PAGE);
    if (part > PATH_MAX - have) part = PATH_MAX - have;
    if (!read_bytes(call, address + have, text + have, part)) return false;
    if (memchr(text + have, '\0', part) != NULL) return true;
    have += part;
  }
  return false;
}

bool is_below(const char *path, const char *folder) {
  size_t length = strlen(folder);
  return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static pid_t parent_of(pid_t pid) {
  char name[64], text[512];
  snprintf(name, sizeof name, "/proc/%d/stat", (int)pid);
  int file = open(name, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return -1;
  text[length] = '\0';
  char *rest = strrchr(text, ')');
  int parent = -1;
  return rest != NULL && sscanf(rest + 1, " %*c %d", &parent) == 1 ? (pid_t)parent : -1;
}

bool is_descendant(pid_t pid) {
  for (int i = 0; i < MOST_ANCESTORS && pid > 1; i++) {
    pid = parent_of(pid);
    if (pid == getpid()) return true;
  }
  return false;
}

// The name of a folder that is open there, or of the working folder.
static bool folder_of(const struct call *call, int folder, char path[PATH_MAX]) {
  char link[64];
  if (folder == AT_FDCWD)
    snprintf(link, sizeof link, "/proc/%d/cwd", (int)call->tid);
  else
    snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)call->tid, folder);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length <= 0 || path[0] != '/') return false;
  path[length] = '\0';
  struct stat by_name, by_link;
  return stat(path, &by_name) == 0 && stat(link, &by_link) == 0 && by_name.st_ino == by_link.st_ino &&
         by_name.st_dev == by_link.st_dev;
}

// Replaces what /proc/self and its like would mean here by what they mean there.
static void translate_self(const struct call *call, char path[PATH_MAX]) {
  if (strcmp(path, "/proc/self") == 0)
    snprintf(path, PATH_MAX, "/proc/%d", (int)call->tgid);
  else if (strcmp(path, "/proc/thread-self") == 0)
    snprintf(path, PATH_MAX, "/proc/%d/task/%d", (int)call->tgid, (int)call->tid);
}

struct walk {
  char rest[2 * PATH_MAX];
  int links;
};

// Takes the next component off the rest; false at the end.
static bool next_component(struct walk *walk, char name[NAME_MAX + 1], bool *too_long) {
  char *begin = walk->rest + strspn(walk->rest, "/");
  size_t length = strcspn(begin, "/");
  if (length == 0) return false;
  *too_long = length > NAME_MAX;
  if (*too_long) return true;
  memcpy(name, begin, length);
  name[length] = '\0';
  memmove(walk->rest, begin + length, strlen(begin + length) + 1);
  return true;
}

static void up(char *path) {
  char *end = strrchr(path, '/');
  if (end != NULL) *end = '\0';
}

static bool append(char path[PATH_MAX], const char *name) {
  size_t length = strlen(path);
  return snprintf(path + length, PATH_MAX - length, "/%s", name) < (int)(PATH_MAX - length);
}

// Puts what a link says in front of the rest; false if that is no path.
static enum reach follow(struct walk *walk, struct place *place) {
  char target[PATH_MAX], rest[2 * PATH_MAX];
  ssize_t length = readlink(place->real, target, sizeof target - 1);
  if (length <= 0 || ++walk->links > MOST_LINKS) return LOST;
  target[length] = '\0';
  bool of_proc = is_below(place->real, "/proc");
  if (of_proc && target[0] != '/' && strchr(target, ':') != NULL) return NAMELESS;
  if (of_proc && length > 10 && strcmp(target + length - 10, " (deleted)") == 0) return LOST;
  if (snprintf(rest, sizeof rest, "%s/%s", target, walk->rest) >= (int)sizeof rest) return LOST;
  memcpy(walk->rest, rest, sizeof rest);
  if (target[0] == '/')
    place->real[0] = '\0';
  else
    up(place->real);
  return THERE;
}

static bool has_more(const struct walk *walk) { return walk->rest[strspn(walk->rest, "/")] != '\0'; }

static bool ends_as_folder(const char *path) {
  size_t length = strlen(path);
  return length > 0 && path[length - 1] == '/';
}

// One component on the way.
static enum reach step(const struct call *call, struct walk *walk, const char *name, bool follow_last,
                       struct place *place) {
  if (strcmp(name, ".") == 0) return THERE;
  if (strcmp(name, "..") == 0) {
    up(place->real);
    return THERE;
  }
  if (!append(place->real, name)) return LOST;
  translate_self(call, place->real);
  place->through_proc |= is_below(place->real, "/proc");
  if (lstat(place->real, &place->stat) != 0) {
    if (has_more(walk)) append(place->real, walk->rest + strspn(walk->rest, "/"));
    return MISSING;
  }
  bool is_last = !has_more(walk);
  return S_ISLNK(place->stat.st_mode) && (!is_last || follow_last) ? follow(walk, place) : THERE;
}

static void walk_along(const struct call *call, bool follow_last, struct place *place) {
  struct walk walk = {.links = 0};
  snprintf(walk.rest, sizeof walk.rest, "%s", place->given);
  bool follows = follow_last || ends_as_folder(place->given);
  char name[NAME_MAX + 1];
  bool too_long = false;
  place->reach = THERE;
  while (place->reach == THERE && next_component(&walk, name, &too_long))
    place->reach = too_long ? LOST : step(call, &walk, name, follows, place);
  if (place->real[0] == '\0') snprintf(place->real, PATH_MAX, "/");
  if (place->reach == THERE && lstat(place->real, &place->stat) != 0) place->reach = MISSING;
}

bool find_place(const struct call *call, int folder, const char *path, bool follow_last, struct place *place) {
  memset(place, 0, sizeof *place);
  if (path[0] == '/') {
    snprintf(place->given, PATH_MAX, "%s", path);
  } else {
    char base[PATH_MAX];
    if (!folder_of(call, folder, base)) return false;
    if (snprintf(place->given, PATH_MAX, "%s%s%s", base, strcmp(base, "/") == 0 ? "" : "/", path) >= PATH_MAX)
      return false;
  }
  walk_along(call, follow_last, place);
  return place->reach != LOST;
}

bool find_descriptor(const struct call *call, int descriptor, struct place *place) {
  char link[64];
  snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)call->tgid, descriptor);
  return find_place(call, AT_FDCWD, link, true, place);
}
