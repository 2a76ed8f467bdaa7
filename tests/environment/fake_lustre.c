/* Loaded before the C library: answers Lustre's request for stripes of a new file, and appends what
 * was asked for to the file FAKE_LUSTRE. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct layout {
    uint32_t magic, pattern;
    uint64_t object[2];
    uint32_t unit;
    uint16_t count, first;
};

int ioctl(int fd, unsigned long request, ...)
{
    static int (*real)(int, unsigned long, void *);
    va_list list;
    va_start(list, request);
    void *argument = va_arg(list, void *);
    va_end(list);
    if (request == 0x4008669a) {
        const struct layout *asked = argument;
        FILE *log = fopen(getenv("FAKE_LUSTRE"), "a");
        fprintf(log, "%x %u: %u stripes of %u bytes from %u\n", asked->magic, asked->pattern,
                asked->count, asked->unit, asked->first);
        fclose(log);
        return 0;
    }
    if (!real)
        real = (int (*)(int, unsigned long, void *))dlsym(RTLD_NEXT, "ioctl");
    return real(fd, request, argument);
}
