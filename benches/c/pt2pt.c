/* Point-to-point between ranks 0 and 1.
 *
 *   latency        half a ping-pong, in microseconds
 *   bandwidth      a window of MPI_Isend one way, answered by an empty message, in MB/s
 *   bibandwidth    the same both ways at once, in MB/s (both directions added)
 *   rate           8-byte messages in windows, in million messages a second
 */
#include "bench.h"

enum { WINDOW = 64, RATE_WINDOW = 256, TAG = 7, DONE = 8 };

static const size_t LATENCY_BYTES[] = {0,     1,     8,      64,      512,    1024,
                                       4096,  16384, 65536,  262144,  1048576, 4194304};
static const size_t BANDWIDTH_BYTES[] = {64, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304};
static const size_t BYTES_MAX = 4194304;

static void ping_pong(size_t bytes, long round)
{
    (void)round;
    if (bench_rank == 0) {
        bench_out[0]++;
        MPI_Send(bench_out, (int)bytes, MPI_BYTE, 1, TAG, MPI_COMM_WORLD);
        MPI_Recv(bench_in, (int)bytes, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(bench_in, (int)bytes, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        bench_out[0] = bench_in[0];
        MPI_Send(bench_out, (int)bytes, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
    }
}

static void send_window(size_t bytes, int window, MPI_Request *request, int peer)
{
    for (int i = 0; i < window; i++)
        MPI_Isend(bench_out, (int)bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &request[i]);
}

static void receive_window(size_t bytes, int window, MPI_Request *request, int peer)
{
    for (int i = 0; i < window; i++)
        MPI_Irecv(bench_in, (int)bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &request[i]);
}

static void one_way(size_t bytes, int window)
{
    MPI_Request request[RATE_WINDOW];
    if (bench_rank == 0) {
        send_window(bytes, window, request, 1);
        MPI_Waitall(window, request, MPI_STATUSES_IGNORE);
        MPI_Recv(NULL, 0, MPI_BYTE, 1, DONE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        receive_window(bytes, window, request, 0);
        MPI_Waitall(window, request, MPI_STATUSES_IGNORE);
        MPI_Send(NULL, 0, MPI_BYTE, 0, DONE, MPI_COMM_WORLD);
    }
}

/* Large messages need no deep window to fill the path, and would only run through more memory. */
static int window_of(size_t bytes)
{
    return bytes >= 262144 ? 8 : WINDOW;
}

static void bandwidth(size_t bytes, long round)
{
    (void)round;
    one_way(bytes, window_of(bytes));
}

static void rate(size_t bytes, long round)
{
    (void)round;
    one_way(bytes, RATE_WINDOW);
}

static void both_ways(size_t bytes, long round)
{
    MPI_Request request[2 * WINDOW];
    int window = window_of(bytes), peer = 1 - bench_rank;
    (void)round;
    receive_window(bytes, window, request, peer);
    send_window(bytes, window, request + window, peer);
    MPI_Waitall(2 * window, request, MPI_STATUSES_IGNORE);
}

static void measure_bandwidth(const char *name, bench_round round, int directions)
{
    for (size_t i = 0; i < sizeof BANDWIDTH_BYTES / sizeof BANDWIDTH_BYTES[0]; i++) {
        size_t bytes = BANDWIDTH_BYTES[i];
        double seconds = bench_seconds(round, bytes);
        double moved = (double)bytes * window_of(bytes) * directions;
        bench_report(name, bytes, moved / seconds / 1e6);
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "latency";
    bench_start(&argc, &argv, BYTES_MAX, BYTES_MAX);
    if (bench_ranks != 2) {
        fprintf(stderr, "pt2pt: runs on 2 ranks, not %d\n", bench_ranks);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    if (strcmp(what, "latency") == 0) {
        for (size_t i = 0; i < sizeof LATENCY_BYTES / sizeof LATENCY_BYTES[0]; i++) {
            double seconds = bench_seconds(ping_pong, LATENCY_BYTES[i]);
            bench_report(what, LATENCY_BYTES[i], seconds / 2 * 1e6);
        }
    } else if (strcmp(what, "bandwidth") == 0) {
        measure_bandwidth(what, bandwidth, 1);
    } else if (strcmp(what, "bibandwidth") == 0) {
        measure_bandwidth(what, both_ways, 2);
    } else if (strcmp(what, "rate") == 0) {
        bench_report(what, 8, RATE_WINDOW / bench_seconds(rate, 8) / 1e6);
    } else {
        fprintf(stderr, "pt2pt: no measurement `%s`\n", what);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Finalize();
    return 0;
}
