/* Heat in a plate, computed by all ranks together, drawn as a PNG.
 *
 *     mpirun -n 4 ./heat2d heat.png [STEPS]
 *
 * Five glowing letters lie on a cold plate, each held at a temperature of its own. The plate is cut
 * into one block a rank. In every step a rank sends the edges of its block to its neighbours, while
 * they come in it computes the cells that need none of them, then the rest:
 *
 *     t' = t + D (left + right + above + below - 4 t) - C (t - cold)
 *
 * At the end rank 0 collects the blocks and draws them: colours for temperature, thin lines where
 * it is the same, and a faint line where the ranks' blocks meet. The file names the MPI library. */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1200, HEIGHT = 560, STEPS = 2500, LETTERS = 5, LETTER_ROWS = 9, CELL = 26 };

static const float DIFFUSION = 0.24f, COOLING = 0.0009f, COLD = 0.003f;

/* The letters, five columns each, the highest bit on the left. */
static const unsigned char FONT[LETTERS][LETTER_ROWS] = {
    {0, 0, 14, 17, 17, 17, 14, 0, 0},      /* o */
    {0, 0, 17, 10, 4, 10, 17, 0, 0},       /* x */
    {0, 0, 26, 21, 21, 21, 21, 0, 0},      /* m */
    {0, 0, 30, 17, 17, 30, 16, 16, 16},    /* p */
    {4, 0, 12, 4, 4, 4, 14, 0, 0},         /* i */
};
static const float GLOW[LETTERS] = {0.72f, 1.0f, 0.62f, 0.88f, 1.0f};

/* One rank's block: `now` and `next` hold it with a frame of one cell around it. */
struct block {
    int rank, ranks, columns, rows; /* the grid of ranks */
    int column, row;                /* this rank's place in it */
    int x, y, w, h;                 /* the cells it owns */
    int left, right, up, down;      /* its neighbours, or MPI_PROC_NULL */
    float *now, *next;
    float *fixed; /* the temperature of a cell that is held; negative where free */
    MPI_Datatype side;
    long messages; /* sent by this rank */
};

static size_t at(const struct block *b, int x, int y)
{
    return (size_t)(y + 1) * (size_t)(b->w + 2) + (size_t)(x + 1);
}

/* The temperature at which a letter holds the cell; negative where there is none. */
static float held(int x, int y)
{
    int column = (x - (WIDTH - LETTERS * 6 * CELL + CELL) / 2), row;
    int top = (HEIGHT - 7 * CELL) / 2 - CELL, letter;
    if (column < 0 || y < top)
        return -1;
    letter = column / (6 * CELL);
    column = column / CELL % 6;
    row = (y - top) / CELL;
    if (letter >= LETTERS || column >= 5 || row >= LETTER_ROWS)
        return -1;
    return FONT[letter][row] >> (4 - column) & 1 ? GLOW[letter] : -1;
}

static int part(int whole, int parts, int which)
{
    return (int)((long)whole * which / parts);
}

static void place(struct block *b)
{
    b->rows = (int)sqrt((double)b->ranks);
    while (b->ranks % b->rows)
        b->rows--;
    b->columns = b->ranks / b->rows;
    b->column = b->rank % b->columns;
    b->row = b->rank / b->columns;
    b->x = part(WIDTH, b->columns, b->column);
    b->y = part(HEIGHT, b->rows, b->row);
    b->w = part(WIDTH, b->columns, b->column + 1) - b->x;
    b->h = part(HEIGHT, b->rows, b->row + 1) - b->y;
    b->left = b->column > 0 ? b->rank - 1 : MPI_PROC_NULL;
    b->right = b->column + 1 < b->columns ? b->rank + 1 : MPI_PROC_NULL;
    b->up = b->row > 0 ? b->rank - b->columns : MPI_PROC_NULL;
    b->down = b->row + 1 < b->rows ? b->rank + b->columns : MPI_PROC_NULL;
}

