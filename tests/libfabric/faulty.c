/* A libfabric in which one call fails: it stands before the real one and passes everything on, but
 * the Nth call since `faulty_deny(N)` answers an error instead. What opens, binds, enables, registers,
 * inserts, posts and reads is counted; what closes never fails, nor does the call FAULTY_SPARED.
 * FAULTY_LIBRARY names the real one.
 *
 * cc -shared -fPIC faulty.c -Wl,--version-script=faulty.map */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_tagged.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int left;
static const char *failed;

/* Has the nth call from now on fail; 0 lets all through. */
void faulty_deny(int nth)
{
    __atomic_store_n(&left, nth, __ATOMIC_SEQ_CST);
    failed = NULL;
}

/* The call that has failed since; null where none has. */
const char *faulty_failed(void)
{
    return failed;
}

static int is_denied(const char *name)
{
    const char *spared = getenv("FAULTY_SPARED");
    if (__atomic_load_n(&left, __ATOMIC_SEQ_CST) <= 0 || (spared && strcmp(name, spared) == 0))
        return 0;
    if (__atomic_sub_fetch(&left, 1, __ATOMIC_SEQ_CST) != 0)
        return 0;
    failed = name;
    if (getenv("FAULTS_PRINT"))
        fprintf(stderr, "faulty: %s\n", name);
    return 1;
}

static void die(const char *why)
{
    fprintf(stderr, "faulty: %s\n", why);
    abort();
}

static void *real(const char *name, const char *edition)
{
    static void *library;
    const char *path = getenv("FAULTY_LIBRARY");
    if (!library)
        library = dlopen(path ? path : "libfabric.so.1", RTLD_NOW | RTLD_LOCAL);
    void *found = library ? dlvsym(library, name, edition) : NULL;
    if (!found)
        die(name);
    return found;
}

/* Tables are the provider's own, the same for many objects. Each is copied once, with a pointer to the
 * original before the copy. */
struct seat {
    const void *real;
    char own[512];
};

static void *seat_of(const void *table, size_t bytes, int *is_new)
{
    static struct seat seats[64];
    int at = 0;
    while (at < 64 && seats[at].real && seats[at].real != table && (void *)seats[at].own != table)
        at++;
    if (at == 64 || bytes > sizeof seats[at].own)
        die("a table that does not fit");
    *is_new = !seats[at].real;
    if (*is_new) {
        seats[at].real = table;
        memcpy(seats[at].own, table, bytes);
    }
    return seats[at].own;
}

static const void *behind(const void *own)
{
    return ((const struct seat *)((const char *)own - offsetof(struct seat, own)))->real;
}

/* A wrapper of one call of a table: its type, the table's, the member, the object's field that leads to
 * the table, the parameters and the arguments. */
