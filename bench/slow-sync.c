/* Preloaded, it makes every wait for the disk so many microseconds longer (SLOW_SYNC). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static void wait_longer(void) {
  const char *microseconds = getenv("SLOW_SYNC");
  if (microseconds) usleep((useconds_t)atoi(microseconds));
}

int fsync(int file) {
  int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  wait_longer();
  return next(file);
}

int fdatasync(int file) {
  int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  wait_longer();
  return next(file);
}