static void fill(struct block *b)
{
    size_t cells = (size_t)(b->w + 2) * (size_t)(b->h + 2);
    b->now = calloc(cells, sizeof(float));
    b->next = calloc(cells, sizeof(float));
    b->fixed = calloc(cells, sizeof(float));
    if (!b->now || !b->next || !b->fixed)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int y = 0; y < b->h; y++)
        for (int x = 0; x < b->w; x++) {
            float t = held(b->x + x, b->y + y);
            b->fixed[at(b, x, y)] = t;
            b->now[at(b, x, y)] = t > 0 ? t : COLD;
        }
    /* A column of the block is every (w + 2)th cell. */
    MPI_Type_vector(b->h, 1, b->w + 2, MPI_FLOAT, &b->side);
    MPI_Type_commit(&b->side);
}

static void compute(struct block *b, int x0, int y0, int x1, int y1)
{
    int line = b->w + 2;
    for (int y = y0; y < y1; y++) {
        const float *t = b->now + at(b, 0, y), *fixed = b->fixed + at(b, 0, y);
        float *next = b->next + at(b, 0, y);
        for (int x = x0; x < x1; x++) {
            float around = t[x - 1] + t[x + 1] + t[x - line] + t[x + line];
            float free_cell = t[x] + DIFFUSION * (around - 4 * t[x]) - COOLING * (t[x] - COLD);
            next[x] = fixed[x] >= 0 ? fixed[x] : free_cell;
        }
    }
}

/* The way that a message goes is its tag. Compiled with -DBUG the program does not end, by a
 * mistake that docs/debugging.md finds. */
enum { RIGHT, LEFT, DOWN, UP };
#ifdef BUG
#define UPWARD DOWN
#else
#define UPWARD UP
#endif

static void step(struct block *b)
{
    MPI_Request r[8];
    MPI_Comm world = MPI_COMM_WORLD;
    float *t = b->now, *swap;
    MPI_Irecv(t + at(b, -1, 0), 1, b->side, b->left, RIGHT, world, &r[0]);
    MPI_Irecv(t + at(b, b->w, 0), 1, b->side, b->right, LEFT, world, &r[1]);
    MPI_Irecv(t + at(b, 0, -1), b->w, MPI_FLOAT, b->up, DOWN, world, &r[2]);
    MPI_Irecv(t + at(b, 0, b->h), b->w, MPI_FLOAT, b->down, UP, world, &r[3]);
    MPI_Isend(t + at(b, b->w - 1, 0), 1, b->side, b->right, RIGHT, world, &r[4]);
    MPI_Isend(t + at(b, 0, 0), 1, b->side, b->left, LEFT, world, &r[5]);
    MPI_Isend(t + at(b, 0, b->h - 1), b->w, MPI_FLOAT, b->down, DOWN, world, &r[6]);
    MPI_Isend(t + at(b, 0, 0), b->w, MPI_FLOAT, b->up, UPWARD, world, &r[7]);
    compute(b, 1, 1, b->w - 1, b->h - 1);
    MPI_Waitall(8, r, MPI_STATUSES_IGNORE);
    b->messages += (b->left >= 0) + (b->right >= 0) + (b->up >= 0) + (b->down >= 0);
    compute(b, 0, 0, b->w, 1);
    compute(b, 0, b->h - 1, b->w, b->h);
    compute(b, 0, 1, 1, b->h - 1);
    compute(b, b->w - 1, 1, b->w, b->h - 1);
    swap = b->now;
    b->now = b->next;
    b->next = swap;
}

