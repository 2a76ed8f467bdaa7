/* A program without MPI that loads parts which were compiled for different MPIs: parts A B C. The
 * first begins MPI, each sends to the next, and the last ends it. */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void *function(void *part, const char *name)
{
    void *found = dlsym(part, name);
    if (!found) {
        printf("%s\n", dlerror());
        exit(1);
    }
    return found;
}

static void call(void *part, const char *name) { ((void (*)(void))function(part, name))(); }

static void call_with(void *part, const char *name, int value)
{
    ((void (*)(int))function(part, name))(value);
}

int main(int argc, char **argv)
{
    void *part[3];
    for (int i = 0; i < 3; i++) {
        part[i] = dlopen(argv[i + 1], RTLD_NOW | RTLD_LOCAL);
        if (!part[i]) {
            printf("%s\n", dlerror());
            return 1;
        }
    }
    call(part[0], "begin");
    for (int i = 0; i < 3; i++) {
        call_with(part[i], "sends", 40 + i);
        call_with(part[(i + 1) % 3], "receives", 40 + i);
        call(part[i], "provoke");
    }
    call(part[2], "end");
    for (int i = 0; i < 3; i++) {
        int calls = ((int (*)(void))function(part[i], "counted_calls"))();
        /* The first is called for each part's mistake, and at the end. */
        if (calls != (i == 0 ? 31 : 0)) {
            printf("part %d: %d\n", i, calls);
            return 1;
        }
    }
    return 0;
}
