/* An access to rank 1's window with the flush behind it, and the same by libfabric alone, from rank 0:
 * by the same two processes, over the same provider, in batches by turns.
 *
 *     fabric put|get|fadd PROVIDER
 *
 * Prints microseconds for an access, of the window as results and of libfabric as
 *
 *     beside NAME BYTES VALUE APART
 *
 * Rank 1 does nothing but wait: in MPI_Barrier, or in its loop over the completion queue. */
#include "bench.h"

#include <rdma/fabric.h>
#include <rdma/fi_atomic.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>

enum { TARGET = 1, PLACE = 65536, NAME_MAX_BYTES = 512, BURST = 64 };

static const size_t SIZES[] = {8, 1024, 65536};

/* What libfabric is used with. */
static struct fid_ep *endpoint;
static struct fid_cq *queue;
static struct fid_mr *registration;
static unsigned char *own;
static fi_addr_t other;
static uint64_t other_key, other_base;
/* The batch whose end rank 0 has reported; in memory of both, beside the words of bench.h. */
static atomic_int *batches_over;

static MPI_Win window;
static unsigned char *memory;

static void worked(const char *call, long answer)
{
    if (answer >= 0)
        return;
    fprintf(stderr, "fabric: %s: %s\n", call, fi_strerror((int)-answer));
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* What the provider offers for accesses to memory; atomic operations too, where it has them. */
static struct fi_info *offer(const char *provider)
{
    struct fi_info *hints = fi_allocinfo(), *info = NULL;
    int answer;
    hints->caps = FI_MSG | FI_SOURCE | FI_RMA | FI_ATOMIC;
    hints->ep_attr->type = FI_EP_RDM;
    hints->domain_attr->mr_mode = FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY;
    hints->domain_attr->threading = FI_THREAD_SAFE;
    hints->tx_attr->op_flags = FI_DELIVERY_COMPLETE;
    hints->fabric_attr->prov_name = strdup(provider);
    /* Its own thread and a loop that looks would keep the cores from each other. */
    if (strcmp(provider, "sockets") == 0)
        hints->domain_attr->data_progress = FI_PROGRESS_MANUAL;
    answer = fi_getinfo(FI_VERSION(1, 17), NULL, NULL, 0, hints, &info);
    if (answer == -FI_ENODATA) {
        hints->caps &= ~FI_ATOMIC;
        answer = fi_getinfo(FI_VERSION(1, 17), NULL, NULL, 0, hints, &info);
    }
    worked("fi_getinfo", answer);
    fi_freeinfo(hints);
    return info;
}

static void open_endpoint(struct fi_info *info, struct fid_domain *domain, struct fid_av **addresses)
{
    struct fi_av_attr av_attr = {.type = FI_AV_TABLE, .count = 2};
    struct fi_cq_attr cq_attr = {.format = FI_CQ_FORMAT_TAGGED, .wait_obj = FI_WAIT_NONE};
    worked("fi_av_open", fi_av_open(domain, &av_attr, addresses, NULL));
    worked("fi_cq_open", fi_cq_open(domain, &cq_attr, &queue, NULL));
    worked("fi_endpoint", fi_endpoint(domain, info, &endpoint, NULL));
    worked("fi_ep_bind", fi_ep_bind(endpoint, &(*addresses)->fid, 0));
    worked("fi_ep_bind", fi_ep_bind(endpoint, &queue->fid, FI_SEND | FI_RECV));
    worked("fi_enable", fi_enable(endpoint));
}

/* Opens libfabric's side, and meets the other rank. */
static void meet(const char *provider)
{
    struct introduction {
        char name[NAME_MAX_BYTES];
        uint64_t key, base;
    } known[2];
    struct fi_info *info = offer(provider);
    struct fid_fabric *fabric;
    struct fid_domain *domain;
    struct fid_av *addresses;
    size_t length = NAME_MAX_BYTES;
    uint64_t access = FI_READ | FI_WRITE | FI_REMOTE_READ | FI_REMOTE_WRITE;
    worked("fi_fabric", fi_fabric(info->fabric_attr, &fabric, NULL));
    worked("fi_domain", fi_domain(fabric, info, &domain, NULL));
    open_endpoint(info, domain, &addresses);
    own = bench_memory(2 * PLACE);
    worked("fi_mr_reg",
           fi_mr_reg(domain, own, 2 * PLACE, access, 0, 1, 0, &registration, NULL));
    memset(known, 0, sizeof known);
    worked("fi_getname", fi_getname(&endpoint->fid, known[bench_rank].name, &length));
    known[bench_rank].key = fi_mr_key(registration);
    if (info->domain_attr->mr_mode & FI_MR_VIRT_ADDR)
        known[bench_rank].base = (uint64_t)(uintptr_t)own;
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_BYTE, known, sizeof known[0], MPI_BYTE, MPI_COMM_WORLD);
    if (fi_av_insert(addresses, known[1 - bench_rank].name, 1, &other, 0, NULL) != 1)
        worked("fi_av_insert", -FI_EINVAL);
    other_key = known[1 - bench_rank].key;
    other_base = known[1 - bench_rank].base + PLACE;
}

/* Looks for completions once. */
static int look(void)
{
    static struct fi_cq_tagged_entry entries[BURST];
    ssize_t count = fi_cq_read(queue, entries, BURST);
    if (count == -FI_EAGAIN)
        return 0;
    worked("fi_cq_read", count);
    return (int)count;
}

