/* What a rank takes of the machine that has come to a barrier, or with an argument has spoken to
 * nobody: rank 0 prints the kibibytes that are
 * its own and its share of what it maps along with others, without files, and the page tables, and
 * the most descriptors that a rank has. */
#include <dirent.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The sum of the fields of `file` that begin with one of `names`, in kibibytes. */
static long kibibytes(const char *path, const char *const *names)
{
    char line[256];
    long sum = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        perror(path);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    while (fgets(line, sizeof line, file) != NULL)
        for (int i = 0; names[i] != NULL; i++)
            if (strncmp(line, names[i], strlen(names[i])) == 0)
                sum += atol(line + strlen(names[i]));
    fclose(file);
    return sum;
}

static int descriptors(void)
{
    int open = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder != NULL && readdir(folder) != NULL)
        open++;
    closedir(folder);
    /* Without the folder itself, "." and "..". */
    return open - 3;
}

int main(int argc, char **argv)
{
    static const char *const shares[] = {"Pss_Anon:", "Pss_Shmem:", NULL};
    static const char *const tables[] = {"VmPTE:", NULL};
    int rank, most, open;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc == 1)
        MPI_Barrier(MPI_COMM_WORLD);
    long memory = kibibytes("/proc/self/smaps_rollup", shares) +
                  kibibytes("/proc/self/status", tables);
    open = descriptors();
    MPI_Reduce(&open, &most, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("kibibytes %ld descriptors %d\n", memory, most);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
