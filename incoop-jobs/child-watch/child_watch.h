// SPDX-License-Identifier: Apache-2.0
// Runs a program and reports what it and its descendants ask the system for: docs/formats/child-report.md.
#ifndef CHILD_WATCH_H
#define CHILD_WATCH_H

#include <limits.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

// A system call that is held until the verdict.
struct call {
  pid_t tid;
  pid_t tgid;
  int nr;
  __u64 args[6];
};

enum verdict {
  LET,   // it happens
  PLAIN  // it must not happen: the reason is reported, and all processes end
};

// Where a path leads.
enum reach {
  THERE,
  MISSING,  // some part of it is not there
  NAMELESS, // a pipe or another thing without a name
  LOST      // can't be told
};

struct place {
  enum reach reach;
  char given[PATH_MAX]; // absolute; links in it are as they were
  char real[PATH_MAX];  // without links; as far as it is there
  struct stat stat;     // if it is there
  bool through_proc;    // whether the way leads through /proc
};

// paths.c
bool read_text(const struct call *call, __u64 address, char text[PATH_MAX]);
bool read_bytes(const struct call *call, __u64 address, void *into, size_t length);
bool find_place(const struct call *call, int folder, const char *path, bool follow_last, struct place *place);
bool find_descriptor(const struct call *call, int descriptor, struct place *place);
bool is_below(const char *path, const char *folder);
bool is_descendant(pid_t pid);

// files.c
enum verdict asks(const struct place *place, bool follows);
enum verdict reads(const struct place *place);
enum verdict opens(const struct call *call, int folder, const char *path, __u64 flags);
enum verdict makes_folder(const struct place *place);
enum verdict removes(const struct place *place);
enum verdict renames(const struct place *from, const struct place *to);
enum verdict changes(const struct place *place);
enum verdict changes_mode(const struct place *place, mode_t mode);
void find_temporary_folders(void);
const char *left_behind(void);
void remove_own(void);

// programs.c
enum verdict executes(const struct call *call, const struct place *program);

// calls.c
enum verdict judge(const struct call *call);

// filter.c
int install_filter(void);
bool only_death_interrupts(void);
bool is_native(__u32 arch, int nr);

// report.c
int open_report(const char *path);
void report_place(const char *what, const struct place *place);
enum verdict report_plain(const char *form, ...) __attribute__((format(printf, 1, 2)));
bool is_plain(void);
void forget_plain(void);
void report_end(void);
void report_line(const char *form, ...) __attribute__((format(printf, 1, 2)));

#endif
