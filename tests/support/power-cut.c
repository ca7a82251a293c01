/*
 * Loaded into a server with LD_PRELOAD: after each sync of a file in the folder QD_CUT_FOLDER its contents are copied to the
 * folder QD_CUT_KEPT. What stands there is what a loss of power leaves at the least: everything written after a file's last sync is gone.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

/* The copy of a path in the folder; 0 for any other path. */
static int copy_of(const char *path, char *copy, size_t size) {
  const char *folder = getenv("QD_CUT_FOLDER"), *kept = getenv("QD_CUT_KEPT");
  if (!folder || !kept || strncmp(path, folder, strlen(folder)) || path[strlen(folder)] != '/') return 0;
  snprintf(copy, size, "%s/%s", kept, strrchr(path, '/') + 1);
  return 1;
}

static void keep(int fd) {
  char link[64], path[PATH_MAX], copy[PATH_MAX * 2], next[PATH_MAX * 2 + 8], part[65536];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return;
  path[length] = 0;
  if (!copy_of(path, copy, sizeof copy)) return;
  snprintf(next, sizeof next, "%s.next", copy);
  pthread_mutex_lock(&turn);
  int from = open(path, O_RDONLY), to = open(next, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  for (ssize_t got; from >= 0 && to >= 0 && (got = read(from, part, sizeof part)) > 0;)
    if (write(to, part, got) != got) break;
  close(from);
  close(to);
  rename(next, copy);
  pthread_mutex_unlock(&turn);
}

/* A file that gets another name takes its copy along: whoever renames syncs the folder next. */
int rename(const char *from, const char *to) {
  static int (*real)(const char *, const char *);
  if (!real) real = dlsym(RTLD_NEXT, "rename");
  char one[PATH_MAX * 2], other[PATH_MAX * 2];
  int result = real(from, to);
  if (result == 0 && copy_of(from, one, sizeof one) && copy_of(to, other, sizeof other)) real(one, other);
  return result;
}

int fsync(int fd) {
  int (*real)(int) = dlsym(RTLD_NEXT, "fsync");
  int result = real(fd);
  if (result == 0) keep(fd);
  return result;
}

int fdatasync(int fd) {
  int (*real)(int) = dlsym(RTLD_NEXT, "fdatasync");
  int result = real(fd);
  if (result == 0) keep(fd);
  return result;
}
