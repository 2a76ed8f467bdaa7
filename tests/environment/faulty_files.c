/* Loaded before the C library: reads and writes of files whose path has `faulty` in it are short, and
 * interrupted now and then (FAULTY=short), or fail by EIO where they touch the byte FAULTY_BYTE
 * (FAULTY=eio). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static _Thread_local unsigned calls;

/* How many of `bytes` may be transferred; -1 with errno for none. */
static ssize_t admitted(int fd, size_t bytes, off_t at)
{
    char link[64], path[512];
    const char *mode = getenv("FAULTY");
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = mode ? readlink(link, path, sizeof path - 1) : -1;
    if (length < 0)
        return (ssize_t)bytes;
    path[length] = 0;
    if (!strstr(path, "faulty"))
        return (ssize_t)bytes;
    if (strcmp(mode, "short") == 0) {
        if (++calls % 3 == 0) {
            errno = EINTR;
            return -1;
        }
        return bytes > 1000 ? 1000 : (ssize_t)bytes;
    }
    off_t bad = atoll(getenv("FAULTY_BYTE"));
    if (at <= bad && bad < at + (off_t)bytes) {
        errno = EIO;
        return -1;
    }
    return (ssize_t)bytes;
}

#define FUNCTION(name, buffer)                                                                     \
    ssize_t name(int fd, buffer data, size_t bytes, off_t at)                                      \
    {                                                                                              \
        static ssize_t (*real)(int, buffer, size_t, off_t);                                        \
        if (!real)                                                                                 \
            real = (ssize_t (*)(int, buffer, size_t, off_t))dlsym(RTLD_NEXT, #name);               \
        ssize_t some = admitted(fd, bytes, at);                                                    \
        return some < 0 ? -1 : real(fd, data, (size_t)some, at);                                   \
    }

FUNCTION(pread, void *)
FUNCTION(pread64, void *)
FUNCTION(pwrite, const void *)
FUNCTION(pwrite64, const void *)
