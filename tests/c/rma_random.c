// np: 1 2 3 4
/* Random programs of one-sided operations, from seeds, against a sequential reference.
 *
 *     rma_random [first seed] [seeds]
 *
 * A program has phases, each with one way to synchronise: fences, post and start, locks that are
 * exclusive or shared, or one on all with flushes. Every rank draws the operations of all ranks,
 * does its own, and keeps a model of every rank's memory. In the memory of each rank there are
 * parts that one origin has for itself in a phase, where all that it does must come out exactly,
 * and common cells
 * in which all accumulate what commutes. What is fetched from a counter that all move adds up. */
#include "check.h"

#include <stdint.h>

enum { RANKS_MAX = 8, PART = 16, COMMON = 48, CELLS = COMMON + RANKS_MAX * PART };
enum { PHASES = 10, OPERATIONS = 24, GUARD = 8 };

/* The common cells: eight of each kind, then a counter to fetch from and one to swap. */
enum { SUMS = 0, XORS = 8, MAXIMA = 16, REALS = 24, TICKETS = 32, SWAPS = 40 };

enum kind { PUT, GET, REPLACE, ADD, GET_ADD, PART_KINDS };
enum { SUM = PART_KINDS, XOR, MAXIMUM, REAL, TICKET, SWAP, KINDS };

enum way { FENCE, POST, EXCLUSIVE, SHARED, ALL, WAYS };
enum flavor { CREATE, ALLOCATE, DYNAMIC, SHARED_MEMORY, FLAVORS };

struct operation {
    int kind, target, count, gap, request;
    int at[PART];
    int64_t value[PART];
};

/* An operation under way: what it reads or writes here, and what must have come. */
struct pending {
    struct pending *next;
    int target, kind, count, gap;
    int64_t *sent, *got, expected[PART];
    MPI_Request request;
};

static MPI_Win window;
static int64_t *memory, *guarded, model[RANKS_MAX][CELLS];
static MPI_Aint base[RANKS_MAX];
static int unit, phase, flavor, one_node;
static long seed;
static struct pending *under_way;
static int64_t fetched[RANKS_MAX];
/* The kind of the operations on each cell of an origin's part that are not flushed yet, and 1. */
static char used[RANKS_MAX][PART];

static uint64_t state;

static uint64_t draw(uint64_t limit)
{
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (z ^ (z >> 31)) % limit;
}

/* Where an origin's part begins in this phase. */
static int part_of(int origin)
{
    return COMMON + (origin + phase) % ranks * PART;
}

static MPI_Aint displacement(int target, int cell)
{
    return base[target] + (MPI_Aint)cell * 8 / unit;
}

/* Operations on one cell of a part at the same time have an order only if they accumulate. */
static int may_use(int target, int cell, int kind)
{
    char before = used[target][cell];
    char as = kind == GET_ADD ? ADD : (char)kind;
    if (before != 0 && (before != as + 1 || kind == PUT || kind == GET))
        return 0;
    used[target][cell] = (char)(as + 1);
    return 1;
}

static void draw_cells(struct operation *o)
{
    int wanted = 1 + (int)draw(PART), first = (int)draw(PART);
    int step = draw(2) ? 1 : 1 + (int)draw(4);
    o->count = 0;
    for (int i = 0; i < wanted && first + i * step < PART; i++) {
        int cell = first + i * step;
        if (!may_use(o->target, cell, o->kind))
            continue;
        o->at[o->count] = cell;
        o->value[o->count++] = (int64_t)draw(1000000) - 500000;
    }
}

/* Draws an operation; with no cells where none is free. */
static void draw_operation(struct operation *o, int origin, enum way way)
{
    o->kind = (int)draw(way == FENCE || way == POST ? SWAP : KINDS);
    o->target = (int)draw((uint64_t)ranks);
    o->gap = 1 + (int)draw(2);
    o->request = way != FENCE && way != POST && draw(3) == 0;
    if (o->kind < PART_KINDS) {
        draw_cells(o);
        for (int i = 0; i < o->count; i++)
            o->at[i] += part_of(origin);
        return;
    }
    int first = (o->kind - PART_KINDS) * 8;
    o->count = o->kind < TICKET ? 1 + (int)draw(8) : 1;
    for (int i = 0; i < o->count; i++) {
        o->at[i] = first + i;
        o->value[i] = o->kind < TICKET ? (int64_t)draw(1000) : 1;
    }
}

