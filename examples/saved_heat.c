/* Diffusion of heat along a rod, whose ranks save their state to files now and then. A rank that is
 * killed goes on from what it has saved, while the others wait for it where they need it:
 *
 *   mpicc -o saved_heat examples/saved_heat.c
 *   mpirun --enable-recovery --mca vprotocol pessimist -n 4 ./saved_heat /tmp
 *
 * and in another terminal, as often as you like, `kill -9` of one of its processes. Without the
 * options of recovery the program runs as any other. */
#include <mpi-ext.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CELLS = 1000, STEPS = 20000, STEPS_PER_SAVE = 500 };

struct state {
    int step;
    double cells[CELLS + 2];
};

static void name_file(char name[4096], const char *folder, int rank, int tag)
{
    /* Two files by turns: the one before stays whole until OXMPI_Checkpoint has returned. */
    snprintf(name, 4096, "%s/saved_heat.%d.%d", folder, rank, tag % 2);
}

static void save(const struct state *state, const char *folder, int rank)
{
    char name[4096];
    int tag = state->step / STEPS_PER_SAVE;
    name_file(name, folder, rank, tag);
    FILE *file = fopen(name, "wb");
    int written = file && fwrite(state, sizeof *state, 1, file) == 1;
    if (file && fclose(file) != 0)
        written = 0;
    if (!written) {
        perror(name);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    OXMPI_Checkpoint(tag);
}

static void read_back(struct state *state, const char *folder, int rank, int tag)
{
    char name[4096];
    name_file(name, folder, rank, tag);
    FILE *file = fopen(name, "rb");
    if (!file || fread(state, sizeof *state, 1, file) != 1) {
        perror(name);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    fclose(file);
}

int main(int argc, char **argv)
{
    static struct state now;
    static double next[CELLS + 2];
    const char *folder = argc > 1 ? argv[1] : ".";
    int rank, ranks, restarted, tag;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;

    /* All up to here is done by each life of a rank. */
    OXMPI_Restarted(&restarted, &tag);
    if (restarted) {
        read_back(&now, folder, rank, tag);
        fprintf(stderr, "rank %d goes on with step %d\n", rank, now.step);
    } else if (rank == 0) {
        now.cells[1] = 1e6;
    }

    while (now.step < STEPS) {
        MPI_Sendrecv(&now.cells[1], 1, MPI_DOUBLE, left, 0, &now.cells[CELLS + 1], 1, MPI_DOUBLE,
                     right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&now.cells[CELLS], 1, MPI_DOUBLE, right, 1, &now.cells[0], 1, MPI_DOUBLE, left,
                     1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 1; i <= CELLS; i++)
            next[i] = now.cells[i] + (now.cells[i - 1] - 2 * now.cells[i] + now.cells[i + 1]) / 4;
        memcpy(&now.cells[1], &next[1], CELLS * sizeof(double));
        now.step++;
        if (now.step % STEPS_PER_SAVE == 0)
            save(&now, folder, rank);
    }

    double heat = 0, all = 0;
    for (int i = 1; i <= CELLS; i++)
        heat += now.cells[i] * ((double)rank * CELLS + i);
    MPI_Reduce(&heat, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("moment of heat after %d steps: %.6e\n", STEPS, all);
    for (tag = 0; tag < 2; tag++) {
        char name[4096];
        name_file(name, folder, rank, tag);
        unlink(name);
    }
    MPI_Finalize();
    return 0;
}