/* The whole plate on rank 0: each block lands in its place by a type that describes the place. */
static float *collect(struct block *b)
{
    int whole[] = {HEIGHT, WIDTH}, framed[] = {b->h + 2, b->w + 2}, size[] = {b->h, b->w};
    float *plate = b->rank == 0 ? malloc(sizeof(float) * WIDTH * HEIGHT) : NULL;
    MPI_Datatype inner;
    MPI_Request sent;
    MPI_Type_create_subarray(2, framed, size, (int[]){1, 1}, MPI_ORDER_C, MPI_FLOAT, &inner);
    MPI_Type_commit(&inner);
    MPI_Isend(b->now, 1, inner, 0, 9, MPI_COMM_WORLD, &sent);
    for (int r = 0; plate && r < b->ranks; r++) {
        struct block other = {.rank = r, .ranks = b->ranks};
        MPI_Datatype there;
        place(&other);
        MPI_Type_create_subarray(2, whole, (int[]){other.h, other.w}, (int[]){other.y, other.x},
                                 MPI_ORDER_C, MPI_FLOAT, &there);
        MPI_Type_commit(&there);
        MPI_Recv(plate, 1, there, r, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Type_free(&there);
    }
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    MPI_Type_free(&inner);
    return plate;
}

/* From night over violet and orange to white, through evenly spaced stops. */
static void colour(float t, float rgb[3])
{
    static const float STOPS[][3] = {{6, 8, 20},     {24, 16, 58},   {66, 20, 98},
                                     {116, 30, 108}, {167, 42, 100}, {213, 66, 76},
                                     {243, 106, 48}, {252, 158, 38}, {250, 208, 92},
                                     {255, 248, 222}};
    int last = (int)(sizeof STOPS / sizeof STOPS[0]) - 1;
    float where = sqrtf(t < 0 ? 0 : t > 1 ? 1 : t) * (float)last;
    int i = (int)where < last ? (int)where : last - 1;
    for (int c = 0; c < 3; c++)
        rgb[c] = STOPS[i][c] + (STOPS[i + 1][c] - STOPS[i][c]) * (where - (float)i);
}

/* How far the isotherms and the seams between ranks lighten the pixel. */
static float lightened(const struct block *b, const float *plate, int x, int y)
{
    float t = sqrtf(plate[y * WIDTH + x]) * 14, light = 0;
    if (x + 1 < WIDTH && y + 1 < HEIGHT) {
        float right = sqrtf(plate[y * WIDTH + x + 1]) * 14;
        float below = sqrtf(plate[(y + 1) * WIDTH + x]) * 14;
        if (floorf(t) != floorf(right) || floorf(t) != floorf(below))
            light = 0.10f;
    }
    for (int c = 1; c < b->columns; c++)
        if (x == part(WIDTH, b->columns, c) && y % 8 < 4)
            light = 0.22f;
    for (int r = 1; r < b->rows; r++)
        if (y == part(HEIGHT, b->rows, r) && x % 8 < 4)
            light = 0.22f;
    return light;
}

static uint32_t crc_of(const unsigned char *data, size_t bytes)
{
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < bytes; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

static unsigned char *put32(unsigned char *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(value >> (24 - 8 * i));
    return to + 4;
}

static int write_chunk(FILE *file, const char *kind, const unsigned char *data, size_t bytes)
{
    unsigned char *chunk = malloc(bytes + 12), *end;
    if (!chunk)
        return -1;
    end = put32(chunk, (uint32_t)bytes);
    memcpy(end, kind, 4);
    if (bytes > 0)
        memcpy(end + 4, data, bytes);
    put32(end + 4 + bytes, crc_of(end, bytes + 4));
    bytes = fwrite(chunk, 1, bytes + 12, file) == bytes + 12 ? 0 : 1;
    free(chunk);
    return bytes ? -1 : 0;
}

/* The pixels in the zlib format, stored as they are: blocks of at most 65535 bytes. */
static unsigned char *stored(const unsigned char *pixels, size_t bytes, size_t *length)
{
    unsigned char *all = malloc(bytes + bytes / 65535 * 5 + 16), *to = all;
    uint32_t a = 1, b = 0;
    if (!all)
        return NULL;
    *to++ = 0x78;
    *to++ = 0x01;
    for (size_t from = 0; from < bytes;) {
        size_t n = bytes - from < 65535 ? bytes - from : 65535;
        *to++ = from + n == bytes;
        *to++ = (unsigned char)n;
        *to++ = (unsigned char)(n >> 8);
        *to++ = (unsigned char)~n;
        *to++ = (unsigned char)(~n >> 8);
        memcpy(to, pixels + from, n);
        to += n;
        from += n;
    }
    for (size_t i = 0; i < bytes; i++) {
        a = (a + pixels[i]) % 65521;
        b = (b + a) % 65521;
    }
    *length = (size_t)(put32(to, b << 16 | a) - all);
    return all;
}

static int write_png(const char *path, const unsigned char *pixels, size_t bytes)
{
    static const char KEY[] = "Software";
    unsigned char header[13], *end, *data;
    char about[sizeof KEY + MPI_MAX_LIBRARY_VERSION_STRING];
    size_t length;
    int bad, named;
    FILE *file = fopen(path, "wb");
    data = stored(pixels, bytes, &length);
    if (!file || !data)
        return -1;
    end = put32(put32(header, WIDTH), HEIGHT);
    memcpy(end, "\x08\x02\x00\x00\x00", 5); /* 8 bits, red green blue, not interlaced */
    bad = fwrite("\x89PNG\r\n\x1a\n", 1, 8, file) != 8;
    bad |= write_chunk(file, "IHDR", header, sizeof header);
    memcpy(about, KEY, sizeof KEY); /* with the zero byte that ends a key */
    MPI_Get_library_version(about + sizeof KEY, &named);
    bad |= write_chunk(file, "tEXt", (unsigned char *)about, sizeof KEY + (size_t)named);
    bad |= write_chunk(file, "IDAT", data, length);
    bad |= write_chunk(file, "IEND", NULL, 0);
    free(data);
    return fclose(file) | bad ? -1 : 0;
}

static int draw(const struct block *b, const float *plate, const char *path)
{
    size_t line = 1 + 3 * WIDTH;
    unsigned char *pixels = calloc(HEIGHT, line);
    int bad;
    if (!pixels)
        return -1;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            float rgb[3], light = lightened(b, plate, x, y);
            colour(plate[y * WIDTH + x], rgb);
            for (int c = 0; c < 3; c++)
                pixels[(size_t)y * line + 1 + 3 * (size_t)x + (size_t)c] =
                    (unsigned char)(rgb[c] + (255 - rgb[c]) * light + 0.5f);
        }
    bad = write_png(path, pixels, line * HEIGHT);
    free(pixels);
    return bad;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "heat.png";
    int steps = argc > 2 ? atoi(argv[2]) : STEPS, bad = 0;
    struct block b = {.messages = 0};
    double seconds;
    long messages = 0;
    float *plate;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &b.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &b.ranks);
    place(&b);
    fill(&b);
    MPI_Barrier(MPI_COMM_WORLD);
    seconds = MPI_Wtime();
    for (int i = 0; i < steps; i++)
        step(&b);
    seconds = MPI_Wtime() - seconds;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Reduce(&b.messages, &messages, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    plate = collect(&b);
    if (plate) {
        bad = draw(&b, plate, path);
        if (bad)
            fprintf(stderr, "heat2d: cannot write %s\n", path);
        printf("%d ranks (%d x %d), %d x %d cells, %d steps in %.2f s: %.0f million cells/s, "
               "%.0f messages/s\n",
               b.ranks, b.columns, b.rows, WIDTH, HEIGHT, steps, seconds,
               (double)WIDTH * HEIGHT * steps / seconds / 1e6, (double)messages / seconds);
    }
    MPI_Bcast(&bad, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Type_free(&b.side);
    free(plate);
    free(b.now);
    free(b.next);
    free(b.fixed);
    MPI_Finalize();
    return bad ? 1 : 0;
}
