/* Processes that talk over the low layer alone, in C and without MPI: active messages, writes and
 * reads of each other's memory, and a counter that all of them add to. All data is checked.
 *
 *     cc low_layer.c $(pkg-config --cflags --libs oxmpi-bml) -o low_layer
 *     ./low_layer                              # 4 processes over shared memory
 *     ./low_layer -n 2 tcp
 *     ./low_layer ofi "tcp;ofi_rxm"            # libfabric, by this provider
 *
 * The layer needs no launcher. Here the program makes processes by fork(), before any layer is
 * opened, and carries their addresses through a shared mapping; any other way would do. `process` is
 * the program proper, in the order in which one would write one's own.
 */
#include <oxmpi/bml.h>

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    PROCESSES_MAX = 16,
    ADDRESS_MAX = 4096, /* far more than addresses and packs have */
    BLOCK = 100000,     /* bytes that each process writes into its neighbour's memory */
    ADDITIONS = 1000,   /* of each process to the counter */
    PATIENCE_S = 60
};

/* What the messages of this program are for. */
enum tag { HELLO, PACK, BARRIER };

/* What the processes need before they can talk: each one's address, and how many have written it. */
static struct board {
    atomic_int written;
    size_t len[PROCESSES_MAX];
    unsigned char address[PROCESSES_MAX][ADDRESS_MAX];
    unsigned char secret[32];
} *board;

/* Memory that others read and write. */
struct shared {
    uint64_t counter;
    unsigned char block[BLOCK];
};

/* One process. The handlers write here: they may not call the layer. */
static struct {
    uint32_t me, processes;
    oxmpi_bml *layer;
    uint32_t greetings, packs, barriers_come, barriers_called;
    size_t pack_len[PROCESSES_MAX];
    unsigned char pack[PROCESSES_MAX][ADDRESS_MAX];
    uint64_t tokens, ended;
} here;

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "low_layer: process %" PRIu32 ": %s: %s\n", here.me, what, why);
    _exit(1);
}

/* Ends the process where a call has failed. */
static int check(const char *what, int code)
{
    if (code < 0)
        fail(what, oxmpi_bml_error_text(here.layer));
    return code;
}

static void on_message(void *user, uint32_t from, const oxmpi_bml_message *message)
{
    size_t len = oxmpi_bml_message_size(message);
    char text[64], wanted[64];
    switch ((enum tag)(intptr_t)user) {
    case HELLO:
        oxmpi_bml_message_copy(message, 0, text, sizeof text);
        sprintf(wanted, "greeting" "hello from %" PRIu32, from);
        if (len != strlen(wanted) || memcmp(text, wanted, len) != 0)
            fail("a greeting", "it has other bytes than were sent");
        here.greetings++;
        break;
    case PACK:
        here.pack_len[from] = oxmpi_bml_message_copy(message, 0, here.pack[from], ADDRESS_MAX);
        here.packs++;
        break;
    case BARRIER:
        here.barriers_come++;
        break;
    }
}

static void on_complete(void *user, uint64_t token, int code, const char *text)
{
    (void)user;
    if (code != OXMPI_BML_OK)
        fail("an operation", text);
    here.ended = token;
}

static void on_lost(void *user, uint32_t peer, int code, const char *text)
{
    (void)user, (void)peer, (void)code;
    fail("a peer is gone", text);
}

/* Progresses until a number has come to be `wanted`, or more. */
static void until(const uint32_t *number, uint32_t wanted)
{
    time_t end = time(NULL) + PATIENCE_S;
    while (*number < wanted) {
        check("wait", oxmpi_bml_wait(here.layer, 100));
        if (time(NULL) > end)
            fail("wait", "nothing comes");
    }
}

/* Sends a message, again while the way is busy: nothing was taken then. */
static void send_to(uint32_t peer, enum tag tag, const char *header, const void *payload, size_t len)
{
    while (check("send", oxmpi_bml_send(here.layer, peer, tag, header, strlen(header), payload,
                                        len)) == OXMPI_BML_BUSY)
        check("progress", oxmpi_bml_progress(here.layer));
}

/* Waits until all processes have come here. */
static void barrier(void)
{
    for (uint32_t peer = 0; peer < here.processes; peer++)
        send_to(peer, BARRIER, "", NULL, 0);
    here.barriers_called++;
    until(&here.barriers_come, here.barriers_called * here.processes);
}

