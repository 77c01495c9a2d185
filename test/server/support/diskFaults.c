/* Loaded before libc: writes or syncs of files below FAULT_FOLDER fail while the file FAULT_FILE says so. It contains
   an operation and an error number, such as "write 28" or "sync 5". With FAULT_KILL, such as "sync 3", the process is
   killed instead of doing that operation for the third time; "unlink" and "rename" can be named there too. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static int isBelow(const char *path) {
  const char *folder = getenv("FAULT_FOLDER");
  return folder && !strncmp(path, folder, strlen(folder));
}

/* Counts an operation; kills the process before the one that FAULT_KILL names. */
static void countDown(const char *operation) {
  static int count = 0;
  const char *kill_at = getenv("FAULT_KILL");
  char name[16] = {0};
  int number = 0;
  if (!kill_at || sscanf(kill_at, "%15s %d", name, &number) != 2 || strcmp(name, operation)) return;
  if (__sync_add_and_fetch(&count, 1) == number) kill(getpid(), SIGKILL);
}

static int fails(int fd, const char *operation) {
  const char *flag = getenv("FAULT_FILE");
  if (!flag) return 0;
  char text[32] = {0}, name[16] = {0}, link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  if (!isBelow(path)) return 0;
  countDown(operation);
  int file = (int)syscall(SYS_openat, AT_FDCWD, flag, O_RDONLY);
  if (file < 0) return 0;
  length = syscall(SYS_read, file, text, sizeof text - 1);
  syscall(SYS_close, file);
  int number = 0;
  if (length <= 0 || sscanf(text, "%15s %d", name, &number) != 2 || strcmp(name, operation)) return 0;
  errno = number;
  return 1;
}

#define REAL(result, name, ...) \
  static result (*real)(__VA_ARGS__); \
  if (!real) real = (result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

ssize_t write(int fd, const void *bytes, size_t count) {
  REAL(ssize_t, "write", int, const void *, size_t);
  return fails(fd, "write") ? -1 : real(fd, bytes, count);
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
  REAL(ssize_t, "writev", int, const struct iovec *, int);
  return fails(fd, "write") ? -1 : real(fd, parts, count);
}
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
  REAL(ssize_t, "pwrite", int, const void *, size_t, off_t);
  return fails(fd, "write") ? -1 : real(fd, bytes, count, at);
}
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
  REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
  return fails(fd, "write") ? -1 : real(fd, bytes, count, at);
}
int fsync(int fd) {
  REAL(int, "fsync", int);
  return fails(fd, "sync") ? -1 : real(fd);
}
int fdatasync(int fd) {
  REAL(int, "fdatasync", int);
  return fails(fd, "sync") ? -1 : real(fd);
}
int unlink(const char *path) {
  REAL(int, "unlink", const char *);
  if (isBelow(path)) countDown("unlink");
  return real(path);
}
int rename(const char *from, const char *to) {
  REAL(int, "rename", const char *, const char *);
  if (isBelow(from)) countDown("rename");
  return real(from, to);
}
