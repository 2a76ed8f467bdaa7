/* Spawns two processes again and again, and exchanges messages with them, until something ends it:
 *     spawns_forever parent once|stay [HOST]
 * Those that it spawns have `child` in the place of `parent`; with `stay` they never disconnect.
 * With a HOST they run there. */
#include <mpi.h>
#include <string.h>

static void meet(MPI_Comm inter, int high, int stays)
{
    MPI_Comm all;
    int one = 1, sum;
    MPI_Intercomm_merge(inter, high, &all);
    for (int round = 0; stays || round < 100; round++)
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, all);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&inter);
}

int main(int argc, char **argv)
{
    MPI_Comm parent, inter;
    MPI_Info info = MPI_INFO_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) {
        meet(parent, 1, strcmp(argv[2], "stay") == 0);
        MPI_Finalize();
        return 0;
    }
    char *words[] = {"child", argv[2], NULL};
    if (argc > 3) {
        MPI_Info_create(&info);
        MPI_Info_set(info, "add-host", argv[3]);
    }
    for (;;) {
        MPI_Comm_spawn(argv[0], words, 2, info, 0, MPI_COMM_WORLD, &inter, MPI_ERRCODES_IGNORE);
        meet(inter, 0, strcmp(argv[2], "stay") == 0);
    }
}
