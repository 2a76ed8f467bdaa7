// np: 1 2 3 5
/* Collective access to files: interleaved data of all ranks from memory with gaps, by every form and
 * with several choices of aggregators, read back through another rank's view. */
#include "check.h"

static const char *name;
/* Exchanges so far: each has data of its own, which a late write of another would spoil. */
static int exchanges;

static int value(long long at)
{
    return (int)(at * 2654435761u ^ 0x5bd1e995) + exchanges;
}

enum form { BLOCKING, STARTED, SPLIT, FORMS };

static void write_all(MPI_File file, enum form form, int *data, MPI_Datatype type, MPI_Status *status)
{
    MPI_Request request;
    switch (form) {
    case BLOCKING:
        OK(MPI_File_write_at_all(file, 0, data, 1, type, status));
        break;
    case STARTED:
        OK(MPI_File_iwrite_all(file, data, 1, type, &request));
        OK(MPI_Wait(&request, status));
        break;
    default:
        OK(MPI_File_write_all_begin(file, data, 1, type));
        OK(MPI_File_write_all_end(file, data, status));
    }
}

static void read_all(MPI_File file, enum form form, int *data, MPI_Datatype type, MPI_Status *status)
{
    MPI_Request request;
    switch (form) {
    case BLOCKING:
        OK(MPI_File_read_at_all(file, 0, data, 1, type, status));
        break;
    case STARTED:
        OK(MPI_File_iread_all(file, data, 1, type, &request));
        OK(MPI_Wait(&request, status));
        break;
    default:
        OK(MPI_File_read_all_begin(file, data, 1, type));
        OK(MPI_File_read_all_end(file, data, status));
    }
}

/* Each rank has every ranks-th block of `block` ints, `blocks` of them. */
static void exchange(MPI_Info info, int block, int blocks, enum form form)
{
    int n = block * blocks, count;
    int *data = malloc(2 * n * sizeof *data);
    MPI_File file;
    MPI_Datatype tile, memory;
    MPI_Status status;
    MPI_Offset at;
    exchanges++;
    OK(MPI_Type_vector(blocks, block, block * ranks, MPI_INT, &tile));
    OK(MPI_Type_commit(&tile));
    OK(MPI_Type_vector(n, 1, 2, MPI_INT, &memory));
    OK(MPI_Type_commit(&memory));
    OK(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file));
    OK(MPI_File_set_size(file, 0));
    for (int reads = 0; reads < 2; reads++) {
        int who = reads ? (rank + 1) % ranks : rank;
        OK(MPI_File_set_view(file, 12 + 4ll * who * block, MPI_INT, tile, "native", info));
        for (int i = 0; i < 2 * n; i++)
            data[i] = -1;
        for (int i = 0; i < n && !reads; i++)
            data[2 * i] = value(((long long)(i / block) * ranks + who) * block + i % block);
        if (reads)
            read_all(file, form, data, memory, &status);
        else
            write_all(file, form, data, memory, &status);
        OK(MPI_Get_elements(&status, memory, &count));
        EQUAL(count, n);
        OK(MPI_File_get_position(file, &at));
        EQUAL(at, form == BLOCKING ? 0 : n);
        for (int i = 0; i < n; i++) {
            EQUAL(data[2 * i], value(((long long)(i / block) * ranks + who) * block + i % block));
            EQUAL(data[2 * i + 1], -1);
        }
    }
    OK(MPI_File_get_size(file, &at));
    EQUAL(at, 12 + 4ll * n * ranks);
    OK(MPI_File_close(&file));
    OK(MPI_Type_free(&tile));
    OK(MPI_Type_free(&memory));
    free(data);
}

/* A wrong argument of one rank is an error there, and the others go on. */
static void one_is_wrong(void)
{
    char byte = 'a';
    MPI_File file;
    MPI_Request request;
    OK(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    int wrong = rank == ranks - 1;
    int code = MPI_File_write_at_all(file, wrong ? -5 : rank, &byte, 1, MPI_BYTE,
                                     MPI_STATUS_IGNORE);
    EQUAL(code != MPI_SUCCESS, wrong);
    code = MPI_File_iwrite_at_all(file, wrong ? -5 : rank, &byte, 1, MPI_BYTE, &request);
    if (code == MPI_SUCCESS)
        code = MPI_Wait(&request, MPI_STATUS_IGNORE);
    EQUAL(code != MPI_SUCCESS, wrong);
    OK(MPI_File_close(&file));
}

/* The hints in force are those of the first rank and of the library. */
static void hints(void)
{
    char text[MPI_MAX_INFO_VAL + 1];
    int found;
    MPI_Info info;
    MPI_File file;
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "cb_buffer_size", "12345"));
    OK(MPI_Info_set(info, "cb_nodes", "none"));
    OK(MPI_Info_set(info, "no_such_hint", "1"));
    OK(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file));
    OK(MPI_Info_free(&info));
    OK(MPI_File_get_info(file, &info));
    OK(MPI_Info_get(info, "cb_buffer_size", MPI_MAX_INFO_VAL, text, &found));
    CHECK(found && strcmp(text, "12345") == 0);
    OK(MPI_Info_get(info, "filename", MPI_MAX_INFO_VAL, text, &found));
    CHECK(found && strcmp(text, name) == 0);
    OK(MPI_Info_get(info, "romio_aggregator_list", MPI_MAX_INFO_VAL, text, &found));
    CHECK(found && text[0] == '0');
    OK(MPI_Info_get(info, "cb_nodes", MPI_MAX_INFO_VAL, text, &found));
    CHECK(!found);
    OK(MPI_Info_get(info, "no_such_hint", MPI_MAX_INFO_VAL, text, &found));
    CHECK(!found);
    OK(MPI_Info_free(&info));
    OK(MPI_File_close(&file));
}

int main(int argc, char **argv)
{
    static const char *const settings[][4] = {
        {"cb_buffer_size", "1000", "cb_nodes", "1"},
        {"cb_buffer_size", "65536", "cb_nodes", "2"},
        {"cb_buffer_size", "4096", "cb_config_list", "*:*"},
        {"romio_ds_write", "enable", "cb_nodes", "3"},
        {"romio_cb_write", "disable", "romio_cb_read", "enable"},
        {"romio_ds_write", "disable", "romio_cb_read", "disable"},
    };
    char path[64] = "";
    start(&argc, &argv);
    unique_name(path, sizeof path, "files-collective");
    name = argc > 1 ? argv[1] : path;
    for (size_t at = 0; at < sizeof settings / sizeof settings[0]; at++) {
        MPI_Info info;
        OK(MPI_Info_create(&info));
        for (int key = 0; key < 4; key += 2)
            OK(MPI_Info_set(info, settings[at][key], settings[at][key + 1]));
        for (enum form form = BLOCKING; form < FORMS; form++) {
            exchange(info, 1, 1500, form);
            exchange(info, 37, 100, form);
            exchange(info, 5000, 3, form);
        }
        OK(MPI_Info_free(&info));
    }
    one_is_wrong();
    hints();
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0)
        OK(MPI_File_delete(name, MPI_INFO_NULL));
    return finish();
}
