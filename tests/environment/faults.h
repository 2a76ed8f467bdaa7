/* What denies system calls to the process that it is part of: the Nth of one kind answers an error,
 * whoever makes it and from wherever (a filter of the kernel's asks a process beside this one). */
#ifndef FAULTS_H
#define FAULTS_H

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The kinds, and the error of each. What cannot fail, and what programs may take as never failing, is
 * left out: munmap, close, futex, brk (whose answer is no error number). */
static const struct denied {
    int number, error;
    const char *name;
} DENIED[] = {
    {SYS_openat, EMFILE, "openat"},
    {SYS_read, EIO, "read"},
    {SYS_write, ENOSPC, "write"},
    {SYS_pread64, EIO, "pread64"},
    {SYS_lseek, ESPIPE, "lseek"},
    {SYS_newfstatat, ENOMEM, "newfstatat"},
    {SYS_statx, ENOMEM, "statx"},
    {SYS_readlink, ENOMEM, "readlink"},
    {SYS_getdents64, ENOENT, "getdents64"},
    {SYS_unlink, EACCES, "unlink"},
    {SYS_ftruncate, ENOSPC, "ftruncate"},
    {SYS_fallocate, ENOSPC, "fallocate"},
    {SYS_memfd_create, EMFILE, "memfd_create"},
    {SYS_fcntl, EMFILE, "fcntl"},
    {SYS_dup, EMFILE, "dup"},
    {SYS_ioctl, ENODEV, "ioctl"},
    {SYS_mmap, ENOMEM, "mmap"},
    {SYS_mprotect, ENOMEM, "mprotect"},
    {SYS_mremap, ENOMEM, "mremap"},
    {SYS_madvise, EINVAL, "madvise"},
    {SYS_mlock, ENOMEM, "mlock"},
    {SYS_pipe2, EMFILE, "pipe2"},
    {SYS_eventfd2, EMFILE, "eventfd2"},
    {SYS_timerfd_create, EMFILE, "timerfd_create"},
    {SYS_userfaultfd, EMFILE, "userfaultfd"},
    {SYS_epoll_create1, EMFILE, "epoll_create1"},
    {SYS_epoll_create, EMFILE, "epoll_create"},
    {SYS_epoll_ctl, ENOSPC, "epoll_ctl"},
    {SYS_socket, EMFILE, "socket"},
    {SYS_socketpair, EMFILE, "socketpair"},
    {SYS_bind, EADDRINUSE, "bind"},
    {SYS_listen, EADDRINUSE, "listen"},
    {SYS_connect, ECONNREFUSED, "connect"},
    {SYS_accept, EMFILE, "accept"},
    {SYS_accept4, EMFILE, "accept4"},
    {SYS_getsockname, ENOBUFS, "getsockname"},
    {SYS_getsockopt, ENOBUFS, "getsockopt"},
    {SYS_setsockopt, ENOBUFS, "setsockopt"},
    {SYS_sendto, ENOBUFS, "sendto"},
    {SYS_recvfrom, ENOMEM, "recvfrom"},
    {SYS_sendmsg, ENOBUFS, "sendmsg"},
    {SYS_recvmsg, ENOMEM, "recvmsg"},
    {SYS_clone, EAGAIN, "clone"},
    {SYS_clone3, EAGAIN, "clone3"},
    {SYS_getrandom, ENOSYS, "getrandom"},
    {SYS_membarrier, EPERM, "membarrier"},
    {SYS_process_vm_readv, EPERM, "process_vm_readv"},
    {SYS_sched_getaffinity, EINVAL, "sched_getaffinity"},
    {SYS_prlimit64, EPERM, "prlimit64"},
    {SYS_sysinfo, EFAULT, "sysinfo"},
};

enum { KINDS = sizeof DENIED / sizeof DENIED[0] };

/* What both processes see. While `left` is not 0, calls of kind `at` are counted down, and the one
 * that brings it to 0 fails. */
struct orders {
    volatile int at, left, listener, over;
    volatile long round;
};

static struct orders *orders;

/* The connection to the launcher: who loses it is ended by the launcher. */
static inline int is_spared(const struct seccomp_data *call)
{
    const char *launcher = getenv("OXMPI_BOOT_FD");
    struct stat found;
    launcher = launcher ? strchr(launcher, ':') : NULL;
    return launcher && fstat((int)call->args[0], &found) == 0 && S_ISSOCK(found.st_mode) &&
           found.st_ino == strtoul(launcher + 1, NULL, 10);
}

static inline void obey(void)
{
    struct seccomp_notif call;
    struct seccomp_notif_resp answer;
    while (orders->listener < 0)
        sched_yield();
    struct pollfd until = {orders->listener, POLLIN, 0};
    for (;;) {
        if (poll(&until, 1, -1) < 0 || (until.revents & POLLHUP))
            break;
        memset(&call, 0, sizeof call);
        if (ioctl(orders->listener, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0)
            continue;
        memset(&answer, 0, sizeof answer);
        answer.id = call.id;
        answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
        if (orders->left > 0 && call.data.nr == DENIED[orders->at].number &&
            !is_spared(&call.data) && --orders->left == 0) {
            answer.flags = 0;
            answer.error = -DENIED[orders->at].error;
        }
        ioctl(orders->listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
    }
    if (!orders->over)
        fprintf(stderr, "faults: ended in round %ld, call %s\n", orders->round,
                DENIED[orders->at].name);
    _exit(0);
}

/* Puts this process under the filter. To be called while it has one thread; 0 on success. */
static inline int begin_faults(void)
{
    orders = mmap(NULL, sizeof *orders, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (orders == MAP_FAILED)
        return -1;
    orders->listener = -1;
    /* A process that shares descriptors with this one, and so has the filter's. */
    long beside = syscall(SYS_clone, CLONE_FILES | SIGCHLD, 0, 0, 0, 0);
    if (beside < 0)
        return -1;
    if (beside == 0)
        obey();
    struct sock_filter filter[KINDS + 3] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    };
    for (int at = 0; at < KINDS; at++)
        filter[1 + at] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                                                      DENIED[at].number, KINDS - at, 0);
    filter[KINDS + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    filter[KINDS + 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    struct sock_fprog program = {KINDS + 3, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    orders->listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                                    SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
    return orders->listener < 0 ? -1 : 0;
}

/* Has the `nth` call of a kind fail from now on. */
static inline void deny(int kind, int nth)
{
    orders->round++;
    orders->at = kind;
    orders->left = nth;
}

/* Lets all calls through again. Whether one has failed. */
static inline int allow(void)
{
    int failed = orders->left == 0;
    orders->left = 0;
    return failed;
}

#endif
