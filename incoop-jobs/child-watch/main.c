// SPDX-License-Identifier: Apache-2.0
// child-watch REPORT SEARCH-PATH PROGRAM ARGUMENTS...: runs the program as its caller would, under the watch.
// child-watch --probe: says whether the kernel lets programs be watched; exit code 0 if so.
// watch() is what the process does while the program runs.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child_watch.h"

enum { GRACE_MS = 3000, QUIET_MS = 1000, NOT_STARTED = 127, BROKEN = 125, KILLED = 128 + SIGKILL };

struct watched {
  const char *search;
  char **words;
  sigset_t mask;  // as it was before the watch
  int word[2];    // tells why the program could not be started

  sem_t started;
  sem_t wanted;        // a held call of our own
  bool own_held;       // it is under way
  pid_t first_parent;  // the thread that stands under the filter itself
  int error;           // why there is no listener

  pid_t program;
  int listener;  // held calls
  int signals;
  int status;
  bool ended;
  long ended_ms;

  // Held calls have numbers without gaps.
  __u64 first_id;
  __u64 last_id;
  __u64 received;
  bool given_up;  // a call was received, and its caller did not wait for the answer though it may live
};

static long now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000L + now.tv_nsec / 1000000L;
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

static void become_program(struct watched *watched) {
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  sigprocmask(SIG_SETMASK, &watched->mask, NULL);
  int error = execute(watched->search, watched->words);
  if (write(watched->word[1], &error, sizeof error) < 0) _exit(BROKEN);
  _exit(NOT_STARTED);
}

// Starts the program from a thread that stands under the filter itself, and whose held calls come after all others so
// far: it makes one whenever it is told to.
static void *stand_under_filter(void *of) {
  struct watched *watched = of;
  watched->first_parent = (pid_t)syscall(SYS_gettid);
  watched->listener = install_filter();
  watched->error = errno;
  watched->program = watched->listener < 0 ? -1 : fork();
  if (watched->program == 0) become_program(watched);
  sem_post(&watched->started);
  for (;;)
    if (sem_wait(&watched->wanted) == 0) kill(getpid(), 0);
  return NULL;
}