static void add_real(int64_t *cell, int64_t value)
{
    double real;
    memcpy(&real, cell, sizeof real);
    real += (double)value;
    memcpy(cell, &real, sizeof real);
}

/* What an operation does to the model. */
static void apply(const struct operation *o)
{
    for (int i = 0; i < o->count; i++) {
        int64_t *cell = &model[o->target][o->at[i]];
        if (o->kind == PUT || o->kind == REPLACE)
            *cell = o->value[i];
        else if (o->kind == XOR)
            *cell ^= o->value[i];
        else if (o->kind == MAXIMUM)
            *cell = o->value[i] > *cell ? o->value[i] : *cell;
        else if (o->kind == REAL)
            add_real(cell, o->value[i]);
        else if (o->kind != GET)
            *cell += o->value[i];
    }
}

static struct pending *pend(const struct operation *o)
{
    struct pending *p = calloc(1, sizeof *p);
    p->sent = calloc(2 * PART, sizeof(int64_t));
    p->got = calloc(2 * PART, sizeof(int64_t));
    CHECK(p->sent != NULL && p->got != NULL);
    p->target = o->target;
    p->kind = o->kind;
    p->count = o->count;
    p->gap = o->gap;
    p->request = MPI_REQUEST_NULL;
    for (int i = 0; i < o->count; i++) {
        p->sent[i * o->gap] = o->value[i];
        p->got[i * o->gap] = -77;
        p->expected[i] = model[o->target][o->at[i]];
        if (o->kind == REAL) {
            double real = (double)o->value[i];
            memcpy(&p->sent[i * o->gap], &real, sizeof real);
        }
    }
    p->next = under_way;
    under_way = p;
    return p;
}

/* Ends what is under way to a target, or to all where that is -1, and looks at what came. */
static void settle(int target)
{
    for (struct pending **at = &under_way, *p; (p = *at) != NULL;) {
        if (target >= 0 && p->target != target) {
            at = &p->next;
            continue;
        }
        EQUAL(p->request == MPI_REQUEST_NULL, 1);
        for (int i = 0; i < p->count && (p->kind == GET || p->kind == GET_ADD); i++)
            EQUAL(p->got[i * p->gap], p->expected[i]);
        if (p->kind == TICKET)
            fetched[p->target] += p->got[0];
        *at = p->next;
        free(p->sent);
        free(p->got);
        free(p);
    }
}

static void complete_requests(void)
{
    for (struct pending *p = under_way; p != NULL; p = p->next)
        OK(MPI_Wait(&p->request, MPI_STATUS_IGNORE));
}

static void flush_all(void)
{
    complete_requests();
    OK(MPI_Win_flush_all(window));
    settle(-1);
}

/* One more in a cell, by comparing and swapping until nobody came between. */
static void swap(int target)
{
    int64_t old = 0, next, seen = 0;
    MPI_Aint at = displacement(target, SWAPS);
    do {
        old = seen;
        next = old + 1;
        OK(MPI_Compare_and_swap(&next, &old, &seen, MPI_INT64_T, target, at, window));
        OK(MPI_Win_flush(target, window));
    } while (seen != old);
}

static MPI_Datatype spaced(int count, int gap, MPI_Datatype element)
{
    MPI_Datatype type;
    OK(MPI_Type_vector(count, 1, gap, element, &type));
    OK(MPI_Type_commit(&type));
    return type;
}

