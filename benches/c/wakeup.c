/* The first message after an idle second, from rank 0 to rank 1, which waits in MPI_Recv meanwhile:
 * microseconds from before MPI_Send to after MPI_Recv. Beside it, by turns, what the system takes to
 * wake a thread that has slept as long: on a futex in memory that both map, in poll on a pipe, or in
 * epoll_wait on a socket of the loopback interface.
 *
 *   futex   results `message`, `futex` and `pipe`
 *   epoll   results `message` and `epoll`
 *
 * The median of the turns counts. `busy` is what rank 1 spends of its core while it waits in
 * MPI_Recv, in thousandths. The argument after the name is the number of turns, 9 by default. */
#include "bench.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>

enum { TURNS_MAX = 99, TAG = 7 };

static const double IDLE_SECONDS = 1;

static int connection, epoll, doorbell;

static void check(int fine, const char *what)
{
    if (!fine) {
        perror(what);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* A connection from rank 0 to rank 1. */
static void connect_ranks(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof address;
    int one = 1, port = 0, socket_ = socket(AF_INET, SOCK_STREAM, 0);
    struct epoll_event event = {.events = EPOLLIN};
    check(socket_ >= 0, "socket");
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bench_rank == 1) {
        check(bind(socket_, (struct sockaddr *)&address, sizeof address) == 0, "bind");
        check(listen(socket_, 1) == 0, "listen");
        check(getsockname(socket_, (struct sockaddr *)&address, &length) == 0, "getsockname");
        port = address.sin_port;
        MPI_Send(&port, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD);
        connection = accept(socket_, NULL, NULL);
        check(connection >= 0, "accept");
        close(socket_);
        epoll = epoll_create1(0);
        check(epoll_ctl(epoll, EPOLL_CTL_ADD, connection, &event) == 0, "epoll_ctl");
    } else {
        MPI_Recv(&port, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        address.sin_port = (in_port_t)port;
        check(connect(socket_, (struct sockaddr *)&address, sizeof address) == 0, "connect");
        connection = socket_;
        setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    }
}

/* A pipe of rank 1, which rank 0 opens as well. */
static void open_doorbell(void)
{
    int reach[2], ends[2] = {-1, -1};
    char path[64];
    if (bench_rank == 1) {
        check(pipe(ends) == 0, "pipe");
        reach[0] = getpid();
        reach[1] = ends[1];
        doorbell = ends[0];
        MPI_Send(reach, 2, MPI_INT, 0, TAG, MPI_COMM_WORLD);
    } else {
        MPI_Recv(reach, 2, MPI_INT, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        snprintf(path, sizeof path, "/proc/%d/fd/%d", reach[0], reach[1]);
        doorbell = open(path, O_WRONLY);
        check(doorbell >= 0, path);
    }
}

static void idle(void)
{
    struct timespec rest = {.tv_sec = (time_t)IDLE_SECONDS};
    nanosleep(&rest, NULL);
}

static double by_message(void)
{
    double sent = 0;
    if (bench_rank == 0) {
        idle();
        sent = bench_now();
        MPI_Send(&sent, 1, MPI_DOUBLE, 1, TAG, MPI_COMM_WORLD);
        return 0;
    }
    MPI_Recv(&sent, 1, MPI_DOUBLE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return bench_now() - sent;
}

/* The word is in the page of `bench_words`, the time behind it. */
static double by_futex(void)
{
    atomic_int *word = bench_words + 8 * APART_LINE;
    volatile double *sent = (volatile double *)(bench_words + 9 * APART_LINE);
    if (bench_rank == 0) {
        idle();
        *sent = bench_now();
        atomic_store(word, 1);
        syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
        return 0;
    }
    while (atomic_load(word) == 0)
        syscall(SYS_futex, word, FUTEX_WAIT, 0, NULL, NULL, 0);
    atomic_store(word, 0);
    return bench_now() - *sent;
}

static double by_pipe(void)
{
    double sent = 0;
    struct pollfd bell = {.fd = doorbell, .events = POLLIN};
    if (bench_rank == 0) {
        idle();
        sent = bench_now();
        check(write(doorbell, &sent, sizeof sent) == sizeof sent, "write");
        return 0;
    }
    check(poll(&bell, 1, -1) == 1, "poll");
    check(read(doorbell, &sent, sizeof sent) == sizeof sent, "read");
    return bench_now() - sent;
}

static double by_epoll(void)
{
    double sent = 0;
    struct epoll_event event;
    if (bench_rank == 0) {
        idle();
        sent = bench_now();
        check(write(connection, &sent, sizeof sent) == sizeof sent, "write");
        return 0;
    }
    check(epoll_wait(epoll, &event, 1, -1) == 1, "epoll_wait");
    check(read(connection, &sent, sizeof sent) == sizeof sent, "read");
    return bench_now() - sent;
}

static double cpu_seconds(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/* Rank 1 has the figures, rank 0 prints. */
static void report(const char *name, double *turns, int count)
{
    MPI_Bcast(turns, count, MPI_DOUBLE, 1, MPI_COMM_WORLD);
    qsort(turns, (size_t)count, sizeof turns[0], bench_by_value);
    bench_report(name, 8, turns[count / 2]);
}

int main(int argc, char **argv)
{
    const char *bare = argc > 1 ? argv[1] : "futex";
    int turns = argc > 2 ? atoi(argv[2]) : 9, has_epoll = strcmp(bare, "epoll") == 0;
    double message[TURNS_MAX], plain[TURNS_MAX], piped[TURNS_MAX], busy[TURNS_MAX];
    bench_start(&argc, &argv, 1, 1);
    if (bench_ranks != 2 || turns < 1 || turns > TURNS_MAX || bench_words == NULL) {
        fprintf(stderr, "wakeup: runs on 2 ranks of one machine, 1 to 99 turns\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    if (has_epoll)
        connect_ranks();
    else
        open_doorbell();
    for (int turn = 0; turn < turns; turn++) {
        double cpu;
        MPI_Barrier(MPI_COMM_WORLD);
        cpu = cpu_seconds();
        message[turn] = 1e6 * by_message();
        busy[turn] = 1e3 * (cpu_seconds() - cpu) / IDLE_SECONDS;
        MPI_Barrier(MPI_COMM_WORLD);
        plain[turn] = 1e6 * (has_epoll ? by_epoll() : by_futex());
        if (!has_epoll) {
            MPI_Barrier(MPI_COMM_WORLD);
            piped[turn] = 1e6 * by_pipe();
        }
    }
    report("message", message, turns);
    report(has_epoll ? "epoll" : "futex", plain, turns);
    if (!has_epoll)
        report("pipe", piped, turns);
    report("busy", busy, turns);
    MPI_Finalize();
    return 0;
}
