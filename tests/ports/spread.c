/* Spawns processes on hosts that an info key names, twice:
 *     spread KEY VALUE COUNT HOST...
 * Process i has to be on the i-th HOST, the last of which is that of all further ones, and exchanges
 * a megabyte with the parent. The second time the first processes may still have their slots, so
 * that any host will do. Without any HOST the spawn has to fail, and ends the job with the
 * reason. KEY may be `none`. */
#include "../c/check.h"

enum { BYTES = 1 << 20 };

static char data[BYTES], back[BYTES];

static int child(MPI_Comm parent)
{
    char name[MPI_MAX_PROCESSOR_NAME] = "";
    int length, self;
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &self));
    OK(MPI_Get_processor_name(name, &length));
    OK(MPI_Send(name, sizeof name, MPI_CHAR, 0, self, parent));
    OK(MPI_Recv(data, BYTES, MPI_CHAR, 0, self, parent, MPI_STATUS_IGNORE));
    OK(MPI_Send(data, BYTES, MPI_CHAR, 0, self, parent));
    OK(MPI_Comm_disconnect(&parent));
    OK(MPI_Finalize());
    return 0;
}

static void talk(MPI_Comm inter, int count, char **hosts, int known)
{
    char name[MPI_MAX_PROCESSOR_NAME];
    for (int at = 0; at < count; at++) {
        const char *expected = known > 0 ? hosts[at < known ? at : known - 1] : "";
        OK(MPI_Recv(name, sizeof name, MPI_CHAR, at, at, inter, MPI_STATUS_IGNORE));
        if (known > 0 && strcmp(name, expected) != 0) {
            fprintf(stderr, "process %d is on %s, not on %s\n", at, name, expected);
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
        memset(data, 'a' + at, BYTES);
        OK(MPI_Send(data, BYTES, MPI_CHAR, at, at, inter));
        OK(MPI_Recv(back, BYTES, MPI_CHAR, at, at, inter, MPI_STATUS_IGNORE));
        CHECK(memcmp(data, back, BYTES) == 0);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm parent, inter;
    MPI_Info info = MPI_INFO_NULL;
    int known = argc - 4, me;
    OK(MPI_Init(&argc, &argv));
    OK(MPI_Comm_get_parent(&parent));
    if (parent != MPI_COMM_NULL)
        return child(parent);
    CHECK(argc >= 4);
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &me));
    if (strcmp(argv[1], "none") != 0) {
        OK(MPI_Info_create(&info));
        OK(MPI_Info_set(info, argv[1], argv[2]));
    }
    for (int round = 0; round < 2; round++) {
        OK(MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, atoi(argv[3]), info, 0, MPI_COMM_WORLD, &inter,
                          MPI_ERRCODES_IGNORE));
        if (me == 0)
            talk(inter, atoi(argv[3]), argv + 4, round == 0 ? known : 0);
        OK(MPI_Comm_disconnect(&inter));
    }
    if (info != MPI_INFO_NULL)
        OK(MPI_Info_free(&info));
    OK(MPI_Finalize());
    return 0;
}
