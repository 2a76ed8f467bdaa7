/* What the machine's TCP gives without MPI: half a ping-pong between two processes over loopback,
 * in microseconds, polling as an MPI library does. The yardstick for MPI over TCP. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BATCHES = 15, ROUNDS = 1000 };

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void send_all(int socket, const char *data, size_t bytes)
{
    while (bytes > 0) {
        ssize_t n = send(socket, data, bytes, MSG_NOSIGNAL);
        if (n < 0 && errno != EAGAIN && errno != EINTR)
            fail("send");
        if (n > 0) {
            data += n;
            bytes -= (size_t)n;
        }
    }
}

static void receive_all(int socket, char *data, size_t bytes)
{
    while (bytes > 0) {
        ssize_t n = recv(socket, data, bytes, 0);
        if (n == 0)
            exit(0);
        if (n < 0 && errno != EAGAIN && errno != EINTR)
            fail("recv");
        if (n > 0) {
            data += n;
            bytes -= (size_t)n;
        }
    }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int prepared(int socket)
{
    int one = 1;
    if (setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) != 0)
        fail("TCP_NODELAY");
    fcntl(socket, F_SETFL, O_NONBLOCK);
    return socket;
}

static double latency(int socket, char *data, size_t bytes)
{
    double batch[BATCHES];
    for (int b = 0; b < BATCHES; b++) {
        double start = now();
        for (int i = 0; i < ROUNDS; i++) {
            send_all(socket, data, bytes);
            receive_all(socket, data, bytes);
        }
        batch[b] = (now() - start) / ROUNDS / 2 * 1e6;
    }
    qsort(batch, BATCHES, sizeof batch[0], by_value);
    return batch[BATCHES / 2];
}

int main(void)
{
    /* An MPI library sends a header of its own before the data: 8 bytes of a message are more. */
    static const size_t BYTES = 8;
    static char data[64];
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0), ours;
    pid_t child;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 1) != 0)
        fail("listen");
    getsockname(listener, (struct sockaddr *)&address, &length);
    child = fork();
    ours = socket(AF_INET, SOCK_STREAM, 0);
    if (child == 0) {
        if (connect(ours, (struct sockaddr *)&address, sizeof address) != 0)
            fail("connect");
        for (prepared(ours);;) {
            receive_all(ours, data, BYTES);
            send_all(ours, data, BYTES);
        }
    }
    ours = prepared(accept(listener, NULL, NULL));
    latency(ours, data, BYTES);
    printf("result latency %zu %.6g\n", BYTES, latency(ours, data, BYTES));
    close(ours);
    waitpid(child, NULL, 0);
    return 0;
}