static bool kill_children(pid_t of) {
  char name[64], text[4096];
  snprintf(name, sizeof name, "/proc/self/task/%d/children", (int)of);
  int file = open(name, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  text[length > 0 ? length : 0] = '\0';
  for (char *at = text, *end; *at; at = end + (*end == ' ')) {
    pid_t child = (pid_t)strtol(at, &end, 10);
    if (end == at) break;
    kill(child, SIGKILL);
  }
  return true;
}

// Ends all that the program has started. Each orphan becomes a child of ours.
static void end_all(const struct watched *watched) {
  for (;;) {
    if (!kill_children(getpid()) || !kill_children(watched->first_parent))
      _exit(BROKEN);  // Without its end the report is worth nothing.
    pid_t gone = waitpid(-1, NULL, __WALL);
    if (gone < 0 && errno == ECHILD) return;
  }
}

static void refuse(const struct watched *watched) {
  end_all(watched);
  // The plain run finds things as this one has.
  remove_own();
  report_end();
  _exit(KILLED);
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

// Whether the caller still waits. If a signal took it out of its call, that call never happens: one killed is gone, and
// another asks anew.
static bool is_held(int listener, const struct seccomp_notif *held) {
  return ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &held->id) == 0;
}

static bool let(const struct watched *watched, const struct seccomp_notif *held) {
  struct seccomp_notif_resp answer = {.id = held->id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
  return ioctl(watched->listener, SECCOMP_IOCTL_NOTIF_SEND, &answer) == 0;
}

// Answers one held call.
static void answer(struct watched *watched, const struct seccomp_notif *held) {
  if ((pid_t)held->pid == watched->first_parent) {
    watched->own_held = false;
    let(watched, held);
    return;
  }
  struct call call = {.tid = (pid_t)held->pid, .tgid = process_of((pid_t)held->pid), .nr = held->data.nr};
  memcpy(call.args, held->data.args, sizeof call.args);
  bool was_plain = is_plain();
  enum verdict verdict = is_native(held->data.arch, held->data.nr)
                             ? judge(&call)
                             : report_plain("makes system calls of another machine");
  if (verdict == PLAIN && is_held(watched->listener, held)) refuse(watched);
  if (verdict == PLAIN && !was_plain) forget_plain();  // What was read of a process that is gone says nothing.
  bool answered = verdict == LET && let(watched, held);
  watched->given_up |= !answered && !only_death_interrupts();
}

// The next call that is held; false if there is none.
static bool receive(struct watched *watched, struct seccomp_notif *held) {
  struct pollfd source = {.fd = watched->listener, .events = POLLIN};
  if (poll(&source, 1, 0) != 1 || (source.revents & POLLIN) == 0) return false;
  memset(held, 0, sizeof *held);
  if (ioctl(watched->listener, SECCOMP_IOCTL_NOTIF_RECV, held) != 0) return false;
  if (watched->received++ == 0) watched->first_id = watched->last_id = held->id;
  if (held->id < watched->first_id) watched->first_id = held->id;
  if (held->id > watched->last_id) watched->last_id = held->id;
  return true;
}

// To be asked while no call waits to be received. A signal may take a process out of a call before that was received
// or, on an old kernel, answered. Without the watch the call would have been made; under it the call fails, unless the
// signal's handler lets it be made again. Some such processes were only killed; which ones can't be told.
static void refuse_if_interrupted(struct watched *watched) {
  if (!watched->given_up && watched->last_id - watched->first_id + 1 == watched->received) return;
  report_plain("is interrupted in a system call by a signal");
  refuse(watched);
}

// Answers all calls that are held by now, each once: the kernel hands out the newest first, so that two busy processes
// would keep a third from ever being answered.
static void answer_all(struct watched *watched) {
  static struct seccomp_notif *held;
  static size_t room;
  size_t count = 0;
  for (;;) {
    if (count == room) {
      size_t more = room == 0 ? 64 : 2 * room;
      struct seccomp_notif *grown = realloc(held, more * sizeof *held);
      if (grown == NULL) break;
      held = grown;
      room = more;
    }
    if (!receive(watched, &held[count])) break;
    count++;
  }
  if (count > 0 && count < room) refuse_if_interrupted(watched);
  while (count > 0) answer(watched, &held[--count]);
}

// A call of our own shows what is missing before it: a program that was interrupted may wait for ever.
static void make_own_call(struct watched *watched) {
  if (!watched->own_held) sem_post(&watched->wanted);
  watched->own_held = true;
}

static void await_own_call(struct watched *watched) {
  struct pollfd source = {.fd = watched->listener, .events = POLLIN};
  while (watched->own_held)
    if (poll(&source, 1, -1) > 0) answer_all(watched);
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
                             {.fd = watched->word[0], .events = POLLIN}};
  while (!watched->ended || has_children()) {
    long left = watched->ended ? watched->ended_ms + GRACE_MS - now_ms() : QUIET_MS;
    if (watched->ended && left <= 0) {
      report_plain("leaves processes behind that still run");
      refuse(watched);
    }
    int told = poll(sources, 3, (int)left);
    if (told < 0 && errno != EINTR) _exit(BROKEN);
    if (told == 0) make_own_call(watched);
    if (told <= 0) continue;
    if (sources[0].revents & POLLIN) answer_all(watched);
    if (sources[1].revents & POLLIN) take_signal(watched);
    if (sources[2].revents & POLLIN) {
      int error;
      // The program's process closes its end as it becomes the program.
      if (read(watched->word[0], &error, sizeof error) == (ssize_t)sizeof error)
        report_plain("could not be started (%s)", strerror(error));
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
  static struct watched of;
  struct watched *watched = &of;
  watched->search = search;
  watched->words = words;
  block_signals(&watched->mask, &watched->signals);
  pthread_t thread;
  if (watched->signals < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0 || pipe2(watched->word, O_CLOEXEC) != 0 ||
      sem_init(&watched->started, 0, 0) != 0 || sem_init(&watched->wanted, 0, 0) != 0 ||
      pthread_create(&thread, NULL, stand_under_filter, watched) != 0)
    return BROKEN;
  while (sem_wait(&watched->started) != 0) continue;
  close(watched->word[1]);
  let_go_of_streams();
  if (watched->program < 0) {
    report_plain("can't be watched here (%s)", strerror(watched->error));
    refuse(watched);
  }
  find_temporary_folders();
  watch(watched);
  await_own_call(watched);
  make_own_call(watched);
  await_own_call(watched);
  if (left_behind() != NULL) report_plain("leaves the file %s behind", left_behind());
  if (is_plain()) remove_own();
  report_end();
  return code_of(watched->status);
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