static void accumulate(struct pending *p, const struct operation *o, MPI_Datatype here,
                       MPI_Aint at, MPI_Datatype there)
{
    static const MPI_Op BY[] = {MPI_OP_NULL, MPI_OP_NULL, MPI_REPLACE, MPI_SUM, MPI_SUM,
                                MPI_SUM,     MPI_BXOR,    MPI_MAX,     MPI_SUM};
    MPI_Op op = BY[o->kind];
    int target = o->target;
    if (o->kind == GET_ADD && o->request)
        OK(MPI_Rget_accumulate(p->sent, 1, here, p->got, 1, here, target, at, 1, there, op, window,
                               &p->request));
    else if (o->kind == GET_ADD || (o->kind == SUM && o->gap == 2))
        OK(MPI_Get_accumulate(p->sent, 1, here, p->got, 1, here, target, at, 1, there, op, window));
    else if (o->request)
        OK(MPI_Raccumulate(p->sent, 1, here, target, at, 1, there, op, window, &p->request));
    else
        OK(MPI_Accumulate(p->sent, 1, here, target, at, 1, there, op, window));
}

/* Starts an operation. */
static void issue(const struct operation *o)
{
    if (o->kind == SWAP) {
        swap(o->target);
        return;
    }
    struct pending *p = pend(o);
    MPI_Aint at = displacement(o->target, 0);
    if (o->kind == TICKET) {
        OK(MPI_Fetch_and_op(p->sent, p->got, MPI_INT64_T, o->target,
                            displacement(o->target, TICKETS), MPI_SUM, window));
        return;
    }
    MPI_Datatype element = o->kind == REAL ? MPI_DOUBLE : MPI_INT64_T, there;
    MPI_Datatype here = spaced(o->count, o->gap, element);
    OK(MPI_Type_create_indexed_block(o->count, 1, o->at, element, &there));
    OK(MPI_Type_commit(&there));
    if (o->kind == PUT && o->request)
        OK(MPI_Rput(p->sent, 1, here, o->target, at, 1, there, window, &p->request));
    else if (o->kind == PUT)
        OK(MPI_Put(p->sent, 1, here, o->target, at, 1, there, window));
    else if (o->kind == GET && o->request)
        OK(MPI_Rget(p->got, 1, here, o->target, at, 1, there, window, &p->request));
    else if (o->kind == GET)
        OK(MPI_Get(p->got, 1, here, o->target, at, 1, there, window));
    else
        accumulate(p, o, here, at, there);
    /* Types are used up by then. */
    OK(MPI_Type_free(&here));
    OK(MPI_Type_free(&there));
}

/* The operations of one origin, which does them where it is this rank. A lock of one target at a
 * time is taken for each operation. */
static void run(int origin, enum way way)
{
    int mine = origin == rank;
    state = (uint64_t)seed * 1000003 + (uint64_t)phase * 1009 + (uint64_t)origin;
    memset(used, 0, sizeof used);
    for (int i = 0; i < OPERATIONS; i++) {
        struct operation o;
        int kind = way == EXCLUSIVE ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED;
        int single = way == EXCLUSIVE || way == SHARED, flushes = draw(4) == 0;
        draw_operation(&o, origin, way);
        if (single || (way == ALL && flushes))
            memset(used, 0, sizeof used);
        if (mine && way == ALL && flushes)
            flush_all();
        if (o.count == 0)
            continue;
        if (mine && single)
            OK(MPI_Win_lock(kind, o.target, 0, window));
        if (mine)
            issue(&o);
        apply(&o);
        if (mine && single) {
            complete_requests();
            OK(MPI_Win_unlock(o.target, window));
            settle(-1);
        }
        if (way == ALL && flushes)
            for (int c = 0; c < o.count && o.kind < PART_KINDS; c++)
                may_use(o.target, o.at[c] - part_of(origin), o.kind);
    }
}

static void open_epoch(enum way way, MPI_Group all)
{
    if (way == FENCE)
        OK(MPI_Win_fence(MPI_MODE_NOPRECEDE, window));
    if (way == POST) {
        OK(MPI_Win_post(all, 0, window));
        OK(MPI_Win_start(all, 0, window));
    }
    if (way == ALL)
        OK(MPI_Win_lock_all(0, window));
}

static void close_epoch(enum way way)
{
    int done = 0;
    if (way == FENCE)
        OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, window));
    if (way == POST) {
        OK(MPI_Win_complete(window));
        while (phase % 2 && !done)
            OK(MPI_Win_test(window, &done));
        if (!done)
            OK(MPI_Win_wait(window));
    }
    if (way == ALL) {
        complete_requests();
        OK(MPI_Win_unlock_all(window));
    }
    settle(-1);
}

