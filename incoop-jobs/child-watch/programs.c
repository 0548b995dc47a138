// SPDX-License-Identifier: Apache-2.0
// Programs that are started: what the kernel reads of them by itself counts as read.
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "child_watch.h"

enum { HEAD = 4096, MOST_INTERPRETERS = 5 };

#if defined(__x86_64__)
enum { MACHINE = EM_X86_64 };
#elif defined(__aarch64__)
enum { MACHINE = EM_AARCH64 };
#endif

static enum verdict execute(const struct call *call, const struct place *program, int depth);

static enum verdict by_name(const struct call *call, const char *path, int depth) {
  struct place place;
  if (!find_place(call, AT_FDCWD, path, true, &place)) return report_plain("starts %s, which can't be followed", path);
  return execute(call, &place, depth + 1);
}

// The line "#!INTERPRETER ARGUMENT".
static enum verdict script(const struct call *call, char *head, int depth) {
  char *begin = head + 2 + strspn(head + 2, " \t");
  size_t length = strcspn(begin, " \t\n");
  if (length == 0 || length >= PATH_MAX || begin[length] == '\0')
    return report_plain("starts a script whose first line names no program");
  begin[length] = '\0';
  return by_name(call, begin, depth);
}

// The file's own loader, if it has one.
static enum verdict binary(const struct call *call, int file, const char *head, size_t length, const char *name,
                           int depth) {
  const Elf64_Ehdr *elf = (const Elf64_Ehdr *)head;
  if (length < sizeof *elf || elf->e_ident[EI_CLASS] != ELFCLASS64 || elf->e_machine != MACHINE)
    return report_plain("starts %s, a program for another machine", name);
  for (int i = 0; i < elf->e_phnum; i++) {
    Elf64_Phdr part;
    off_t at = (off_t)(elf->e_phoff + (size_t)i * elf->e_phentsize);
    if (pread(file, &part, sizeof part, at) != (ssize_t)sizeof part) break;
    if (part.p_type != PT_INTERP) continue;
    char loader[PATH_MAX];
    if (part.p_filesz == 0 || part.p_filesz >= sizeof loader ||
        pread(file, loader, part.p_filesz, (off_t)part.p_offset) != (ssize_t)part.p_filesz)
      return report_plain("starts %s, whose loader can't be read", name);
    loader[part.p_filesz] = '\0';
    return by_name(call, loader, depth);
  }
  return LET;
}

// Under the watch nobody gets another user's rights.
static bool gives_rights(const struct place *program) {
  return (program->stat.st_mode & (S_ISUID | S_ISGID)) != 0 ||
         getxattr(program->real, "security.capability", NULL, 0) > 0;
}

static enum verdict execute(const struct call *call, const struct place *program, int depth) {
  if (program->reach != THERE || !S_ISREG(program->stat.st_mode) || access(program->real, X_OK) != 0) {
    if (program->reach == NAMELESS) return report_plain("starts a program without a name");
    return asks(program, true);
  }
  if (depth > MOST_INTERPRETERS) return report_plain("starts %s through too many interpreters", program->real);
  if (gives_rights(program)) return report_plain("starts %s, which gets rights by its file", program->real);
  if (reads(program) == PLAIN) return PLAIN;
  int file = open(program->real, O_RDONLY | O_CLOEXEC);
  if (file < 0) return report_plain("starts %s, which can't be read", program->real);
  char head[HEAD + 1];
  ssize_t length = pread(file, head, HEAD, 0);
  head[length > 0 ? length : 0] = '\0';
  enum verdict verdict;
  if (length > 2 && memcmp(head, "#!", 2) == 0)
    verdict = script(call, head, depth);
  else if (length > SELFMAG && memcmp(head, ELFMAG, SELFMAG) == 0)
    verdict = binary(call, file, head, (size_t)length, program->real, depth);
  else
    verdict = report_plain("starts %s, which is neither a program nor a script with a first line", program->real);
  close(file);
  return verdict;
}

enum verdict executes(const struct call *call, const struct place *program) { return execute(call, program, 0); }
