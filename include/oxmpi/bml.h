/* oxmpi/bml.h: the low layer of oxmpi for C.
 *
 * Active messages, access to the memory of other processes, and progress, over shared memory, TCP
 * and libfabric, without MPI and without a launcher. It is the layer that oxmpi's MPI stands on,
 * for other software to use. docs/bml.md of the project explains it; examples/low_layer.c is a
 * whole program. Compile and link with `pkg-config --cflags --libs oxmpi-bml`.
 *
 * The life of a layer:
 *
 *   1. oxmpi_bml_open opens transports, and the handlers are set (oxmpi_bml_on_message, ...);
 *   2. oxmpi_bml_address gives bytes that other processes need. The program carries them there:
 *      over a socket, a file, a launcher of its own;
 *   3. oxmpi_bml_add_peer introduces each process by those bytes, under a number;
 *   4. oxmpi_bml_send, _get, _put and _atomic start what is to be done;
 *   5. oxmpi_bml_progress moves everything and calls the handlers; oxmpi_bml_wait does the same,
 *      and sleeps while nothing happens. Nothing moves, and no handler is called, at other times;
 *   6. oxmpi_bml_close notifies the peers that this process leaves, and frees everything.
 *
 * Rules:
 *
 * - A call returns OXMPI_BML_OK, _BUSY or _PENDING, or a negative code. oxmpi_bml_error_text has
 *   the whole text of the last failure. oxmpi_bml_progress and _wait return a count instead.
 * - OXMPI_BML_BUSY is no error: nothing was taken, and the same call is to be made again after
 *   some progress.
 * - A HANDLER MAY NOT CALL THE LAYER that called it, neither to send nor for anything else: such a
 *   call returns OXMPI_BML_ERR_HANDLER and does nothing. A handler notes what there is to do, and
 *   the program does it when oxmpi_bml_progress has returned. Only oxmpi_bml_message_size,
 *   oxmpi_bml_message_copy, oxmpi_bml_error_text, oxmpi_bml_code_text and oxmpi_bml_version may be
 *   called from handlers.
 * - A handler returns: no exception and no longjmp may leave it.
 * - A layer is used by one thread at a time; a second one gets OXMPI_BML_ERR_THREAD. Layers are
 *   independent of each other.
 * - Messages of one process to another arrive in the order in which they were sent, each once.
 *   Gets, puts and atomic operations have no order among each other, nor with messages;
 *   oxmpi_bml_flush makes one.
 * - Every operation that returned OXMPI_BML_PENDING completes, with success or with an error.
 * - Pointers may be null only where that is said. A layer is not used after oxmpi_bml_close, and
 *   not in a child of fork().
 */
#ifndef OXMPI_BML_H
#define OXMPI_BML_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. Within one version functions, codes, and members at the end of
 * oxmpi_bml_options are only ever added; the library's file is liboxmpi_bml.so.VERSION. */
#define OXMPI_BML_VERSION 1

/* The version of the interface that the library has. */
int oxmpi_bml_version(void);

/* What calls return, and what handlers receive. */
enum oxmpi_bml_code {
    OXMPI_BML_OK = 0,                /* done */
    OXMPI_BML_BUSY = 1,              /* nothing was taken; try again after some progress */
    OXMPI_BML_PENDING = 2,           /* under way; the handler of completions will be called */
    OXMPI_BML_ERR_ARGUMENT = -1,     /* an argument is wrong */
    OXMPI_BML_ERR_HANDLER = -2,      /* called from inside a handler */
    OXMPI_BML_ERR_THREAD = -3,       /* another thread is inside */
    OXMPI_BML_ERR_TOO_LARGE = -4,    /* more bytes than fit */
    OXMPI_BML_ERR_UNSUPPORTED = -5,  /* the path to the peer has no such operation */
    OXMPI_BML_ERR_UNREACHABLE = -6,  /* nothing reaches the peer, or it was not introduced */
    OXMPI_BML_ERR_PEER_GONE = -7,    /* the peer has ended, or the path to it broke */
    OXMPI_BML_ERR_PROTOCOL = -8,     /* bytes from a peer, or an address or a pack, are damaged */
    OXMPI_BML_ERR_RANGE = -9,        /* a range outside the peer's memory */
    OXMPI_BML_ERR_ALIGNMENT = -10,   /* a word that does not lie at a multiple of its size */
    OXMPI_BML_ERR_REGISTRATION = -11, /* memory could not be registered with a transport */
    OXMPI_BML_ERR_RESOURCE = -12,    /* the system refused a resource, or a transport to open */
    OXMPI_BML_ERR_INTERNAL = -13     /* a fault of the library; only close the layer now */
};

