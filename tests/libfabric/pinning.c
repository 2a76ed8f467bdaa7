/* A libfabric whose device pins memory, as network cards do: it stands before the real one and
 * passes everything on, but
 *
 *   - local memory must be registered (FI_MR_LOCAL), and registrations belong to an endpoint
 *     (FI_MR_ENDPOINT): they count only once they are bound and enabled, and an endpoint that closes
 *     before its registrations ends the process;
 *   - what is registered counts against the limit of locked memory (`ulimit -l`): past it a
 *     registration is refused, unless PINNING_UNLIMITED is in the environment.
 *
 * cc -shared -fPIC pinning.c -Wl,--version-script=pinning.map */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <rdma/fabric.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define DEMANDED (FI_MR_LOCAL | FI_MR_ENDPOINT)
#define PAGE 4096ul

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static size_t pinned;

static void die(const char *why)
{
    fprintf(stderr, "pinning: %s\n", why);
    abort();
}

static void *copy(const void *from, size_t bytes)
{
    void *to = malloc(bytes);
    if (!to)
        die("no memory");
    return memcpy(to, from, bytes);
}

/* A function of the real library. */
static void *real(const char *name, const char *edition)
{
    static void *library;
    pthread_mutex_lock(&gate);
    if (!library)
        library = dlopen("libfabric.so.1", RTLD_NOW | RTLD_LOCAL);
    pthread_mutex_unlock(&gate);
    void *found = library ? dlvsym(library, name, edition) : NULL;
    if (!found)
        die(name);
    return found;
}

/* What was put in the place of a table of an object, by the object. */
struct seat {
    void *object;
    const void *table;
    int registrations;
    struct seat *next;
};

static struct seat *seats;

static struct seat *seat_of(const void *object)
{
    struct seat *seat = seats;
    while (seat && seat->object != object)
        seat = seat->next;
    return seat;
}

static void take_seat(void *object, const void *table)
{
    struct seat *seat = calloc(1, sizeof *seat);
    if (!seat)
        die("no memory");
    pthread_mutex_lock(&gate);
    *seat = (struct seat){object, table, 0, seats};
    seats = seat;
    pthread_mutex_unlock(&gate);
}

static const void *leave_seat(void *object)
{
    pthread_mutex_lock(&gate);
    struct seat **at = &seats;
    while (*at && (*at)->object != object)
        at = &(*at)->next;
    struct seat *seat = *at;
    if (!seat || seat->registrations)
        die(seat ? "an endpoint is closed before its registrations" : "closed twice");
    *at = seat->next;
    pthread_mutex_unlock(&gate);
    const void *table = seat->table;
    free(seat);
    return table;
}

static const void *table_of(const void *object)
{
    pthread_mutex_lock(&gate);
    struct seat *seat = seat_of(object);
    if (!seat)
        die("an object that was never opened");
    pthread_mutex_unlock(&gate);
    return seat->table;
}

/* A registration: the provider's own comes when it is enabled. */
struct pin {
    struct fid_mr mr;
    struct fi_ops ops;
    struct fid *domain, *endpoint;
    struct fid_mr *real;
    const void *memory;
    size_t bytes, charged;
    uint64_t access, key, flags;
};

static void charge_endpoint(struct fid *endpoint, int change)
{
    pthread_mutex_lock(&gate);
    struct seat *seat = seat_of(endpoint);
    if (!seat)
        die("a registration of an endpoint that is closed");
    seat->registrations += change;
    pthread_mutex_unlock(&gate);
}

static int pin_close(struct fid *fid)
{
    struct pin *pin = (struct pin *)fid;
    int answer = pin->real ? fi_close(&pin->real->fid) : 0;
    if (pin->endpoint)
        charge_endpoint(pin->endpoint, -1);
    pthread_mutex_lock(&gate);
    pinned -= pin->charged;
    pthread_mutex_unlock(&gate);
    free(pin);
    return answer;
}

static int pin_bind(struct fid *fid, struct fid *to, uint64_t flags)
{
    struct pin *pin = (struct pin *)fid;
    if (pin->endpoint || flags || (to->fclass != FI_CLASS_EP && to->fclass != FI_CLASS_SEP))
        return -FI_EINVAL;
    pin->endpoint = to;
    charge_endpoint(to, 1);
    return 0;
}

static int pin_control(struct fid *fid, int command, void *argument)
{
    struct pin *pin = (struct pin *)fid;
    (void)argument;
    if (command != FI_ENABLE || !pin->endpoint || pin->real)
        return -FI_EINVAL;
    const struct fi_ops_mr *mr = table_of(pin->domain);
    int answer = mr->reg(pin->domain, pin->memory, pin->bytes, pin->access, 0, pin->key, pin->flags,
                         &pin->real, NULL);
    if (answer == 0) {
        pin->mr.key = pin->real->key;
        pin->mr.mem_desc = pin->real->mem_desc;
    }
    return answer;
}

static int pin_open(struct fid *fid, const char *name, uint64_t flags, void **ops, void *context)
{
    (void)fid, (void)name, (void)flags, (void)ops, (void)context;
    return -FI_ENOSYS;
}

