// np: 1 2
/* Memory that MPI gives: its alignment, where it comes from, and what cannot be freed. */
#include "check.h"
#include <stdint.h>

enum { BLOCKS = 64 };

static int is_aligned(const void *at, uintptr_t bytes)
{
    return (uintptr_t)at % bytes == 0;
}

static MPI_Info hints(const char *alignment, const char *pool)
{
    MPI_Info info;
    OK(MPI_Info_create(&info));
    if (alignment)
        OK(MPI_Info_set(info, "mpi_minimum_memory_alignment", alignment));
    if (pool)
        OK(MPI_Info_set(info, "mpool_hints", pool));
    return info;
}

/* Blocks of many sizes at once: none touches another, each keeps its bytes. */
static void blocks(MPI_Info info, uintptr_t alignment)
{
    unsigned char *block[BLOCKS];
    for (int round = 0; round < 3; round++) {
        for (int at = 0; at < BLOCKS; at++) {
            size_t bytes = (size_t)at * at * 97 + 1;
            OK(MPI_Alloc_mem((MPI_Aint)bytes, info, &block[at]));
            CHECK(is_aligned(block[at], alignment));
            fill(block[at], bytes, round * 100 + at);
        }
        for (int at = BLOCKS - 1; at >= 0; at--) {
            int which = (at * 29 + round) % BLOCKS;
            FILLED(block[which], (size_t)which * which * 97 + 1, round * 100 + which);
            OK(MPI_Free_mem(block[which]));
        }
    }
}

static void pools(void)
{
    static const char *pool[] = {NULL, "mpool=hugepage", "mpool=hugepage,allocator=bucket",
                                 "mpool=hugepage,page_size=4K", "mpool=memkind,of=another MPI"};
    blocks(MPI_INFO_NULL, 16);
    for (size_t at = 0; at < sizeof pool / sizeof *pool; at++) {
        MPI_Info info = hints("256", pool[at]);
        blocks(info, 256);
        OK(MPI_Info_free(&info));
    }
}

static int class_of_alloc(MPI_Aint bytes, const char *alignment)
{
    void *memory;
    MPI_Info info = hints(alignment, NULL);
    int code = MPI_Alloc_mem(bytes, info, &memory);
    OK(MPI_Info_free(&info));
    if (code == MPI_SUCCESS)
        OK(MPI_Free_mem(memory));
    return class_of(code);
}

static void errors(void)
{
    int local;
    char *memory;
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    EQUAL(class_of_alloc(-1, NULL), MPI_ERR_ARG);
    EQUAL(class_of_alloc((MPI_Aint)1 << 62, NULL), MPI_ERR_NO_MEM);
    EQUAL(class_of_alloc(8, "none"), MPI_ERR_INFO_VALUE);
    EQUAL(class_of_alloc(8, "0"), MPI_ERR_INFO_VALUE);
    EQUAL(class_of_alloc(0, "1048576"), MPI_SUCCESS);
    EQUAL(class_of(MPI_Free_mem(&local)), MPI_ERR_BASE);
    OK(MPI_Alloc_mem(1000, MPI_INFO_NULL, &memory));
    EQUAL(class_of(MPI_Free_mem(memory + 8)), MPI_ERR_BASE);
    OK(MPI_Free_mem(memory));
    EQUAL(class_of(MPI_Free_mem(memory)), MPI_ERR_BASE);
    OK(MPI_Free_mem(NULL));
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    pools();
    errors();
    return finish();
}
