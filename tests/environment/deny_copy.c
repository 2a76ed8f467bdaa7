/* Runs a program for which the kernel refuses copies between processes. */
#include <stdio.h>
#include <unistd.h>

#include "refuse_copies.h"

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    if (refuse_copies() != 0) {
        perror("deny_copy: seccomp");
        return 2;
    }
    execvp(argv[1], argv + 1);
    perror(argv[1]);
    return 2;
}
