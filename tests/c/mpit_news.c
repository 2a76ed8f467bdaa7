// np: 2
// mpirun: --mca coll ^sm --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_bcast_algorithm pipeline
/* Callbacks are notified of the algorithm of a collective, once for each change, and over TCP of a
 * connection that was cut and made again. */
#include "check.h"
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ROUNDS = 200, SOCKETS = 256 };

static struct {
    int control, value, ranks;
    MPI_Count bytes;
} chosen;
static int choices, connections;

static void count_choice(MPI_T_event_instance event, MPI_T_event_registration registration,
                         MPI_T_cb_safety safety, void *data)
{
    (void)registration, (void)safety, (void)data;
    OK(MPI_T_event_read(event, 0, &chosen.control));
    OK(MPI_T_event_read(event, 1, &chosen.value));
    OK(MPI_T_event_read(event, 2, &chosen.ranks));
    OK(MPI_T_event_read(event, 3, &chosen.bytes));
    choices++;
}

static void count_connection(MPI_T_event_instance event, MPI_T_event_registration registration,
                             MPI_T_cb_safety safety, void *data)
{
    int peer = -1;
    (void)registration, (void)safety, (void)data;
    OK(MPI_T_event_read(event, 0, &peer));
    EQUAL(peer, 1 - rank);
    connections++;
}

static MPI_T_event_registration listen_to(const char *name, MPI_T_event_cb_function function)
{
    int at;
    MPI_T_event_registration registration;
    OK(MPI_T_event_get_index(name, &at));
    OK(MPI_T_event_handle_alloc(at, NULL, MPI_INFO_NULL, &registration));
    OK(MPI_T_event_register_callback(registration, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, NULL,
                                     function));
    return registration;
}

/* The last choice was that of a collective, and its algorithm has this name. */
static void expect(const char *control, const char *algorithm, MPI_Count bytes)
{
    char name[100], word[100];
    int length = sizeof name, value;
    MPI_T_enum words;
    OK(MPI_T_cvar_get_info(chosen.control, name, &length, NULL, NULL, &words, NULL, NULL, NULL,
                           NULL));
    CHECK(strcmp(name, control) == 0);
    length = sizeof word;
    OK(MPI_T_enum_get_item(words, chosen.value, &value, word, &length));
    CHECK(strcmp(word, algorithm) == 0);
    EQUAL(chosen.ranks, 2);
    EQUAL(chosen.bytes, bytes);
}

/* Whether the transport tcp was asked for. */
static int goes_over_tcp(void)
{
    char transports[4096];
    int at, count;
    MPI_T_cvar_handle handle;
    OK(MPI_T_cvar_get_index("btl", &at));
    OK(MPI_T_cvar_handle_alloc(at, NULL, &handle, &count));
    OK(MPI_T_cvar_read(handle, transports));
    OK(MPI_T_cvar_handle_free(&handle));
    return strstr(transports, "tcp") != NULL;
}

/* Ends all connections that the transport tcp has; returns how many there were. libfabric's would not
 * be made again. */
static int cut(void)
{
    int found = 0;
    if (!goes_over_tcp())
        return 0;
    for (int fd = 3; fd < SOCKETS; fd++) {
        struct sockaddr_storage peer;
        socklen_t length = sizeof peer;
        if (getpeername(fd, (struct sockaddr *)&peer, &length) == 0 &&
            (peer.ss_family == AF_INET || peer.ss_family == AF_INET6)) {
            shutdown(fd, SHUT_RDWR);
            found++;
        }
    }
    return found;
}

int main(int argc, char **argv)
{
    int provided, data[64] = {0}, all[128], cuts = 0;
    OK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    MPI_T_event_registration choice = listen_to("algorithm_chosen", count_choice);
    MPI_T_event_registration connection = listen_to("connected_again", count_connection);
    start(&argc, &argv);
    choices = 0;
    OK(MPI_Bcast(data, 64, MPI_INT, 0, MPI_COMM_WORLD));
    EQUAL(choices, 1);
    expect("coll_tuned_bcast_algorithm", "pipeline", 64 * sizeof(int));
    OK(MPI_Bcast(data, 8, MPI_INT, 0, MPI_COMM_WORLD));
    EQUAL(choices, 1);
    OK(MPI_Alltoall(data, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD));
    EQUAL(choices, 2);
    OK(MPI_Bcast(data, 8, MPI_INT, 0, MPI_COMM_WORLD));
    EQUAL(choices, 2);

    EQUAL(connections, 0);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0)
        cuts = cut();
    for (int i = 0; i < ROUNDS; i++) {
        OK(MPI_Sendrecv(data, 64, MPI_INT, 1 - rank, i, all, 64, MPI_INT, 1 - rank, i,
                        MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        usleep(100);
    }
    OK(MPI_Bcast(&cuts, 1, MPI_INT, 0, MPI_COMM_WORLD));
    CHECK(cuts > 0 ? connections > 0 : connections == 0);

    OK(MPI_T_event_handle_free(choice, NULL, NULL));
    OK(MPI_T_event_handle_free(connection, NULL, NULL));
    choices = 0;
    OK(MPI_Allreduce(data, all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    EQUAL(choices, 0);
    OK(MPI_T_finalize());
    return finish();
}
