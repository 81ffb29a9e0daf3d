#pragma once

#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// A file in memory that only this user can read; -1 with errno when there is none.
static inline int gbi_private_file(void) {
  int file = (int)syscall(SYS_memfd_create, "private", 1 /* close on exec */);
  if (file >= 0) fchmod(file, 0600);
  return file;
}

// Swift cannot call a variadic function.
static inline int gbi_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
#else
static inline int gbi_private_file(void) { return -1; }
static inline int gbi_forbid_dumps(void) { return 0; }
#endif

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <malloc.h>
#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <unistd.h>
#include <wchar.h>

extern char **environ;

// The variables of this process, each as NAME=value, and NULL behind the last.
static inline char **gbi_environment(void) { return environ; }

// Starts a program with /dev/null as its standard input. Returns its number, or -1 with errno.
//
// posix_spawn cannot say that a program ends with this process: a signal of the kernel ends it when the calling thread
// ends, however that happens. A signal from the terminal does not reach such a program.
//
// folder: the current folder of the program; NULL: that of this process.
// largest_file: the bytes above which a write of the program fails; 0: no limit.
static inline pid_t gbi_start(
    char *const arguments[], char *const variables[], const char *folder, int output, int errors, int ends_with_us,
    int64_t largest_file) {
  pid_t parent = getpid();
  pid_t child = fork();
  if (child != 0) return child;
  // From here on only functions that are safe after a fork of many threads.
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, 0);
  const int signals[] = {SIGINT, SIGTERM, SIGPIPE};
  for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], SIG_DFL);
  if (ends_with_us) {
    setpgid(0, 0);
#if defined(__linux__)
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (getppid() != parent) _exit(127);
#endif
  }
  if (largest_file > 0) {
    const struct rlimit limit = {(rlim_t)largest_file, (rlim_t)largest_file};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  int input = open("/dev/null", O_RDONLY);
  if (input < 0 || dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(errors, 2) < 0) _exit(127);
  if (folder && chdir(folder) != 0) _exit(127);
  execve(arguments[0], arguments, variables);
  _exit(127);
}

// Not every module map of the C library exports these functions.
extern int wcwidth(wchar_t character);
extern int pipe2(int ends[2], int flags);

static inline locale_t gbi_utf8_locale(void) {
  static locale_t locale = (locale_t)0;
  static int is_asked_for = 0;
  if (!is_asked_for) {
    locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    is_asked_for = 1;
  }
  return locale;
}

// 1 when the system has a locale with character widths. Not safe for concurrent calls.
static inline int gbi_knows_widths(void) { return gbi_utf8_locale() != (locale_t)0; }

// The number of columns of a character; -1 when it is not printable or its width is unknown.
static inline int gbi_display_width(uint32_t character) {
  locale_t locale = gbi_utf8_locale();
  if (locale == (locale_t)0) return -1;
  locale_t before = uselocale(locale);
  int width = wcwidth((wchar_t)character);
  uselocale(before);
  return width;
}