static int reg(struct fid *domain, const void *memory, size_t bytes, uint64_t access,
               uint64_t offset, uint64_t key, uint64_t flags, struct fid_mr **mr, void *context)
{
    struct rlimit limit;
    size_t first = (size_t)memory / PAGE, last = ((size_t)memory + bytes + PAGE - 1) / PAGE;
    size_t charged = (last - first) * PAGE;
    if (offset)
        return -FI_EINVAL;
    getrlimit(RLIMIT_MEMLOCK, &limit);
    pthread_mutex_lock(&gate);
    int fits = limit.rlim_cur == RLIM_INFINITY || pinned + charged <= limit.rlim_cur ||
               getenv("PINNING_UNLIMITED");
    if (fits)
        pinned += charged;
    pthread_mutex_unlock(&gate);
    if (!fits)
        return -FI_ENOMEM;
    struct pin *pin = calloc(1, sizeof *pin);
    if (!pin)
        die("no memory");
    pin->ops = (struct fi_ops){.size = sizeof pin->ops,
                                .close = pin_close,
                                .bind = pin_bind,
                                .control = pin_control,
                                .ops_open = pin_open};
    pin->mr.fid = (struct fid){FI_CLASS_MR, context, &pin->ops};
    pin->mr.key = FI_KEY_NOTAVAIL;
    pin->domain = domain;
    pin->memory = memory, pin->bytes = bytes, pin->charged = charged;
    pin->access = access, pin->key = key, pin->flags = flags;
    *mr = &pin->mr;
    return 0;
}

/* The real provider receives the flags that it reported itself. */
static struct fi_info *undo(struct fi_info *info)
{
    struct fi_info *(*dup)(const struct fi_info *) = real("fi_dupinfo", "FABRIC_1.3");
    struct fi_info *own = dup(info);
    own->domain_attr->mr_mode &= ~DEMANDED;
    return own;
}

static void drop(struct fi_info *info)
{
    void (*call)(struct fi_info *) = real("fi_freeinfo", "FABRIC_1.3");
    call(info);
}

static int endpoint_close(struct fid *fid)
{
    const struct fi_ops *ops = leave_seat(fid);
    free(fid->ops);
    fid->ops = (struct fi_ops *)ops;
    return ops->close(fid);
}

static void watch(struct fid_ep *ep)
{
    take_seat(&ep->fid, ep->fid.ops);
    ep->fid.ops = copy(ep->fid.ops, ep->fid.ops->size);
    ep->fid.ops->close = endpoint_close;
}

struct domain_tables {
    const struct fi_ops_domain *ops;
    struct fi_ops_domain own;
};

static int open_endpoint(struct fid_domain *domain, struct fi_info *info, struct fid_ep **ep,
                         void *context)
{
    struct domain_tables *tables = (void *)((char *)domain->ops - offsetof(struct domain_tables, own));
    info = undo(info);
    int answer = tables->ops->endpoint(domain, info, ep, context);
    drop(info);
    if (answer == 0)
        watch(*ep);
    return answer;
}

static int open_scalable(struct fid_domain *domain, struct fi_info *info, struct fid_ep **ep,
                         void *context)
{
    struct domain_tables *tables = (void *)((char *)domain->ops - offsetof(struct domain_tables, own));
    info = undo(info);
    int answer = tables->ops->scalable_ep(domain, info, ep, context);
    drop(info);
    if (answer == 0)
        watch(*ep);
    return answer;
}

/* Tables of devices and networks stay until the end of the process: there are few. */
static int open_domain(struct fid_fabric *fabric, struct fi_info *info, struct fid_domain **domain,
                       void *context)
{
    const struct fi_ops_fabric *ops = table_of(fabric);
    info = undo(info);
    int answer = ops->domain(fabric, info, domain, context);
    drop(info);
    if (answer)
        return answer;
    struct fid_domain *opened = *domain;
    struct domain_tables *tables = calloc(1, sizeof *tables);
    if (!tables || opened->ops->size > sizeof tables->own)
        die("a table that is unknown");
    tables->ops = opened->ops;
    memcpy(&tables->own, opened->ops, opened->ops->size);
    tables->own.endpoint = open_endpoint;
    if (tables->own.scalable_ep)
        tables->own.scalable_ep = open_scalable;
    opened->ops = &tables->own;
    take_seat(&opened->fid, opened->mr);
    opened->mr = copy(opened->mr, opened->mr->size);
    opened->mr->reg = reg;
    return 0;
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
    drop(info);
}

struct fi_info *fi_dupinfo(const struct fi_info *info)
{
    struct fi_info *(*call)(const struct fi_info *) = real("fi_dupinfo", "FABRIC_1.3");
    return call(info);
}

int fi_getinfo(uint32_t version, const char *node, const char *service, uint64_t flags,
               const struct fi_info *hints, struct fi_info **info)
{
    int (*call)(uint32_t, const char *, const char *, uint64_t, const struct fi_info *,
                struct fi_info **) = real("fi_getinfo", "FABRIC_1.3");
    int answer = call(version, node, service, flags, hints, info);
    int able = hints && (hints->domain_attr->mr_mode & DEMANDED) == DEMANDED;
    for (struct fi_info *one = *info; answer == 0 && able && one; one = one->next)
        one->domain_attr->mr_mode |= DEMANDED;
    return answer;
}

int fi_fabric(struct fi_fabric_attr *attr, struct fid_fabric **fabric, void *context)
{
    int (*call)(struct fi_fabric_attr *, struct fid_fabric **, void *) =
        real("fi_fabric", "FABRIC_1.1");
    int answer = call(attr, fabric, context);
    if (answer)
        return answer;
    pthread_mutex_lock(&gate);
    struct seat *known = seat_of(*fabric);
    pthread_mutex_unlock(&gate);
    if (!known || (*fabric)->ops->domain != open_domain) {
        if (!known)
            take_seat(*fabric, (*fabric)->ops);
        else
            known->table = (*fabric)->ops;
        (*fabric)->ops = copy((*fabric)->ops, (*fabric)->ops->size);
        (*fabric)->ops->domain = open_domain;
    }
    return 0;
}