/* What a code says, in English. Never null; valid for ever. */
const char *oxmpi_bml_code_text(int code);

/* One process's layer. */
typedef struct oxmpi_bml oxmpi_bml;

/* A message that has come, lent to a handler until it returns. */
typedef struct oxmpi_bml_message oxmpi_bml_message;

/* Names memory of this process that others can reach; never 0, and never used again. */
typedef uint64_t oxmpi_bml_memory;

/* Names memory of another process as this one reaches it; never 0, and never used again. */
typedef uint64_t oxmpi_bml_remote;

/* How a layer is opened. Set everything to zero, then `size`, then what is wanted:
 *     oxmpi_bml_options options = {.size = sizeof options, .me = 3, .secret = secret};
 */
typedef struct oxmpi_bml_options {
    size_t size;         /* sizeof(oxmpi_bml_options) */
    uint32_t me;         /* this process's number among the peers, below 2^24 */
    uint32_t neighbours; /* processes of the group on this machine, this one included: with more
                          * than there are cores, waiting leaves the core early. 0: not known */
    uint32_t local_rank; /* this process's position among them: devices are shared out by it */
    uint32_t reserved;   /* 0 */
    uint64_t job;        /* a number of the group's, which TCP compares; 0 will do */
    const char *transports;        /* which to open, as in "self,sm,tcp"; null: these three. There
                                    * are self (to oneself), sm, tcp and ofi (libfabric) */
    const unsigned char *secret;   /* 32 random bytes that all processes of the group have and
                                    * nobody else knows; null where tcp is not opened */
    const char *const *parameters; /* "name=value" each, ended by a null pointer; null: none. The
                                    * names are those of btl_sm_, btl_tcp_, btl_ofi_, smsc_ and
                                    * opal_common_ofi_ that `oxmpi_info --all` lists, and they count
                                    * before the environment's OXMPI_MCA_name */
} oxmpi_bml_options;

/* Opens a layer. On failure `*layer` is null, and `why` has the text, cut to `room` bytes with
 * the zero at its end; `why` may be null. */
int oxmpi_bml_open(const oxmpi_bml_options *options, oxmpi_bml **layer, char *why, size_t room);

/* Notifies all peers that this process leaves, and frees everything. What was accepted for peers
 * may be lost: flush before. The layer is gone where this returns OXMPI_BML_OK or
 * OXMPI_BML_ERR_INTERNAL. */
int oxmpi_bml_close(oxmpi_bml *layer);

/* The text of the last call that failed; empty where none has. Valid until the next call on the
 * layer that fails. From inside a handler it is the text of OXMPI_BML_ERR_HANDLER. */
const char *oxmpi_bml_error_text(oxmpi_bml *layer);

/* ---- peers ------------------------------------------------------------------------------- */

/* What others need to reach this process: opaque bytes, some hundred. `*len` becomes their
 * number; they are written to `bytes`, which has `room` bytes, or OXMPI_BML_ERR_TOO_LARGE is
 * returned. With a null `bytes` and no room only their number is written. */
int oxmpi_bml_address(oxmpi_bml *layer, void *bytes, size_t room, size_t *len);

