/* What libfabric leaves allocated when an endpoint is opened and closed again and again, without any
 * MPI: prints the bytes of one round. Run with GLIBC_TUNABLES=glibc.malloc.tcache_count=0, so that
 * freed blocks count as freed. Arguments: the provider, and how many rounds. */
#include <malloc.h>
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OK(call)                                                                                   \
    do {                                                                                           \
        int answer = (call);                                                                       \
        if (answer < 0) {                                                                          \
            fprintf(stderr, "%s: %s\n", #call, fi_strerror(-answer));                              \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static void once(const char *provider)
{
    struct fi_info *hints = fi_allocinfo(), *info;
    struct fi_av_attr table = {.type = FI_AV_TABLE};
    struct fi_cq_attr queue = {.format = FI_CQ_FORMAT_TAGGED};
    struct fid_fabric *fabric;
    struct fid_domain *domain;
    struct fid_av *av;
    struct fid_cq *cq;
    struct fid_ep *ep;
    hints->caps = FI_MSG | FI_RMA | FI_ATOMIC;
    hints->mode = ~0ull;
    hints->ep_attr->type = FI_EP_RDM;
    hints->domain_attr->mr_mode = FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY;
    hints->fabric_attr->prov_name = strdup(provider);
    OK(fi_getinfo(FI_VERSION(1, 17), NULL, NULL, 0, hints, &info));
    OK(fi_fabric(info->fabric_attr, &fabric, NULL));
    OK(fi_domain(fabric, info, &domain, NULL));
    OK(fi_av_open(domain, &table, &av, NULL));
    OK(fi_cq_open(domain, &queue, &cq, NULL));
    OK(fi_endpoint(domain, info, &ep, NULL));
    OK(fi_ep_bind(ep, &av->fid, 0));
    OK(fi_ep_bind(ep, &cq->fid, FI_TRANSMIT | FI_RECV));
    OK(fi_enable(ep));
    OK(fi_close(&ep->fid));
    OK(fi_close(&cq->fid));
    OK(fi_close(&av->fid));
    OK(fi_close(&domain->fid));
    OK(fi_close(&fabric->fid));
    fi_freeinfo(info);
    fi_freeinfo(hints);
}

static long allocated(void)
{
    malloc_trim(0);
    struct mallinfo2 heap = mallinfo2();
    return (long)(heap.uordblks + heap.hblkhd);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    int rounds = atoi(argv[2]);
    for (int warm = 0; warm < 5; warm++)
        once(argv[1]);
    long before = allocated();
    for (int round = 0; round < rounds; round++)
        once(argv[1]);
    printf("%ld\n", (allocated() - before + rounds - 1) / rounds);
    return 0;
}