static ssize_t begin_plain(int puts, size_t bytes, struct fi_context2 *context)
{
    void *descriptor = fi_mr_desc(registration);
    struct iovec local = {own, bytes};
    struct fi_rma_iov remote = {other_base, bytes, other_key};
    struct fi_msg_rma message = {&local, &descriptor, 1, other, &remote, 1, context, 0};
    return puts ? fi_writemsg(endpoint, &message, FI_DELIVERY_COMPLETE | FI_COMPLETION)
                : fi_readmsg(endpoint, &message, FI_COMPLETION);
}

static ssize_t begin_fadd(struct fi_context2 *context)
{
    void *descriptor = fi_mr_desc(registration);
    struct fi_ioc operand = {own, 1}, result = {own + 64, 1};
    struct fi_rma_ioc remote = {other_base, 1, other_key};
    struct fi_msg_atomic message = {&operand, &descriptor, 1,       other,   &remote,
                                    1,        FI_UINT64,   FI_SUM,  context, 0};
    return fi_fetch_atomicmsg(endpoint, &message, &result, &descriptor, 1,
                              FI_DELIVERY_COMPLETE | FI_COMPLETION);
}

/* One access by libfabric, to its end. */
static void by_libfabric(char what, size_t bytes)
{
    struct fi_context2 context;
    ssize_t answer;
    do {
        answer = what == 'f' ? begin_fadd(&context) : begin_plain(what == 'p', bytes, &context);
    } while (answer == -FI_EAGAIN && look() >= 0);
    worked("an access", answer);
    while (look() == 0)
        ;
}

/* One access by MPI, to its end. */
static void by_window(char what, size_t bytes)
{
    int count = (int)bytes;
    if (what == 'p')
        MPI_Put(bench_out, count, MPI_BYTE, TARGET, 0, count, MPI_BYTE, window);
    else if (what == 'g')
        MPI_Get(bench_in, count, MPI_BYTE, TARGET, 0, count, MPI_BYTE, window);
    else
        MPI_Fetch_and_op(bench_out, bench_in, MPI_INT64_T, TARGET, 0, MPI_SUM, window);
    MPI_Win_flush(TARGET, window);
}

/* Seconds an access takes in a batch. Rank 1 serves libfabric until rank 0 says that it is over, and
 * MPI in the barrier that follows. */
static double batch(int raw, char what, size_t bytes, long rounds)
{
    static int batches;
    double start = bench_now(), spent;
    batches += raw;
    if (bench_rank == TARGET) {
        while (raw && atomic_load_explicit(batches_over, memory_order_acquire) != batches)
            look();
        return 0;
    }
    for (long i = 0; i < rounds; i++)
        (raw ? by_libfabric : by_window)(what, bytes);
    spent = bench_now() - start;
    if (raw)
        atomic_store_explicit(batches_over, batches, memory_order_release);
    return spent / (double)rounds;
}

/* Accesses that fill a batch. The first ones, which connect, measure nothing. */
static long enough(char what, size_t bytes)
{
    long rounds = 4;
    double spent = 0;
    for (int raw = 0; raw < 2; raw++) {
        MPI_Barrier(MPI_COMM_WORLD);
        batch(raw, what, bytes, rounds);
    }
    while (rounds < ROUNDS_MAX && spent < BATCH_SECONDS / 2) {
        MPI_Barrier(MPI_COMM_WORLD);
        rounds *= 2;
        spent = batch(1, what, bytes, rounds) * (double)rounds;
        MPI_Bcast(&spent, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    return rounds;
}

/* Both ways by turns, each turn between two looks at how far apart the cores are. */
static void measure(char what, size_t bytes)
{
    double apart[BATCHES + 1], seconds[2][BATCHES];
    long rounds = enough(what, bytes);
    for (int b = 0; b <= BATCHES; b++) {
        MPI_Barrier(MPI_COMM_WORLD);
        apart[b] = bench_apart();
        for (int raw = 0; raw < 2 && b < BATCHES; raw++) {
            MPI_Barrier(MPI_COMM_WORLD);
            seconds[raw][b] = batch(raw, what, bytes, rounds);
        }
    }
    for (int b = 0; b < BATCHES; b++)
        apart[b] = apart[b] > apart[b + 1] ? apart[b] : apart[b + 1];
    for (int raw = 0; raw < 2 && bench_rank != TARGET; raw++) {
        double usual = bench_usual(seconds[raw], apart);
        printf("%s latency %zu %.6g %.4g\n", raw ? "beside" : "result", bytes, usual * 1e6,
               bench_apart_ns);
    }
    fflush(stdout);
}

/* A way that measures well and moves nothing would be found out here. */
static void check(void)
{
    own[0] = bench_out[0] = 0xa5;
    for (int raw = 0; raw < 2; raw++) {
        batch(raw, 'p', 1, 1);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Win_sync(window);
    if (bench_rank == TARGET && (memory[0] != 0xa5 || own[PLACE] != 0xa5)) {
        fprintf(stderr, "fabric: what was put is not there\n");
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
}

int main(int argc, char **argv)
{
    MPI_Info info;
    bench_start(&argc, &argv, PLACE, PLACE);
    if (argc < 3 || strspn(argv[1], "pgf") == 0 || bench_words == NULL) {
        fprintf(stderr, "fabric: two ranks, and: put|get|fadd PROVIDER\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    batches_over = bench_words + 2 * APART_LINE;
    meet(argv[2]);
    memory = bench_memory(PLACE);
    MPI_Info_create(&info);
    MPI_Info_set(info, "acc_single_intrinsic", "true");
    MPI_Win_create(memory, PLACE, 1, info, MPI_COMM_WORLD, &window);
    MPI_Info_free(&info);
    MPI_Win_lock_all(0, window);
    for (size_t s = 0; s < (argv[1][0] == 'f' ? 1 : sizeof SIZES / sizeof SIZES[0]); s++)
        measure(argv[1][0], SIZES[s]);
    check();
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