/* Introduces a process, also oneself, by what its oxmpi_bml_address gave, and chooses what
 * carries messages to it and what reaches its memory. Both processes introduce each other, in
 * any order. OXMPI_BML_ERR_UNREACHABLE, with the reason of each transport, where nothing does. */
int oxmpi_bml_add_peer(oxmpi_bml *layer, uint32_t peer, const void *address, size_t len);

/* Forgets a process. Operations with it that are under way complete with errors; what was
 * accepted for it may be lost. It may be introduced again, by another address too. */
int oxmpi_bml_remove_peer(oxmpi_bml *layer, uint32_t peer);

/* One line for people about what carries what to a peer, as in "messages by tcp, memory by tcp
 * (put, atomics by messages)". Lengths as of oxmpi_bml_address, the zero at the end included. */
int oxmpi_bml_describe(oxmpi_bml *layer, uint32_t peer, char *text, size_t room, size_t *len);

/* A peer is gone: `code` and `text` say how. Called once. Operations with it have been or will be
 * completed with errors. */
typedef void oxmpi_bml_lost_handler(void *user, uint32_t peer, int code, const char *text);

/* Sets the handler of peers that are gone; a null function removes it. */
int oxmpi_bml_on_lost(oxmpi_bml *layer, oxmpi_bml_lost_handler *function, void *user);

/* ---- active messages --------------------------------------------------------------------- */

/* A message has come from a process. What is needed of it is copied out before the return. */
typedef void oxmpi_bml_message_handler(void *user, uint32_t from, const oxmpi_bml_message *message);

/* Sets who takes messages of a tag, 0 to 127; a null function: nobody. `user` is handed to the
 * function. Set it before the peers that send are introduced: a message that nobody takes is
 * dropped, and oxmpi_bml_progress returns OXMPI_BML_ERR_PROTOCOL. */
int oxmpi_bml_on_message(oxmpi_bml *layer, uint8_t tag, oxmpi_bml_message_handler *function,
                         void *user);

/* Sends a message of `header` and `payload`, back to back. Both may be reused on return; either
 * may be null with length 0. OXMPI_BML_OK, OXMPI_BML_BUSY, or an error: OXMPI_BML_ERR_TOO_LARGE
 * past oxmpi_bml_message_max. */
int oxmpi_bml_send(oxmpi_bml *layer, uint32_t peer, uint8_t tag, const void *header,
                   size_t header_len, const void *payload, size_t payload_len);

/* The most bytes of a message to a peer, header and payload together. */
int oxmpi_bml_message_max(oxmpi_bml *layer, uint32_t peer, size_t *most);

/* Bytes of a message, header and payload together. From a handler. */
size_t oxmpi_bml_message_size(const oxmpi_bml_message *message);

/* Copies bytes of a message from `offset` on to `into`, at most `room`; returns how many. From a
 * handler. */
size_t oxmpi_bml_message_copy(const oxmpi_bml_message *message, size_t offset, void *into,
                              size_t room);

/* ---- memory ------------------------------------------------------------------------------ */

/* What others may do with memory. */
enum oxmpi_bml_access {
    OXMPI_BML_READ = 1, /* get */
    OXMPI_BML_WRITE = 2 /* put, and with both: atomic operations */
};

/* Lets all peers reach memory of this process. It stays valid until oxmpi_bml_withdraw.
 * Introduce the peers before: which transports reach it, and whether they may use atomic
 * operations of their own, is decided here. */
int oxmpi_bml_expose(oxmpi_bml *layer, void *address, size_t len, int access,
                     oxmpi_bml_memory *memory);

/* What others need to import exposed memory: opaque bytes, some hundred, for the program to carry
 * there, in a message for instance. Lengths as of oxmpi_bml_address. */
int oxmpi_bml_pack(oxmpi_bml *layer, oxmpi_bml_memory memory, void *bytes, size_t room,
                   size_t *len);

/* Ends what oxmpi_bml_expose began: later accesses fail. */
int oxmpi_bml_withdraw(oxmpi_bml *layer, oxmpi_bml_memory memory);