/* Compares this rank's memory with the model, and what all fetched with what there was. */
static void compare(const int64_t *counted)
{
    int64_t sums[RANKS_MAX];
    OK(MPI_Allreduce(fetched, sums, ranks, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD));
    for (int r = 0; r < ranks; r++) {
        int64_t before = counted[r], after = model[r][TICKETS];
        EQUAL(sums[r], (before + after - 1) * (after - before) / 2);
        fetched[r] = 0;
    }
    OK(MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, window));
    for (int i = 0; i < COMMON + ranks * PART; i++)
        if (memory[i] != model[rank][i]) {
            fprintf(stderr, "seed %ld, phase %d, flavor %d: cell %d\n", seed, phase, flavor, i);
            EQUAL(memory[i], model[rank][i]);
        }
    OK(MPI_Win_unlock(rank, window));
    for (int i = 0; i < GUARD && (flavor == CREATE || flavor == DYNAMIC); i++) {
        EQUAL(guarded[i], i + 1);
        EQUAL(guarded[GUARD + CELLS + i], i + 2);
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

static void make_window(void)
{
    MPI_Aint bytes = CELLS * 8, address = 0;
    unit = flavor != DYNAMIC && draw(2) ? 8 : 1;
    guarded = calloc(CELLS + 2 * GUARD, 8);
    CHECK(guarded != NULL);
    for (int i = 0; i < GUARD; i++) {
        guarded[i] = i + 1;
        guarded[GUARD + CELLS + i] = i + 2;
    }
    memory = guarded + GUARD;
    if (flavor == CREATE)
        OK(MPI_Win_create(memory, bytes, unit, MPI_INFO_NULL, MPI_COMM_WORLD, &window));
    else if (flavor == ALLOCATE)
        OK(MPI_Win_allocate(bytes, unit, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window));
    else if (flavor == SHARED_MEMORY)
        OK(MPI_Win_allocate_shared(bytes, unit, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window));
    else {
        OK(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window));
        OK(MPI_Win_attach(window, memory, bytes));
        OK(MPI_Get_address(memory, &address));
    }
    OK(MPI_Allgather(&address, 1, MPI_AINT, base, 1, MPI_AINT, MPI_COMM_WORLD));
    OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, window));
    memset(memory, 0, (size_t)bytes);
    OK(MPI_Win_unlock(rank, window));
    memset(model, 0, sizeof model);
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

static void program(void)
{
    MPI_Group all;
    state = (uint64_t)seed;
    flavor = (int)(seed % FLAVORS);
    if (flavor == SHARED_MEMORY && !one_node)
        flavor = ALLOCATE;
    make_window();
    OK(MPI_Win_get_group(window, &all));
    for (phase = 0; phase < PHASES; phase++) {
        int64_t counted[RANKS_MAX];
        state = (uint64_t)seed * 31 + (uint64_t)phase;
        enum way way = (enum way)draw(WAYS);
        for (int r = 0; r < ranks; r++)
            counted[r] = model[r][TICKETS];
        open_epoch(way, all);
        for (int origin = 0; origin < ranks; origin++)
            run(origin, way);
        close_epoch(way);
        OK(MPI_Barrier(MPI_COMM_WORLD));
        compare(counted);
    }
    OK(MPI_Group_free(&all));
    if (flavor == DYNAMIC)
        OK(MPI_Win_detach(window, memory));
    OK(MPI_Win_free(&window));
    free(guarded);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    long first = argc > 1 ? atol(argv[1]) : 1, seeds = argc > 2 ? atol(argv[2]) : 12;
    CHECK(ranks <= RANKS_MAX);
    MPI_Comm node;
    OK(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    OK(MPI_Comm_size(node, &one_node));
    one_node = one_node == ranks;
    OK(MPI_Comm_free(&node));
    for (seed = first; seed < first + seeds; seed++)
        program();
    return finish();
}