#define WRAP(result, type, member, table, name, parameters, arguments)                             \
    static result wrapped_##name parameters                                                        \
    {                                                                                              \
        if (is_denied(#name))                                                                      \
            return -FI_ENOMEM;                                                                     \
        return ((const struct type *)behind(table))->member arguments;                             \
    }

/* Puts the wrappers into an object's table. */
#define SEAT(type, table, ...)                                                                     \
    do {                                                                                           \
        int is_new;                                                                                \
        struct type *own = (table) ? seat_of(table, (table)->size, &is_new) : NULL;                \
        if (own) {                                                                                 \
            if (is_new) {                                                                          \
                __VA_ARGS__;                                                                       \
            }                                                                                      \
            (table) = own;                                                                         \
        }                                                                                          \
    } while (0)

WRAP(int, fi_ops, bind, fid->ops, fi_bind, (struct fid * fid, struct fid *to, uint64_t flags),
     (fid, to, flags))
WRAP(int, fi_ops, control, fid->ops, fi_control, (struct fid * fid, int command, void *argument),
     (fid, command, argument))
WRAP(int, fi_ops_cm, getname, ((struct fid_ep *)fid)->cm, fi_getname,
     (fid_t fid, void *address, size_t *bytes), (fid, address, bytes))
WRAP(ssize_t, fi_ops_msg, recv, ep->msg, fi_recv,
     (struct fid_ep * ep, void *at, size_t bytes, void *mr, fi_addr_t from, void *context),
     (ep, at, bytes, mr, from, context))
WRAP(ssize_t, fi_ops_msg, recvmsg, ep->msg, fi_recvmsg,
     (struct fid_ep * ep, const struct fi_msg *msg, uint64_t flags), (ep, msg, flags))
WRAP(ssize_t, fi_ops_msg, sendmsg, ep->msg, fi_sendmsg,
     (struct fid_ep * ep, const struct fi_msg *msg, uint64_t flags), (ep, msg, flags))
WRAP(ssize_t, fi_ops_tagged, recvmsg, ep->tagged, fi_trecvmsg,
     (struct fid_ep * ep, const struct fi_msg_tagged *msg, uint64_t flags), (ep, msg, flags))
WRAP(ssize_t, fi_ops_tagged, sendmsg, ep->tagged, fi_tsendmsg,
     (struct fid_ep * ep, const struct fi_msg_tagged *msg, uint64_t flags), (ep, msg, flags))
WRAP(ssize_t, fi_ops_tagged, recv, ep->tagged, fi_trecv,
     (struct fid_ep * ep, void *at, size_t bytes, void *mr, fi_addr_t from, uint64_t tag,
      uint64_t ignored, void *context),
     (ep, at, bytes, mr, from, tag, ignored, context))
WRAP(ssize_t, fi_ops_tagged, senddata, ep->tagged, fi_tsenddata,
     (struct fid_ep * ep, const void *at, size_t bytes, void *mr, uint64_t data, fi_addr_t to,
      uint64_t tag, void *context),
     (ep, at, bytes, mr, data, to, tag, context))
WRAP(ssize_t, fi_ops_tagged, inject, ep->tagged, fi_tinject,
     (struct fid_ep * ep, const void *at, size_t bytes, fi_addr_t to, uint64_t tag),
     (ep, at, bytes, to, tag))
WRAP(ssize_t, fi_ops_tagged, injectdata, ep->tagged, fi_tinjectdata,
     (struct fid_ep * ep, const void *at, size_t bytes, uint64_t data, fi_addr_t to, uint64_t tag),
     (ep, at, bytes, data, to, tag))
WRAP(int, fi_ops_av, insert, av->ops, fi_av_insert,
     (struct fid_av * av, const void *address, size_t count, fi_addr_t *inserted, uint64_t flags,
      void *context),
     (av, address, count, inserted, flags, context))
WRAP(ssize_t, fi_ops_cq, read, cq->ops, fi_cq_read, (struct fid_cq * cq, void *at, size_t count),
     (cq, at, count))
WRAP(ssize_t, fi_ops_cq, readfrom, cq->ops, fi_cq_readfrom,
     (struct fid_cq * cq, void *at, size_t count, fi_addr_t *from), (cq, at, count, from))
WRAP(int, fi_ops_mr, reg, ((struct fid_domain *)fid)->mr, fi_mr_reg,
     (struct fid * fid, const void *at, size_t bytes, uint64_t access, uint64_t offset, uint64_t key,
      uint64_t flags, struct fid_mr **mr, void *context),
     (fid, at, bytes, access, offset, key, flags, mr, context))

static void seat_object(struct fid *fid)
{
    SEAT(fi_ops, fid->ops, own->bind = wrapped_fi_bind; own->control = wrapped_fi_control);
}

static int open_av(struct fid_domain *domain, struct fi_av_attr *attr, struct fid_av **av, void *context)
{
    const struct fi_ops_domain *ops = behind(domain->ops);
    int answer = is_denied("fi_av_open") ? -FI_ENOMEM : ops->av_open(domain, attr, av, context);
    if (answer == 0)
        SEAT(fi_ops_av, (*av)->ops, own->insert = wrapped_fi_av_insert);
    return answer;
}

static int open_cq(struct fid_domain *domain, struct fi_cq_attr *attr, struct fid_cq **cq, void *context)
{
    const struct fi_ops_domain *ops = behind(domain->ops);
    int answer = is_denied("fi_cq_open") ? -FI_ENOMEM : ops->cq_open(domain, attr, cq, context);
    if (answer == 0) {
        seat_object(&(*cq)->fid);
        SEAT(fi_ops_cq, (*cq)->ops, own->read = wrapped_fi_cq_read;
             own->readfrom = wrapped_fi_cq_readfrom);
    }
    return answer;
}

static int open_endpoint(struct fid_domain *domain, struct fi_info *info, struct fid_ep **ep,
                         void *context)
{
    const struct fi_ops_domain *ops = behind(domain->ops);
    int answer = is_denied("fi_endpoint") ? -FI_ENOMEM : ops->endpoint(domain, info, ep, context);
    if (answer == 0) {
        seat_object(&(*ep)->fid);
        SEAT(fi_ops_cm, (*ep)->cm, own->getname = wrapped_fi_getname);
        SEAT(fi_ops_msg, (*ep)->msg, own->recv = wrapped_fi_recv; own->recvmsg = wrapped_fi_recvmsg;
             own->sendmsg = wrapped_fi_sendmsg);
        SEAT(fi_ops_tagged, (*ep)->tagged, own->recv = wrapped_fi_trecv;
             own->recvmsg = wrapped_fi_trecvmsg; own->sendmsg = wrapped_fi_tsendmsg;
             own->senddata = wrapped_fi_tsenddata; own->inject = wrapped_fi_tinject;
             own->injectdata = wrapped_fi_tinjectdata);
    }
    return answer;
}

static int open_domain(struct fid_fabric *fabric, struct fi_info *info, struct fid_domain **domain,
                       void *context)
{
    const struct fi_ops_fabric *ops = behind(fabric->ops);
    int answer = is_denied("fi_domain") ? -FI_ENOMEM : ops->domain(fabric, info, domain, context);
    if (answer == 0) {
        SEAT(fi_ops_domain, (*domain)->ops, own->av_open = open_av; own->cq_open = open_cq;
             own->endpoint = open_endpoint);
        SEAT(fi_ops_mr, (*domain)->mr, own->reg = wrapped_fi_mr_reg);
    }
    return answer;
}

uint32_t fi_version(void)
{
    uint32_t (*call)(void) = real("fi_version", "FABRIC_1.0");
    return call();
}

const char *fi_strerror(int code)
{
    const char *(*call)(int) = real("fi_strerror", "FABRIC_1.0");
    return call(code);
}

void fi_freeinfo(struct fi_info *info)
{
    void (*call)(struct fi_info *) = real("fi_freeinfo", "FABRIC_1.3");
    call(info);
}

struct fi_info *fi_dupinfo(const struct fi_info *info)
{
    struct fi_info *(*call)(const struct fi_info *) = real("fi_dupinfo", "FABRIC_1.3");
    return is_denied("fi_dupinfo") ? NULL : call(info);
}

int fi_getinfo(uint32_t version, const char *node, const char *service, uint64_t flags,
               const struct fi_info *hints, struct fi_info **info)
{
    int (*call)(uint32_t, const char *, const char *, uint64_t, const struct fi_info *,
                struct fi_info **) = real("fi_getinfo", "FABRIC_1.3");
    return is_denied("fi_getinfo") ? -FI_ENOMEM : call(version, node, service, flags, hints, info);
}

int fi_fabric(struct fi_fabric_attr *attr, struct fid_fabric **fabric, void *context)
{
    int (*call)(struct fi_fabric_attr *, struct fid_fabric **, void *) =
        real("fi_fabric", "FABRIC_1.1");
    int answer = is_denied("fi_fabric") ? -FI_ENOMEM : call(attr, fabric, context);
    if (answer == 0)
        SEAT(fi_ops_fabric, (*fabric)->ops, own->domain = open_domain);
    return answer;
}