/* Names a peer's memory by what its oxmpi_bml_pack gave. */
int oxmpi_bml_import(oxmpi_bml *layer, uint32_t peer, const void *pack, size_t len,
                     oxmpi_bml_remote *remote);

/* Ends what oxmpi_bml_import began. Operations that are under way go on. */
int oxmpi_bml_forget(oxmpi_bml *layer, oxmpi_bml_remote remote);

/* An operation that returned OXMPI_BML_PENDING is complete: `code` is OXMPI_BML_OK, or an error
 * with its text. `text` is null after success. */
typedef void oxmpi_bml_complete_handler(void *user, uint64_t token, int code, const char *text);

/* Sets the handler of completions; a null function removes it. `token` is what the operation was
 * started with, and means nothing to the layer. */
int oxmpi_bml_on_complete(oxmpi_bml *layer, oxmpi_bml_complete_handler *function, void *user);

/* Reads `len` bytes at `offset` of a peer's memory into `local`, which stays untouched until the
 * operation is complete: now (OXMPI_BML_OK), or when `token` is reported (OXMPI_BML_PENDING). */
int oxmpi_bml_get(oxmpi_bml *layer, oxmpi_bml_remote remote, uint64_t offset, void *local,
                  size_t len, uint64_t token);

/* Writes `len` bytes of `local` at `offset` of a peer's memory. `local` may be reused when the
 * operation is complete; the bytes are there, for their owner and for others to see, after
 * oxmpi_bml_flush. */
int oxmpi_bml_put(oxmpi_bml *layer, oxmpi_bml_remote remote, uint64_t offset, const void *local,
                  size_t len, uint64_t token);

/* What an atomic operation does with the word. Integers wrap; the least and the greatest are of
 * signed ones. */
enum oxmpi_bml_op {
    OXMPI_BML_ADD = 0,
    OXMPI_BML_AND = 1,
    OXMPI_BML_OR = 2,
    OXMPI_BML_XOR = 3,
    OXMPI_BML_MIN = 4,
    OXMPI_BML_MAX = 5,
    OXMPI_BML_SWAP = 6,         /* the operand takes the word's place */
    OXMPI_BML_READ_WORD = 7,    /* the word stays */
    OXMPI_BML_COMPARE_SWAP = 8  /* the operand takes its place if it equals `compare` */
};

/* Changes a word of 4 or 8 bytes at `offset` of a peer's memory in one step, which no other
 * oxmpi_bml_atomic to it comes between. It lies at a multiple of its size, in memory exposed for
 * reading and writing. `result` takes the word as it was, and may be null; it has `word_bytes`
 * bytes and is valid until the operation is complete. Of 4 bytes only the low 32 bits of the
 * values count. The owner's own loads and stores are not atomic to it: let it use
 * oxmpi_bml_atomic, too. */
int oxmpi_bml_atomic(oxmpi_bml *layer, oxmpi_bml_remote remote, uint64_t offset, int op,
                     size_t word_bytes, uint64_t operand, uint64_t compare, void *result,
                     uint64_t token);

/* OXMPI_BML_OK where everything accepted for a peer has left, and puts and atomic operations are
 * visible there; OXMPI_BML_BUSY where that needs more progress. */
int oxmpi_bml_flush(oxmpi_bml *layer, uint32_t peer);

/* ---- progress ---------------------------------------------------------------------------- */

/* Moves everything that can move, and calls the handlers for what has come and what has ended.
 * Returns how much happened, 0 for nothing, or a negative code. */
int oxmpi_bml_progress(oxmpi_bml *layer);

/* The same until something happens, or `limit_ms` milliseconds have passed: awake at first, then
 * asleep. Returns what oxmpi_bml_progress returned last; 0 where the time ran out. */
int oxmpi_bml_wait(oxmpi_bml *layer, uint32_t limit_ms);

#ifdef __cplusplus
}
#endif

#endif
