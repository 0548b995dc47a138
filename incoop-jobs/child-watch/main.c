// SPDX-License-Identifier: Apache-2.0
// child-watch REPORT SEARCH-PATH PROGRAM ARGUMENTS...: runs the program as its caller would, under the watch.
// child-watch --probe: says whether the kernel lets programs be watched; exit code 0 if so.
// START HERE: watch() is what the process does while the program runs.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child_watch.h"

enum { GRACE_MS = 3000, NOT_STARTED = 127, BROKEN = 125, KILLED = 128 + SIGKILL };

struct watched {
  pid_t program;
  int listener;  // held calls
  int signals;
  int word;  // from the program's process, before it is the program
  int status;
  bool ended;
  long ended_ms;
};

static long now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000L + now.tv_nsec / 1000000L;
}

// Hands the descriptor over, or the reason why there is none.
static void send_listener(int to, int listener, int error) {
  struct iovec data = {&error, sizeof error};
  union {
    struct cmsghdr head;
    char room[CMSG_SPACE(sizeof(int))];
  } control = {0};
  struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1};
  if (listener >= 0) {
    message.msg_control = control.room;
    message.msg_controllen = sizeof control.room;
    control.head.cmsg_level = SOL_SOCKET;
    control.head.cmsg_type = SCM_RIGHTS;
    control.head.cmsg_len = CMSG_LEN(sizeof listener);
    memcpy(CMSG_DATA(&control.head), &listener, sizeof listener);
  }
  if (sendmsg(to, &message, 0) < 0) _exit(BROKEN);
}

static int receive_listener(int from, int *error) {
  struct iovec data = {error, sizeof *error};
  union {
    struct cmsghdr head;
    char room[CMSG_SPACE(sizeof(int))];
  } control = {0};
  struct msghdr message = {
      .msg_iov = &data, .msg_iovlen = 1, .msg_control = control.room, .msg_controllen = sizeof control.room};
  if (recvmsg(from, &message, MSG_CMSG_CLOEXEC) <= 0) *error = ENODATA;
  if (*error != 0) return -1;
  int listener = -1;
  if (CMSG_FIRSTHDR(&message) != NULL) memcpy(&listener, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof listener);
  return listener;
}

// As Java's own launcher finds a program: by the path of the JVM, not by that of the program's environment.
static int execute(const char *search, char **words) {
  if (strchr(words[0], '/') != NULL) {
    execv(words[0], words);
    return errno;
  }
  int error = ENOENT;
  for (const char *begin = search; begin != NULL; begin = strchr(begin, ':') ? strchr(begin, ':') + 1 : NULL) {
    char path[PATH_MAX];
    int length = (int)strcspn(begin, ":");
    snprintf(path, sizeof path, "%.*s%s%s", length, begin, length > 0 ? "/" : "./", words[0]);
    execv(path, words);
    if (errno == EACCES) error = EACCES;
    if (errno != EACCES && errno != ENOENT && errno != ENOTDIR && errno != ELOOP && errno != ENAMETOOLONG) return errno;
  }
  return error;
}

static void become_program(int word, const sigset_t *mask, const char *search, char **words) {
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  int listener = install_filter();
  send_listener(word, listener, listener < 0 ? errno : 0);
  if (listener < 0) _exit(NOT_STARTED);
  close(listener);
  sigprocmask(SIG_SETMASK, mask, NULL);
  int error = execute(search, words);
  send_listener(word, -1, error);
  _exit(NOT_STARTED);
}

// Ends all that the program has started. Each orphan becomes a child of ours.
static void end_all(void) {
  for (;;) {
    char name[64], text[4096];
    snprintf(name, sizeof name, "/proc/self/task/%d/children", (int)getpid());
    int file = open(name, O_RDONLY | O_CLOEXEC);
    if (file < 0) _exit(BROKEN);  // Without its end the report is worth nothing.
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    text[length > 0 ? length : 0] = '\0';
    for (char *at = text, *end; *at; at = end + (*end == ' ')) {
      pid_t child = (pid_t)strtol(at, &end, 10);
      if (end == at) break;
      kill(child, SIGKILL);
    }
    pid_t gone = waitpid(-1, NULL, __WALL);
    if (gone < 0 && errno == ECHILD) return;
  }
}

static void finish(int code) {
  report_line("end");
  _exit(code);
}

static void refuse(void) {
  end_all();
  // The plain run finds things as this one has.
  remove_own();
  finish(KILLED);
}

static pid_t process_of(pid_t thread) {
  char name[64], line[256];
  snprintf(name, sizeof name, "/proc/%d/status", (int)thread);
  FILE *file = fopen(name, "re");
  int process = (int)thread;
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    if (sscanf(line, "Tgid: %d", &process) == 1) break;
  if (file != NULL) fclose(file);
  return (pid_t)process;
}

