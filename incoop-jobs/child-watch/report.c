// SPDX-License-Identifier: Apache-2.0
// The report: a line for each thing that was asked for, once.
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child_watch.h"

enum { LINE = 4 * PATH_MAX };

static int report = -1;

// Why only a plain run may do what was tried; written with the end.
static char plain_reason[LINE / 4];

// Digests of the lines so far; a table with open addressing, never full.
static uint64_t *seen;
static size_t seen_room;
static size_t seen_count;

int open_report(const char *path) {
  report = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
  return report;
}

static uint64_t digest(const char *line) {
  uint64_t hash = 14695981039346656037ULL;
  for (; *line; line++) hash = (hash ^ (unsigned char)*line) * 1099511628211ULL;
  return hash | 1;
}

static bool enter(uint64_t hash) {
  size_t at = (size_t)(hash >> 1) & (seen_room - 1);
  while (seen[at] != 0 && seen[at] != hash) at = (at + 1) & (seen_room - 1);
  if (seen[at] == hash) return false;
  seen[at] = hash;
  return true;
}

static bool make_room(void) {
  if (2 * seen_count < seen_room) return true;
  uint64_t *old = seen;
  size_t old_room = seen_room;
  size_t room = old_room == 0 ? 1024 : 2 * old_room;
  uint64_t *more = calloc(room, sizeof *more);
  if (more == NULL) return false;
  seen = more;
  seen_room = room;
  for (size_t i = 0; i < old_room; i++)
    if (old[i] != 0) enter(old[i]);
  free(old);
  return true;
}

static void put(char *line, size_t length) {
  line[length] = '\0';
  if (make_room()) {
    if (!enter(digest(line))) return;
    seen_count++;
  }
  line[length++] = '\n';
  for (size_t done = 0; done < length;) {
    ssize_t now = write(report, line + done, length - done);
    if (now < 0) _exit(125);  // Without its end nobody believes the report.
    done += (size_t)now;
  }
}

void report_line(const char *form, ...) {
  char line[LINE];
  va_list arguments;
  va_start(arguments, form);
  int length = vsnprintf(line, sizeof line - 1, form, arguments);
  va_end(arguments);
  put(line, length < (int)sizeof line - 1 ? (size_t)length : sizeof line - 2);
}

// A path may hold any byte; all but printable ones and the sign itself are written as %XX.
static size_t escaped(char *to, size_t room, const char *text) {
  size_t length = 0;
  for (; *text && length + 4 < room; text++) {
    unsigned char byte = (unsigned char)*text;
    if (byte > ' ' && byte < 127 && byte != '%')
      to[length++] = (char)byte;
    else
      length += (size_t)snprintf(to + length, 4, "%%%02X", byte);
  }
  to[length] = '\0';
  return length;
}

void report_place(const char *what, const struct place *place) {
  char path[3 * PATH_MAX + 8];
  escaped(path, sizeof path, place->through_proc ? place->real : place->given);
  if (place->reach == MISSING) {
    report_line("%s - %s", what, path);
    return;
  }
  const struct stat *s = &place->stat;
  report_line("%s %llu:%o:%lld:%lld.%09ld:%lld.%09ld %s", what, (unsigned long long)s->st_ino, (unsigned)s->st_mode,
              (long long)s->st_size, (long long)s->st_mtim.tv_sec, s->st_mtim.tv_nsec, (long long)s->st_ctim.tv_sec,
              s->st_ctim.tv_nsec, path);
}

enum verdict report_plain(const char *form, ...) {
  if (is_plain()) return PLAIN;
  va_list arguments;
  va_start(arguments, form);
  vsnprintf(plain_reason, sizeof plain_reason, form, arguments);
  va_end(arguments);
  return PLAIN;
}

bool is_plain(void) { return plain_reason[0] != '\0'; }

void forget_plain(void) { plain_reason[0] = '\0'; }

void report_end(void) {
  char shown[LINE - 64];
  escaped(shown, sizeof shown, plain_reason);
  if (is_plain()) report_line("plain %s", shown);
  report_line("end");
}
