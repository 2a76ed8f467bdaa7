// np: 2
/* A hundred connections to a port that say nothing, or a byte, before a process connects that knows
 * the key. They had all the places of those that have not proved themselves, for ten seconds each
 * time; now the oldest that has shown nothing makes room for the next one. */
#include "check.h"
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CROWD = 100 };

/* Connects to the first address of a port's name: oxmpi:ADDRESS:PORT,...#KEY */
static void crowd(const char *port, int *sockets)
{
    char host[64];
    int number;
    struct sockaddr_in address = {.sin_family = AF_INET};

    EQUAL(sscanf(port, "oxmpi:%63[0-9.]:%d", host, &number), 2);
    EQUAL(inet_pton(AF_INET, host, &address.sin_addr), 1);
    address.sin_port = htons((unsigned short)number);
    for (int at = 0; at < CROWD; at++) {
        sockets[at] = socket(AF_INET, SOCK_STREAM, 0);
        CHECK(sockets[at] >= 0);
        EQUAL(connect(sockets[at], (struct sockaddr *)&address, sizeof address), 0);
        if (at % 2 == 0)
            EQUAL(send(sockets[at], "O", 1, MSG_NOSIGNAL), 1);
    }
}

int main(int argc, char **argv)
{
    char port[MPI_MAX_PORT_NAME] = "";
    int sockets[CROWD], got = 0;
    MPI_Comm other;
    MPI_Info info;

    start(&argc, &argv);
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "timeout", "6"));
    if (rank == 0)
        OK(MPI_Open_port(MPI_INFO_NULL, port));
    OK(MPI_Bcast(port, sizeof port, MPI_CHAR, 0, MPI_COMM_WORLD));
    if (rank == 1)
        crowd(port, sockets);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0)
        OK(MPI_Comm_accept(port, info, 0, MPI_COMM_SELF, &other));
    else
        OK(MPI_Comm_connect(port, info, 0, MPI_COMM_SELF, &other));
    OK(MPI_Sendrecv(&rank, 1, MPI_INT, 0, 0, &got, 1, MPI_INT, 0, 0, other, MPI_STATUS_IGNORE));
    EQUAL(got, 1 - rank);
    OK(MPI_Comm_disconnect(&other));
    for (int at = 0; at < CROWD && rank == 1; at++)
        close(sockets[at]);
    if (rank == 0)
        OK(MPI_Close_port(port));
    OK(MPI_Info_free(&info));
    return finish();
}
