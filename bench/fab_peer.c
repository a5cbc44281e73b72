/*
 * The true peer of Weft's libfabric benchmarks: one process writes segments from rotating memory into rotating memory of
 * another through one libfabric endpoint each, and nothing else happens.
 *
 *   fab_peer --provider NAME --size BYTES [--batch N] [--working-set BYTES] [--in-flight N] [--seconds S]
 *
 * A transfer is a batch of segments, 64 bytes apart if there is more than one, packed into as few messages as the
 * provider's iov limits allow, each with delivery-complete; at most 64 messages and N transfers are in flight. Both
 * processes poll without pause. Prints one line: gigabytes (10^9) per second, median and 99th percentile of the time from
 * a transfer's first post to its last completion, in microseconds.
 */
#define _GNU_SOURCE
#include <getopt.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_rma.h>

enum { MAX_SAMPLES = 1 << 22, MAX_IN_FLIGHT = 4096, WINDOW = 64, MAX_IOV = 16, GAP = 64, NAME_BYTES = 512 };

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        ssize_t rc_ = (call);                                                                                          \
        if (rc_) {                                                                                                     \
            fprintf(stderr, "fab_peer: %s: %s\n", #call, fi_strerror((int)-rc_));                                      \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static const char *provider = "tcp";
static size_t size = 1 << 20, working_set = 256 << 20, batch = 1, stride, slots, iovs, bytes;
static int in_flight = 1;
static double seconds = 3;

static struct fi_info *info;
static struct fid_fabric *fabric;
static struct fid_domain *domain;
static struct fid_ep *ep;
static struct fid_av *av;
static struct fid_cq *cq;
static struct fid_mr *mr;
static char *memory;
static void *descriptor;
static fi_addr_t peer;

/* What each side tells the other. */
static struct told {
    size_t length;
    char name[NAME_BYTES];
    uint64_t base, key;
} there;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static void open_endpoint(void)
{
    int shm = !strcmp(provider, "shm");
    struct fi_info *hints = fi_allocinfo();
    hints->caps = FI_MSG | FI_RMA;
    hints->mode = FI_CONTEXT | FI_CONTEXT2;
    hints->ep_attr->type = FI_EP_RDM;
    hints->fabric_attr->prov_name = strdup(provider);
    hints->domain_attr->mr_mode = FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY;
    hints->domain_attr->threading = FI_THREAD_SAFE;
    CHECK(fi_getinfo(FI_VERSION(1, 17), shm ? NULL : "127.0.0.1", shm ? NULL : "0", shm ? 0 : FI_SOURCE, hints, &info));
    CHECK(fi_fabric(info->fabric_attr, &fabric, NULL));
    CHECK(fi_domain(fabric, info, &domain, NULL));
    struct fi_av_attr vector = {.type = FI_AV_UNSPEC, .count = 8};
    CHECK(fi_av_open(domain, &vector, &av, NULL));
    struct fi_cq_attr queue = {.format = FI_CQ_FORMAT_CONTEXT, .wait_obj = FI_WAIT_NONE, .size = 1024};
    CHECK(fi_cq_open(domain, &queue, &cq, NULL));
    CHECK(fi_endpoint(domain, info, &ep, NULL));
    CHECK(fi_ep_bind(ep, &av->fid, 0));
    CHECK(fi_ep_bind(ep, &cq->fid, FI_TRANSMIT | FI_RECV));
    CHECK(fi_enable(ep));
    memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory == MAP_FAILED)
        perror("fab_peer: mmap"), exit(1);
    for (size_t i = 0; i < bytes; i += 4096)
        memory[i] = (char)(i >> 12);
    CHECK(fi_mr_reg(domain, memory, bytes, FI_READ | FI_WRITE | FI_REMOTE_READ | FI_REMOTE_WRITE, 0, getpid(), 0, &mr, NULL));
    descriptor = fi_mr_desc(mr);
    iovs = info->tx_attr->iov_limit < info->tx_attr->rma_iov_limit ? info->tx_attr->iov_limit : info->tx_attr->rma_iov_limit;
    if (iovs > MAX_IOV)
        iovs = MAX_IOV;
}

static void exchange(int fd)
{
    struct told here = {.length = sizeof here.name, .key = fi_mr_key(mr)};
    here.base = info->domain_attr->mr_mode & FI_MR_VIRT_ADDR ? (uintptr_t)memory : 0;
    CHECK(fi_getname(&ep->fid, here.name, &here.length));
    if (write(fd, &here, sizeof here) != sizeof here || recv(fd, &there, sizeof there, MSG_WAITALL) != sizeof there)
        exit(1);
    if (fi_av_insert(av, there.name, 1, &peer, 0, NULL) != 1)
        fprintf(stderr, "fab_peer: the other side's address was refused\n"), exit(1);
}

/* Takes completions; the other side's end is the end of the target. */
static ssize_t take(struct fi_cq_entry *entries, size_t count)
{
    ssize_t n = fi_cq_read(cq, entries, count);
    if (n >= 0)
        return n;
    if (n == -FI_EAGAIN)
        return 0;
    struct fi_cq_err_entry error = {0};
    fi_cq_readerr(cq, &error, 0);
    fprintf(stderr, "fab_peer: completion: %s\n", fi_strerror(error.err ? error.err : (int)-n));
    exit(1);
}

static void serve(int fd)
{
    struct fi_cq_entry entries[16];
    char end;
    for (unsigned long i = 0;; i++) {
        take(entries, 16);
        if (i % 4096 == 0 && recv(fd, &end, 1, MSG_DONTWAIT) >= 0)
            return;
    }
}

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void write_all(void)
{
    static float sample[MAX_SAMPLES];
    static struct {
        struct fi_context2 context;
        size_t transfer;
    } part[WINDOW];
    static double posted[MAX_IN_FLIGHT];
    static size_t left[MAX_IN_FLIGHT];
    int free_parts[WINDOW], free_count = WINDOW;
    for (int i = 0; i < WINDOW; i++)
        free_parts[i] = i;
    struct fi_cq_entry entries[WINDOW];
    size_t begun = 0, ended = 0, counted = 0, warm = 0, next = 0, segment = batch, positions = slots / batch;
    double start = now(), from = start + 1, until = from + seconds, t = start;
    while (t < until || ended < begun || segment < batch) {
        while (free_count > 0) {
            if (segment == batch) {
                if (t >= until || begun - ended == (size_t)in_flight)
                    break;
                segment = 0;
                posted[begun % in_flight] = now();
                left[begun % in_flight] = (batch + iovs - 1) / iovs;
                next = begun % positions * batch;
                begun++;
            }
            struct iovec local[MAX_IOV];
            struct fi_rma_iov remote[MAX_IOV];
            void *descriptors[MAX_IOV];
            size_t n = batch - segment < iovs ? batch - segment : iovs;
            for (size_t i = 0; i < n; i++) {
                size_t at = (next + segment + i) * stride;
                local[i] = (struct iovec){memory + at, size};
                remote[i] = (struct fi_rma_iov){there.base + at, size, there.key};
                descriptors[i] = descriptor;
            }
            int slot = free_parts[free_count - 1];
            struct fi_msg_rma message = {.msg_iov = local, .desc = descriptors, .iov_count = n, .addr = peer,
                                         .rma_iov = remote, .rma_iov_count = n, .context = &part[slot].context};
            part[slot].transfer = (begun - 1) % in_flight;
            ssize_t rc = fi_writemsg(ep, &message, FI_DELIVERY_COMPLETE | FI_COMPLETION);
            if (rc == -FI_EAGAIN)
                break;
            CHECK(rc);
            free_count--;
            segment += n;
        }
        ssize_t n = take(entries, WINDOW);
        t = now();
        for (ssize_t i = 0; i < n; i++) {
            /* Transfers may end in another order than they began: each has a place, and ends once its parts have. */
            int slot = (int)(((char *)entries[i].op_context - (char *)part) / sizeof *part);
            free_parts[free_count++] = slot;
            size_t transfer = part[slot].transfer;
            if (--left[transfer] == 0) {
                if (t < from)
                    warm++;
                else if (counted < MAX_SAMPLES)
                    sample[counted++] = (float)((t - posted[transfer]) * 1e6);
            }
        }
        while (ended < begun && left[ended % in_flight] == 0)
            ended++;
    }
    qsort(sample, counted, sizeof *sample, by_value);
    printf("%.3f %.1f %.1f\n", (ended - warm) * (double)(size * batch) / (t - from) / 1e9, sample[counted / 2],
           sample[counted * 99 / 100]);
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"provider", 1, NULL, 'p'},  {"size", 1, NULL, 's'},    {"batch", 1, NULL, 'b'}, {"working-set", 1, NULL, 'w'},
        {"in-flight", 1, NULL, 'i'}, {"seconds", 1, NULL, 't'}, {NULL, 0, NULL, 0}};
    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;)
        switch (o) {
        case 'p': provider = optarg; break;
        case 's': size = strtoull(optarg, NULL, 10); break;
        case 'b': batch = strtoull(optarg, NULL, 10); break;
        case 'w': working_set = strtoull(optarg, NULL, 10); break;
        case 'i': in_flight = atoi(optarg); break;
        case 't': seconds = atof(optarg); break;
        default: return 2;
        }
    if (size < 1 || batch < 1 || in_flight < 1 || in_flight > MAX_IN_FLIGHT) {
        fprintf(stderr, "fab_peer: --size and --batch must be at least 1, --in-flight 1 to %d\n", MAX_IN_FLIGHT);
        return 2;
    }
    stride = size + GAP;
    slots = (working_set / stride / batch ? working_set / stride / batch : 1) * batch;
    bytes = slots * stride;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
        return 1;
    pid_t child = fork(); /* before the library starts threads */
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(ends[0]);
    } else {
        close(ends[1]);
    }
    open_endpoint();
    if (child == 0) {
        exchange(ends[1]);
        serve(ends[1]);
    } else {
        exchange(ends[0]);
        write_all();
        close(ends[0]);
        waitpid(child, NULL, 0);
    }
    fi_close(&ep->fid);
    fi_close(&mr->fid);
    fi_close(&cq->fid);
    fi_close(&av->fid);
    fi_close(&domain->fid);
    fi_close(&fabric->fid);
    fi_freeinfo(info);
    return 0;
}
