/* file_plans PATH: accesses of two ranks to a file, of every kind that --explain distinguishes. */
#include <mpi.h>

enum { LONG = 1 << 20, SHORT = 100, BLOCK = 64, BLOCKS = LONG / BLOCK };

static char data[LONG];

static void end(MPI_Request *request)
{
    MPI_Wait(request, MPI_STATUS_IGNORE);
}

static void alone(MPI_File file, MPI_Offset at, int bytes)
{
    MPI_Request request;
    MPI_File_iwrite_at(file, at, data, bytes, MPI_BYTE, &request);
    end(&request);
    MPI_File_iread_at(file, at, data, bytes, MPI_BYTE, &request);
    end(&request);
}

static void together(MPI_File file)
{
    MPI_Request request;
    MPI_File_iwrite_at_all(file, 0, data, LONG, MPI_BYTE, &request);
    end(&request);
    MPI_File_write_at_all(file, 0, data, LONG, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_read_at_all_begin(file, 0, data, LONG, MPI_BYTE);
    MPI_File_read_at_all_end(file, data, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_File file;
    MPI_Datatype blocks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, argv[1],
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    /* Each has a part of the file to itself. A report is made once. */
    MPI_File_set_view(file, (MPI_Offset)rank * LONG, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    for (int i = 0; i < 2; i++) {
        alone(file, 0, SHORT);
        alone(file, 0, LONG);
        together(file);
    }
    /* Blocks in turn. */
    MPI_Type_vector(BLOCKS, BLOCK, 2 * BLOCK, MPI_BYTE, &blocks);
    MPI_Type_commit(&blocks);
    MPI_File_set_view(file, (MPI_Offset)rank * BLOCK, MPI_BYTE, blocks, "native", MPI_INFO_NULL);
    alone(file, 0, LONG);
    together(file);
    MPI_Type_free(&blocks);
    MPI_File_set_view(file, 0, MPI_SHORT, MPI_SHORT, "external32", MPI_INFO_NULL);
    MPI_Request request;
    MPI_File_iwrite_at(file, 0, data, LONG / 2, MPI_SHORT, &request);
    end(&request);
    MPI_File_iwrite_at_all(file, 0, data, LONG / 2, MPI_SHORT, &request);
    end(&request);
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    MPI_File_set_atomicity(file, 1);
    alone(file, 0, LONG);
    together(file);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
