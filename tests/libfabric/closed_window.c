/* Streams over libfabric alone, without any MPI, one for each seed: whether each message arrives.
 * Over `sockets` (1.17) one in some streams stalls for ever.
 *
 * That provider looks for the header of a message with MSG_PEEK, and takes nothing from the socket
 * before the whole header is there. Where the receive window closes in the middle of one, the bytes
 * that are there keep all the memory of the packet that brought them; the kernel opens the window
 * only once half of the buffer is free, so the rest of the header never comes. `ss -tnmi` shows
 * some bytes in the receive queue whose memory (skmem r) is most of the buffer (rb), and the sender
 * probing for room. A larger buffer (the second number of net.ipv4.tcp_rmem) avoids it.
 *
 * Both endpoints are of this process and thread, with manual progress. Arguments: the provider, the
 * first seed, and how many. Exits with 3 where a message has not come for PATIENCE_S. */
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MESSAGES = 1500, BYTES_MAX = 16384, SENDS = 128, RECEIVES = 256, PATIENCE_S = 20 };

#define OK(call)                                                                                   \
    do {                                                                                           \
        long answer = (call);                                                                      \
        if (answer < 0) {                                                                          \
            fprintf(stderr, "%s: %s\n", #call, fi_strerror((int)-answer));                         \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

struct side {
    struct fid_fabric *fabric;
    struct fid_domain *domain;
    struct fid_av *av;
    struct fid_cq *cq;
    struct fid_ep *ep;
    char name[64];
    int sent, received;
};

static struct fi_info *find(const char *provider)
{
    struct fi_info *hints = fi_allocinfo(), *info;
    hints->caps = FI_MSG;
    hints->ep_attr->type = FI_EP_RDM;
    hints->domain_attr->control_progress = FI_PROGRESS_MANUAL;
    hints->domain_attr->data_progress = FI_PROGRESS_MANUAL;
    hints->fabric_attr->prov_name = strdup(provider);
    OK(fi_getinfo(FI_VERSION(1, 11), NULL, NULL, 0, hints, &info));
    return info;
}

static void open_side(struct side *side, struct fi_info *info)
{
    struct fi_av_attr table = {.type = FI_AV_TABLE};
    struct fi_cq_attr queue = {.format = FI_CQ_FORMAT_MSG, .size = 4096};
    size_t name_bytes = sizeof side->name;
    memset(side, 0, sizeof *side);
    OK(fi_fabric(info->fabric_attr, &side->fabric, NULL));
    OK(fi_domain(side->fabric, info, &side->domain, NULL));
    OK(fi_av_open(side->domain, &table, &side->av, NULL));
    OK(fi_cq_open(side->domain, &queue, &side->cq, NULL));
    OK(fi_endpoint(side->domain, info, &side->ep, NULL));
    OK(fi_ep_bind(side->ep, &side->av->fid, 0));
    OK(fi_ep_bind(side->ep, &side->cq->fid, FI_TRANSMIT | FI_RECV));
    OK(fi_enable(side->ep));
    OK(fi_getname(&side->ep->fid, side->name, &name_bytes));
}

static void close_side(struct side *side)
{
    OK(fi_close(&side->ep->fid));
    OK(fi_close(&side->cq->fid));
    OK(fi_close(&side->av->fid));
    OK(fi_close(&side->domain->fid));
    OK(fi_close(&side->fabric->fid));
}

static void poll_side(struct side *side)
{
    struct fi_cq_msg_entry found[16];
    ssize_t count = fi_cq_read(side->cq, found, 16);
    if (count == -FI_EAGAIN)
        return;
    OK(count);
    for (ssize_t n = 0; n < count; n++)
        found[n].flags & FI_RECV ? side->received++ : side->sent++;
}

/* Returns a number below `limit`. */
static unsigned below(unsigned long *state, unsigned limit)
{
    *state = *state * 6364136223846793005ul + 1442695040888963407ul;
    return (unsigned)((*state >> 33) % limit);
}

/* Posts `b`'s receives anew as they complete. */
static void post(struct side *b, int *posted)
{
    static char into[RECEIVES][BYTES_MAX];
    static struct fi_context contexts[RECEIVES];
    for (; *posted < b->received + RECEIVES; ++*posted) {
        int n = *posted % RECEIVES;
        OK(fi_recv(b->ep, into[n], BYTES_MAX, NULL, FI_ADDR_UNSPEC, &contexts[n]));
    }
}

/* Sends messages of mixed lengths from `a` to `b`, of which one or the other polls by turns. */
static void stream(struct side *a, struct side *b, fi_addr_t to, unsigned long seed)
{
    static const char from[BYTES_MAX];
    static struct fi_context contexts[SENDS];
    unsigned long state = seed;
    int begun = 0, posted = 0, seen = 0;
    size_t length = 0;
    time_t since = time(NULL);
    while (b->received < MESSAGES) {
        post(b, &posted);
        while (begun < MESSAGES && begun - a->sent < SENDS) {
            if (length == 0)
                length = 1 + below(&state, below(&state, 4) ? 1200 : BYTES_MAX);
            ssize_t answer = fi_send(a->ep, from, length, NULL, to, &contexts[begun % SENDS]);
            if (answer == -FI_EAGAIN)
                break;
            OK(answer);
            begun++, length = 0;
        }
        poll_side(below(&state, 2) ? a : b);
        if (b->received != seen)
            since = time(NULL), seen = b->received;
        if (time(NULL) - since > PATIENCE_S) {
            printf("seed %lu: %d messages were sent, %d came, and none for %d s\n", seed, begun,
                   b->received, PATIENCE_S);
            exit(3);
        }
    }
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    struct fi_info *info = find(argv[1]);
    unsigned long first = strtoul(argv[2], NULL, 10), count = strtoul(argv[3], NULL, 10);
    for (unsigned long seed = first; seed < first + count; seed++) {
        struct side a, b;
        fi_addr_t to;
        open_side(&a, info);
        open_side(&b, info);
        OK(fi_av_insert(a.av, b.name, 1, &to, 0, NULL) - 1);
        stream(&a, &b, to, seed);
        close_side(&a);
        close_side(&b);
    }
    printf("all messages of %lu streams came\n", count);
    return 0;
}
