/*
 * Preloaded into a process, records what it does to the files of one folder: RECORDED_FOLDER, written to RECORDING.
 *
 * Each entry is a line "<what> <inode> <number> <bytes> <name>" and, after it, so many bytes. The number is an offset
 * or a size. An entry is written when the call has come back, so that a sync that is recorded has ended.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *folder(void) {
  return getenv("RECORDED_FOLDER");
}

/* What comes after the folder in a path; NULL for a path elsewhere. */
static const char *name_in_folder(const char *path) {
  size_t length = folder() ? strlen(folder()) : 0;
  if (length == 0 || strncmp(path, folder(), length) != 0) return NULL;
  if (path[length] == '\0') return ".";
  return path[length] == '/' ? path + length + 1 : NULL;
}

static void record(const char *what, unsigned long long inode, long long number, const char *name, const void *bytes,
                   size_t count) {
  static int recording = -1;
  if (recording == -1) recording = syscall(SYS_openat, AT_FDCWD, getenv("RECORDING"), O_WRONLY | O_APPEND | O_CLOEXEC);
  char line[PATH_MAX + 128];
  int length = snprintf(line, sizeof line, "%s %llu %lld %zu %s\n", what, inode, number, count, name);
  struct iovec parts[] = {{line, length}, {(void *)bytes, count}};
  ssize_t written = syscall(SYS_writev, recording, parts, count > 0 ? 2 : 1);
  if (written != (ssize_t)(length + count)) {
    fputs("The recording cannot be written.\n", stderr);
    abort();
  }
}

/* Records a call on an open file, if it is one of the folder. */
static void record_file(const char *what, int file, long long number, const void *bytes, size_t count) {
  char link[64];
  char path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return;
  path[length] = '\0';
  const char *name = name_in_folder(path);
  struct stat status;
  if (name && fstat(file, &status) == 0) record(what, status.st_ino, number, name, bytes, count);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define OPEN(name)                                                              \
  int name(const char *path, int flags, ...) {                                  \
    va_list rest;                                                               \
    va_start(rest, flags);                                                      \
    mode_t mode = (flags & O_CREAT) ? va_arg(rest, mode_t) : 0;                 \
    va_end(rest);                                                               \
    int is_new = name_in_folder(path) && access(path, F_OK) != 0;               \
    int file = REAL(name)(path, flags, mode);                                   \
    if (file >= 0 && is_new) record_file("create", file, 0, NULL, 0);           \
    if (file >= 0 && (flags & O_TRUNC)) record_file("resize", file, 0, NULL, 0); \
    return file;                                                                \
  }

#define PWRITE(name, offset_type)                                             \
  ssize_t name(int file, const void *bytes, size_t count, offset_type offset) { \
    ssize_t written = REAL(name)(file, bytes, count, offset);                 \
    if (written > 0) record_file("write", file, offset, bytes, written);      \
    return written;                                                           \
  }

#define FTRUNCATE(name, offset_type)                              \
  int name(int file, offset_type size) {                          \
    int failed = REAL(name)(file, size);                          \
    if (!failed) record_file("resize", file, size, NULL, 0);      \
    return failed;                                                \
  }

#define SYNC(name)                                             \
  int name(int file) {                                         \
    int failed = REAL(name)(file);                             \
    if (!failed) record_file("sync", file, 0, NULL, 0);        \
    return failed;                                             \
  }

OPEN(open)
PWRITE(pwrite, off_t)
FTRUNCATE(ftruncate, off_t)
#ifdef __GLIBC__
OPEN(open64)
PWRITE(pwrite64, off64_t)
FTRUNCATE(ftruncate64, off64_t)
#endif
SYNC(fsync)
SYNC(fdatasync)

ssize_t write(int file, const void *bytes, size_t count) {
  ssize_t written = REAL(write)(file, bytes, count);
  if (written > 0) record_file("write", file, lseek(file, 0, SEEK_CUR) - written, bytes, written);
  return written;
}

int unlink(const char *path) {
  const char *name = name_in_folder(path);
  int failed = REAL(unlink)(path);
  if (!failed && name) record("unlink", 0, 0, name, NULL, 0);
  return failed;
}

int rename(const char *from, const char *to) {
  int failed = REAL(rename)(from, to);
  if (!failed && (name_in_folder(from) || name_in_folder(to))) record("rename", 0, 0, to, NULL, 0);
  return failed;
}