/* Waits for the end of an operation that has just been started under the last token. */
static void complete(int code)
{
    time_t end = time(NULL) + PATIENCE_S;
    while (code == OXMPI_BML_PENDING && here.ended != here.tokens) {
        check("wait", oxmpi_bml_wait(here.layer, 100));
        if (time(NULL) > end)
            fail("an operation", "it does not end");
    }
}

/* Starts an operation, again while the way is busy, and waits for its end. */
#define COMPLETE(call)                                                  \
    do {                                                                \
        uint64_t token = ++here.tokens;                                 \
        int code;                                                       \
        while ((code = check(#call, call)) == OXMPI_BML_BUSY)           \
            check("progress", oxmpi_bml_progress(here.layer));          \
        complete(code);                                                 \
    } while (0)

/* Waits until everything for a peer is there. */
static void flush(uint32_t peer)
{
    while (check("flush", oxmpi_bml_flush(here.layer, peer)) == OXMPI_BML_BUSY)
        check("progress", oxmpi_bml_progress(here.layer));
}

/* What a process writes into its neighbour's memory. */
static void fill(unsigned char *block, uint32_t of)
{
    uint32_t state = of * 2654435761u + 1;
    for (size_t at = 0; at < BLOCK; at++) {
        state = state * 1664525 + 1013904223;
        block[at] = (unsigned char)(state >> 24);
    }
}

static void expect(const char *what, const unsigned char *block, uint32_t of)
{
    static unsigned char wanted[BLOCK];
    fill(wanted, of);
    if (memcmp(block, wanted, BLOCK) != 0)
        fail(what, "it has other bytes than were written");
}

/* 1 and 2: a layer that knows all the others. */
static void open_layer(const char *transports, const char *provider)
{
    char why[512], parameter[256];
    snprintf(parameter, sizeof parameter, "opal_common_ofi_provider_include=%s",
             provider ? provider : "");
    const char *parameters[] = {provider ? parameter : NULL, NULL};
    oxmpi_bml_options options = {
        .size = sizeof options,
        .me = here.me,
        .neighbours = here.processes,
        .local_rank = here.me,
        .transports = transports,
        .secret = board->secret,
        .parameters = parameters,
    };
    if (oxmpi_bml_open(&options, &here.layer, why, sizeof why) != OXMPI_BML_OK)
        fail("open", why);

    for (intptr_t tag = HELLO; tag <= BARRIER; tag++)
        check("on_message",
              oxmpi_bml_on_message(here.layer, (uint8_t)tag, on_message, (void *)tag));
    check("on_complete", oxmpi_bml_on_complete(here.layer, on_complete, NULL));
    check("on_lost", oxmpi_bml_on_lost(here.layer, on_lost, NULL));

    check("address", oxmpi_bml_address(here.layer, board->address[here.me], ADDRESS_MAX,
                                       &board->len[here.me]));
    atomic_fetch_add(&board->written, 1);
    for (time_t end = time(NULL) + PATIENCE_S; atomic_load(&board->written) < (int)here.processes;) {
        if (time(NULL) > end)
            fail("open", "another process has no address");
        usleep(1000);
    }
    for (uint32_t peer = 0; peer < here.processes; peer++)
        check("add_peer", oxmpi_bml_add_peer(here.layer, peer, board->address[peer],
                                             board->len[peer]));
}

/* 4a: each process writes into its right neighbour's memory, and reads it back. */
static void put_and_get(const oxmpi_bml_remote *remotes, const struct shared *own)
{
    static unsigned char bytes[BLOCK];
    const uint64_t place = offsetof(struct shared, block);
    uint32_t right = (here.me + 1) % here.processes;
    uint32_t left = (here.me + here.processes - 1) % here.processes;
    fill(bytes, here.me);
    COMPLETE(oxmpi_bml_put(here.layer, remotes[right], place, bytes, BLOCK, token));
    /* `bytes` may be used again; they are there after a flush. */
    memset(bytes, 0, BLOCK);
    flush(right);
    barrier();
    expect("what the left neighbour wrote", own->block, left);
    COMPLETE(oxmpi_bml_get(here.layer, remotes[right], place, bytes, BLOCK, token));
    expect("what was read from the right neighbour", bytes, here.me);
}

/* 4b: all add to a counter of process 0, and see it grow. */
static void count(const oxmpi_bml_remote *remotes)
{
    uint64_t last = 0, before = 0, sum = (uint64_t)ADDITIONS * here.processes;
    for (int n = 0; n < ADDITIONS; n++) {
        COMPLETE(oxmpi_bml_atomic(here.layer, remotes[0], offsetof(struct shared, counter),
                                  OXMPI_BML_ADD, sizeof before, 1, 0, &before, token));
        if (n > 0 && before <= last)
            fail("the counter", "it did not grow");
        last = before;
    }
    flush(0);
    barrier();
    COMPLETE(oxmpi_bml_atomic(here.layer, remotes[0], offsetof(struct shared, counter),
                              OXMPI_BML_READ_WORD, sizeof before, 0, 0, &before, token));
    if (before != sum)
        fail("the counter", "additions are missing");
}

/* The program of each process. */
static int process(const char *transports, const char *provider)
{
    open_layer(transports, provider);

    /* 3. Messages: a header and a payload, to everybody. */
    char greeting[64];
    sprintf(greeting, "hello from %" PRIu32, here.me);
    for (uint32_t peer = 0; peer < here.processes; peer++)
        send_to(peer, HELLO, "greeting", greeting, strlen(greeting));
    until(&here.greetings, here.processes);

    /* 4. Memory that the others may read and write, and its name, sent by messages. */
    static struct shared own;
    unsigned char pack[ADDRESS_MAX];
    size_t len;
    oxmpi_bml_memory memory;
    oxmpi_bml_remote remotes[PROCESSES_MAX];
    check("expose", oxmpi_bml_expose(here.layer, &own, sizeof own,
                                     OXMPI_BML_READ | OXMPI_BML_WRITE, &memory));
    check("pack", oxmpi_bml_pack(here.layer, memory, pack, sizeof pack, &len));
    for (uint32_t peer = 0; peer < here.processes; peer++)
        send_to(peer, PACK, "", pack, len);
    until(&here.packs, here.processes);
    for (uint32_t peer = 0; peer < here.processes; peer++)
        check("import", oxmpi_bml_import(here.layer, peer, here.pack[peer], here.pack_len[peer],
                                         &remotes[peer]));
    put_and_get(remotes, &own);
    count(remotes);

    /* 5. Nobody leaves before all are through. */
    char way[128];
    check("describe", oxmpi_bml_describe(here.layer, (here.me + 1) % here.processes, way,
                                         sizeof way, &len));
    check("on_lost", oxmpi_bml_on_lost(here.layer, NULL, NULL));
    barrier();
    for (uint32_t peer = 0; peer < here.processes; peer++) {
        /* A peer that has left already had everything. */
        int code;
        while ((code = oxmpi_bml_flush(here.layer, peer)) == OXMPI_BML_BUSY)
            oxmpi_bml_progress(here.layer);
        if (code != OXMPI_BML_ERR_PEER_GONE)
            check("flush", code);
    }
    check("withdraw", oxmpi_bml_withdraw(here.layer, memory));
    check("close", oxmpi_bml_close(here.layer));
    printf("process %" PRIu32 " of %" PRIu32 ": all data right (%s)\n", here.me, here.processes,
           way);
    return 0;
}

int main(int argc, char **argv)
{
    int at = 1;
    here.processes = 4;
    if (at + 1 < argc && strcmp(argv[at], "-n") == 0) {
        here.processes = (uint32_t)atoi(argv[at + 1]);
        at += 2;
    }
    /* To itself each process talks by a transport of its own. */
    char transports[64];
    snprintf(transports, sizeof transports, "self,%s", at < argc ? argv[at++] : "sm");
    const char *provider = at < argc ? argv[at++] : NULL;
    if (here.processes < 1 || here.processes > PROCESSES_MAX || at < argc) {
        fprintf(stderr, "usage: low_layer [-n PROCESSES] [TRANSPORTS [PROVIDER]]\n");
        return 2;
    }
    board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (board == MAP_FAILED || getrandom(board->secret, sizeof board->secret, 0) != 32) {
        perror("low_layer");
        return 1;
    }
    for (uint32_t n = 0; n < here.processes; n++) {
        pid_t child = fork();
        if (child == 0) {
            here.me = n;
            return process(transports, provider);
        }
        if (child < 0) {
            perror("low_layer: fork");
            return 1;
        }
    }
    int failed = 0, status;
    while (wait(&status) > 0)
        failed |= status != 0;
    return failed;
}
