/* What the machine's TCP gives without MPI, between two processes over loopback that poll as an MPI
 * library does: the yardstick for MPI over TCP.
 *
 *   latency     half a ping-pong, in microseconds
 *   bandwidth   a window of messages one way, answered by a byte, in MB/s
 */
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

enum { BATCHES = 15, ROUNDS = 1000, WINDOW = 64, BANDWIDTH_BYTES = 64 << 20 };

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
    /* The system's own choice may be one that paces, which takes twice the time. */
    if (setsockopt(socket, IPPROTO_TCP, TCP_CONGESTION, "reno", 4) != 0)
        fail("TCP_CONGESTION");
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

/* As many messages at once as the MPI program has under way. */
static size_t window_of(size_t bytes)
{
    return bytes >= 262144 ? 8 : WINDOW;
}

static double bandwidth(int socket, char *data, size_t bytes)
{
    double batch[BATCHES];
    size_t window = window_of(bytes), rounds = BANDWIDTH_BYTES / (bytes * window) + 1;
    for (int b = 0; b < BATCHES; b++) {
        double start = now();
        for (size_t i = 0; i < rounds; i++) {
            for (size_t message = 0; message < window; message++)
                send_all(socket, data, bytes);
            receive_all(socket, data, 1);
        }
        batch[b] = (double)(rounds * window * bytes) / (now() - start) / 1e6;
    }
    qsort(batch, BATCHES, sizeof batch[0], by_value);
    return batch[BATCHES / 2];
}

static void answer_windows(int socket, char *data, size_t bytes)
{
    size_t window = window_of(bytes), rounds = BANDWIDTH_BYTES / (bytes * window) + 1;
    for (size_t i = 0; i < BATCHES * rounds; i++) {
        for (size_t message = 0; message < window; message++)
            receive_all(socket, data, bytes);
        send_all(socket, data, 1);
    }
}

int main(int count, char **words)
{
    /* An MPI library sends a header of its own before the data: 8 bytes of a message are more. */
    static const size_t BYTES = 8;
    static const size_t LARGE[] = {65536, 262144, 1048576, 4194304};
    static char data[4194304];
    const int streams = count > 1 && strcmp(words[1], "bandwidth") == 0;
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
        prepared(ours);
        for (size_t i = 0; streams && i < sizeof LARGE / sizeof LARGE[0]; i++)
            answer_windows(ours, data, LARGE[i]);
        for (;;) {
            receive_all(ours, data, BYTES);
            send_all(ours, data, BYTES);
        }
    }
    ours = prepared(accept(listener, NULL, NULL));
    for (size_t i = 0; streams && i < sizeof LARGE / sizeof LARGE[0]; i++)
        printf("result bandwidth %zu %.6g\n", LARGE[i], bandwidth(ours, data, LARGE[i]));
    latency(ours, data, BYTES);
    if (!streams)
        printf("result latency %zu %.6g\n", BYTES, latency(ours, data, BYTES));
    close(ours);
    waitpid(child, NULL, 0);
    return 0;
}