// Answers one held call.
static void answer(int listener) {
  struct seccomp_notif held;
  memset(&held, 0, sizeof held);
  if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &held) != 0) return;
  struct call call = {.tid = (pid_t)held.pid, .tgid = process_of((pid_t)held.pid), .nr = held.data.nr};
  memcpy(call.args, held.data.args, sizeof call.args);
  enum verdict verdict = is_native(held.data.arch, held.data.nr)
                             ? judge(&call)
                             : report_plain("makes system calls of another machine");
  if (verdict == PLAIN) {
    bool alive = ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &held.id) == 0;
    (void)alive;  // Whoever is killed meanwhile has asked all the same.
    refuse();
  }
  struct seccomp_notif_resp let = {.id = held.id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
  ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &let);
}

static void take_signal(struct watched *watched) {
  struct signalfd_siginfo signal;
  if (read(watched->signals, &signal, sizeof signal) != (ssize_t)sizeof signal) return;
  if (signal.ssi_signo != SIGCHLD) {
    kill(watched->program, (int)signal.ssi_signo);
    return;
  }
  int status;
  for (pid_t gone; (gone = waitpid(-1, &status, WNOHANG | __WALL)) > 0;) {
    if (gone != watched->program) continue;
    watched->status = status;
    watched->ended = true;
    watched->ended_ms = now_ms();
  }
}

static bool has_children(void) {
  siginfo_t nobody = {0};
  return waitid(P_ALL, 0, &nobody, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0;
}

// The exit code as Java shows it.
static int code_of(int status) { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

static void watch(struct watched *watched) {
  struct pollfd sources[] = {{.fd = watched->listener, .events = POLLIN},
                             {.fd = watched->signals, .events = POLLIN},
                             {.fd = watched->word, .events = POLLIN}};
  while (!watched->ended || has_children()) {
    long left = watched->ended ? watched->ended_ms + GRACE_MS - now_ms() : -1;
    if (watched->ended && left <= 0) {
      report_plain("leaves processes behind that still run");
      refuse();
    }
    if (poll(sources, 3, (int)left) < 0 && errno != EINTR) _exit(BROKEN);
    if (sources[0].revents & POLLIN) answer(watched->listener);
    if (sources[0].revents & (POLLHUP | POLLERR)) sources[0].fd = -1;
    if (sources[1].revents & POLLIN) take_signal(watched);
    if (sources[2].revents & POLLIN) {
      int error = 0;
      receive_listener(watched->word, &error);
      // The program's process closes its end as it becomes the program.
      if (error != ENODATA) report_plain("could not be started (%s)", strerror(error));
    }
    if (sources[2].revents & (POLLIN | POLLHUP | POLLERR)) sources[2].fd = -1;
  }
}

// The program alone must have them: who waits for their end waits for it.
static void let_go_of_streams(void) {
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int stream = 0; stream <= 2; stream++) dup2(nothing, stream);
}

static void block_signals(sigset_t *before, int *signals) {
  static const int PASSED_ON[] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGPIPE};
  sigset_t taken;
  sigemptyset(&taken);
  for (size_t i = 0; i < sizeof PASSED_ON / sizeof PASSED_ON[0]; i++) sigaddset(&taken, PASSED_ON[i]);
  sigprocmask(SIG_BLOCK, &taken, before);
  *signals = signalfd(-1, &taken, SFD_CLOEXEC);
}

static int run(const char *search, char **words) {
  struct watched watched = {0};
  sigset_t mask;
  int ends[2];
  block_signals(&mask, &watched.signals);
  if (watched.signals < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0 ||
      socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return BROKEN;
  watched.program = fork();
  if (watched.program == 0) become_program(ends[1], &mask, search, words);
  close(ends[1]);
  watched.word = ends[0];
  int error = 0;
  watched.listener = watched.program < 0 ? -1 : receive_listener(ends[0], &error);
  let_go_of_streams();
  if (watched.listener < 0) {
    report_plain("can't be watched here (%s)", strerror(error));
    refuse();
  }
  find_temporary_folders();
  watch(&watched);
  if (left_behind() != NULL) report_plain("leaves the file %s behind", left_behind());
  if (is_plain()) remove_own();
  report_line("end");
  return code_of(watched.status);
}

// Runs this very program, which then only ends, under the watch.
static int probe(char *self) {
  char *words[] = {self, "--nothing", NULL};
  if (open_report("/dev/null") < 0) return BROKEN;
  int code = run("", words);
  return is_plain() ? BROKEN : code;
}

int main(int count, char **words) {
  if (count == 2 && strcmp(words[1], "--nothing") == 0) return 0;
  if (count == 2 && strcmp(words[1], "--probe") == 0) return probe("/proc/self/exe");
  if (count < 4) {
    fprintf(stderr, "usage: child-watch REPORT SEARCH-PATH PROGRAM ARGUMENTS...\n");
    return 2;
  }
  if (open_report(words[1]) < 0) {
    fprintf(stderr, "child-watch: %s can't be written: %s\n", words[1], strerror(errno));
    return BROKEN;
  }
  report_line("start %d", (int)getpid());
  return run(words[2], words + 3);
}
