/* Programs of another interface spawn themselves, twice in a row: what they spawn finds the same
 * libraries, and has the variables of the program that spawns it, not of the job's first one.
 * `--abi` was left out of spawned processes, which loaded another MPI or none, and `-x` was taken
 * from the first program; now a part is planned with the options of its spawner's program. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Spawns two, of which the first spawns again until `depth` is 0; returns how many there are. */
static int spawn(char *program, int depth)
{
    char word[8], *arguments[] = {word, NULL};
    MPI_Comm children;
    int sum = 0;

    if (depth == 0) return 0;
    snprintf(word, sizeof word, "%d", depth - 1);
    MPI_Comm_spawn(program, arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children,
                   MPI_ERRCODES_IGNORE);
    for (int at = 0; at < 2; at++) {
        int below;
        MPI_Recv(&below, 1, MPI_INT, at, 0, children, MPI_STATUS_IGNORE);
        sum += below + 1;
    }
    MPI_Comm_disconnect(&children);
    return sum;
}

int main(int argc, char **argv)
{
    MPI_Comm parent;
    int rank, size, below;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) {
        /* The last rank runs the job's last program. */
        if (rank == size - 1) {
            below = spawn(argv[0], 2);
            printf("%d spawned\n", below);
        }
    } else {
        const char *mark = getenv("SPAWNER_MARK");
        if (mark == NULL || strcmp(mark, "last") != 0) {
            fprintf(stderr, "SPAWNER_MARK is %s\n", mark ? mark : "not set");
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        below = spawn(argv[0], rank == 0 ? atoi(argv[1]) : 0);
        MPI_Send(&below, 1, MPI_INT, 0, 0, parent);
        MPI_Comm_disconnect(&parent);
    }
    MPI_Finalize();
    return 0;
}
