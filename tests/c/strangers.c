// np: 2 4
/* Somebody connects to every port that a rank listens on, and says nothing, or nonsense, or hangs up;
 * the ranks take no notice. */
#include "check.h"
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

enum { DESCRIPTORS = 256, ROUNDS = 200, BYTES = 200000, KINDS = 5 };

static void nonsense(int fd, int kind)
{
    static unsigned char noise[65536];
    static const char web[] = "GET / HTTP/1.0\r\n\r\n";
    size_t len = kind == 1 ? 1 : sizeof noise;
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = kind == 2 ? 0xff : (unsigned char)rand();
    if (kind == 0)
        return;
    ssize_t sent = kind == 3 ? send(fd, web, sizeof web, MSG_NOSIGNAL)
                             : send(fd, noise, len, MSG_NOSIGNAL | MSG_DONTWAIT);
    (void)sent;
    if (kind == 4)
        close(fd);
}

/* Visits every port of this process; the number of visits. */
static int visit(void)
{
    int visits = 0;
    for (int fd = 3; fd < DESCRIPTORS; fd++) {
        int listens = 0;
        struct sockaddr_in address;
        socklen_t size = sizeof listens, length = sizeof address;
        if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || !listens)
            continue;
        EQUAL(getsockname(fd, (struct sockaddr *)&address, &length), 0);
        if (address.sin_family != AF_INET)
            continue;
        /* All ranks are on this host: nobody else is to reach them. */
        EQUAL(ntohl(address.sin_addr.s_addr) >> 24, 127);
        for (int kind = 0; kind < KINDS; kind++) {
            int stranger = socket(AF_INET, SOCK_STREAM, 0);
            CHECK(stranger >= 0);
            EQUAL(connect(stranger, (struct sockaddr *)&address, length), 0);
            nonsense(stranger, kind);
            visits++;
        }
    }
    return visits;
}

int main(int argc, char **argv)
{
    int visits = 0;
    /* Ports are what this is about. */
    setenv("OXMPI_MCA_btl", "tcp,self", 1);
    start(&argc, &argv);
    unsigned char *out = malloc(BYTES), *in = malloc(BYTES);
    int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    for (int round = 0; round < ROUNDS; round++) {
        int bytes = round % 3 == 0 ? BYTES : 8;
        if (round % 50 == 0)
            visits += visit();
        fill(out, bytes, rank + round);
        OK(MPI_Sendrecv(out, bytes, MPI_BYTE, to, 0, in, bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD,
                        MPI_STATUS_IGNORE));
        FILLED(in, bytes, from + round);
    }
    CHECK(visits > 0);
    free(out);
    free(in);
    return finish();
}
