// np: 1 3 4
/* Groups: their algebra, ranges, translation. */
#include "check.h"

static MPI_Group all;

static void members(MPI_Group group, int size, const int *expected)
{
    int n = -1, own[16], theirs[16];
    OK(MPI_Group_size(group, &n));
    EQUAL(n, size);
    for (int i = 0; i < n; i++)
        own[i] = i;
    OK(MPI_Group_translate_ranks(group, n, own, all, theirs));
    for (int i = 0; i < n; i++)
        EQUAL(theirs[i], expected[i]);
}

static void algebra(void)
{
    int even[16], odd[16], evens = 0, odds = 0, both[16], result, mine, flag;
    MPI_Group e, o, g, first;
    for (int r = 0; r < ranks; r++)
        *(r % 2 ? &odd[odds++] : &even[evens++]) = r;
    OK(MPI_Group_incl(all, evens, even, &e));
    OK(MPI_Group_excl(all, evens, even, &o));
    members(e, evens, even);
    members(o, odds, odd);
    OK(MPI_Group_rank(e, &mine));
    EQUAL(mine, rank % 2 ? MPI_UNDEFINED : rank / 2);
    memcpy(both, even, sizeof both);
    memcpy(both + evens, odd, sizeof(int) * (size_t)odds);
    OK(MPI_Group_union(e, o, &g));
    members(g, ranks, both);
    OK(MPI_Group_compare(g, all, &result));
    CHECK(result == (ranks > 2 ? MPI_SIMILAR : MPI_IDENT));
    OK(MPI_Group_free(&g));
    OK(MPI_Group_intersection(e, o, &g));
    CHECK(g == MPI_GROUP_EMPTY);
    OK(MPI_Group_difference(all, o, &g));
    members(g, evens, even);
    OK(MPI_Group_compare(g, e, &result));
    EQUAL(result, MPI_IDENT);
    OK(MPI_Group_compare(g, all, &result));
    flag = ranks == 1 ? MPI_IDENT : MPI_UNEQUAL;
    EQUAL(result, flag);
    OK(MPI_Group_incl(all, 1, (int[]){0}, &first));
    OK(MPI_Group_translate_ranks(all, ranks, both, first, both));
    EQUAL(both[0], 0);
    for (int i = 1; i < ranks; i++)
        EQUAL(both[i], MPI_UNDEFINED);
    OK(MPI_Group_free(&first));
    OK(MPI_Group_free(&g));
    OK(MPI_Group_free(&e));
    if (o != MPI_GROUP_EMPTY)
        OK(MPI_Group_free(&o));
}

static void ranges(void)
{
    int backwards[1][3] = {{ranks - 1, 0, -1}}, expected[16], steps[1][3] = {{0, ranks - 1, 2}};
    MPI_Group g;
    int n = 0;
    for (int r = 0; r < ranks; r++)
        expected[r] = ranks - 1 - r;
    OK(MPI_Group_range_incl(all, 1, backwards, &g));
    members(g, ranks, expected);
    OK(MPI_Group_free(&g));
    for (int r = 1; r < ranks; r += 2)
        expected[n++] = r;
    OK(MPI_Group_range_excl(all, 1, steps, &g));
    members(g, n, expected);
    if (g != MPI_GROUP_EMPTY)
        OK(MPI_Group_free(&g));
}

int main(int argc, char **argv)
{
    int n, mine;
    start(&argc, &argv);
    OK(MPI_Comm_group(MPI_COMM_WORLD, &all));
    OK(MPI_Group_size(all, &n));
    EQUAL(n, ranks);
    OK(MPI_Group_rank(all, &mine));
    EQUAL(mine, rank);
    algebra();
    ranges();
    OK(MPI_Group_free(&all));
    CHECK(all == MPI_GROUP_NULL);
    return finish();
}
