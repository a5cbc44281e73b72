/*
 * The true peer of Weft's RDMA benchmarks: RC writes of blocks from rotating memory into rotating memory over two queue pairs
 * of one device, event driven, and nothing else happens.
 *
 *   rdma_peer [--device NAME] [--gid-index N] [--size BYTES] [--working-set BYTES] [--in-flight N] [--seconds S] [--flush]
 *
 * At most N unanswered blocks; who has none to post asks for an event, polls once more and blocks on the completion channel.
 * With --flush a read of 16 bytes follows each write and its completion counts, which is what Weft promises with SUCCEEDED.
 * Prints one line: gigabytes (10^9) per second, median and 99th percentile of the time from post to completion in us.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { MAX_SAMPLES = 1 << 22, MAX_IN_FLIGHT = 64, FLUSH_BYTES = 16, PORT = 1 };

static size_t size = 65536, working_set = 64 << 20;
static int in_flight = 1, flush, gid_index = 1;
static double seconds = 3;
static const char *device;

static void die(const char *what)
{
    fprintf(stderr, "rdma_peer: %s: %s\n", what, strerror(errno));
    exit(1);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static char *memory(size_t bytes)
{
    char *m = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (m == MAP_FAILED)
        die("mmap");
    for (size_t i = 0; i < bytes; i += 4096)
        m[i] = (char)(i >> 12);
    return m;
}

static struct ibv_context *open_device(void)
{
    int count;
    struct ibv_device **list = ibv_get_device_list(&count);
    for (int i = 0; list && i < count; i++)
        if (!device || !strcmp(device, ibv_get_device_name(list[i]))) {
            struct ibv_context *c = ibv_open_device(list[i]);
            if (!c)
                die("ibv_open_device");
            return c;
        }
    errno = ENODEV;
    die(device ? device : "no device");
    return NULL;
}

static struct ibv_qp *queue_pair(struct ibv_pd *pd, struct ibv_cq *cq)
{
    struct ibv_qp_init_attr init = {.send_cq = cq, .recv_cq = cq, .qp_type = IBV_QPT_RC,
                                    .cap = {.max_send_wr = 2 * MAX_IN_FLIGHT, .max_recv_wr = 1, .max_send_sge = 1,
                                            .max_recv_sge = 1}};
    struct ibv_qp *qp = ibv_create_qp(pd, &init);
    if (!qp)
        die("ibv_create_qp");
    return qp;
}

static void join(struct ibv_context *context, struct ibv_qp *qp, uint32_t other)
{
    struct ibv_port_attr port;
    union ibv_gid gid;
    if (ibv_query_port(context, PORT, &port) || ibv_query_gid(context, PORT, gid_index, &gid))
        die("port or GID");
    struct ibv_qp_attr init = {.qp_state = IBV_QPS_INIT, .port_num = PORT,
                               .qp_access_flags = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ};
    struct ibv_qp_attr rtr = {.qp_state = IBV_QPS_RTR, .path_mtu = port.active_mtu, .dest_qp_num = other,
                              .max_dest_rd_atomic = 16, .min_rnr_timer = 12,
                              .ah_attr = {.is_global = 1, .dlid = port.lid, .port_num = PORT,
                                          .grh = {.dgid = gid, .sgid_index = (uint8_t)gid_index, .hop_limit = 64}}};
    struct ibv_qp_attr rts = {.qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 6, .rnr_retry = 6, .max_rd_atomic = 16};
    if (ibv_modify_qp(qp, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS) ||
        ibv_modify_qp(qp, &rtr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                                    IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER) ||
        ibv_modify_qp(qp, &rts, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
                                    IBV_QP_MAX_QP_RD_ATOMIC))
        die("ibv_modify_qp");
}

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"device", 1, NULL, 'd'},    {"gid-index", 1, NULL, 'g'}, {"size", 1, NULL, 's'},
                                            {"working-set", 1, NULL, 'w'}, {"in-flight", 1, NULL, 'i'}, {"seconds", 1, NULL, 't'},
                                            {"flush", 0, NULL, 'f'},     {NULL, 0, NULL, 0}};
    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;)
        switch (o) {
        case 'd': device = optarg; break;
        case 'g': gid_index = atoi(optarg); break;
        case 's': size = strtoull(optarg, NULL, 10); break;
        case 'w': working_set = strtoull(optarg, NULL, 10); break;
        case 'i': in_flight = atoi(optarg); break;
        case 't': seconds = atof(optarg); break;
        case 'f': flush = 1; break;
        default: return 2;
        }
    if (size < FLUSH_BYTES || in_flight < 1 || in_flight > MAX_IN_FLIGHT) {
        fprintf(stderr, "rdma_peer: --size must be at least %d, --in-flight 1 to %d\n", FLUSH_BYTES, MAX_IN_FLIGHT);
        return 2;
    }
    size_t slots = working_set / size ? working_set / size : 1, bytes = slots * size;
    struct ibv_context *context = open_device();
    struct ibv_pd *pd = ibv_alloc_pd(context);
    struct ibv_comp_channel *channel = ibv_create_comp_channel(context);
    struct ibv_cq *cq = ibv_create_cq(context, 4 * MAX_IN_FLIGHT, NULL, channel, 0);
    if (!pd || !channel || !cq)
        die("protection domain or completion queue");
    char *from = memory(bytes), *to = memory(bytes), landing[FLUSH_BYTES];
    memset(to, 0xff, bytes);
    struct ibv_mr *source = ibv_reg_mr(pd, from, bytes, 0);
    struct ibv_mr *target =
        ibv_reg_mr(pd, to, bytes, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ);
    struct ibv_mr *small = ibv_reg_mr(pd, landing, sizeof landing, IBV_ACCESS_LOCAL_WRITE);
    if (!source || !target || !small)
        die("ibv_reg_mr");
    struct ibv_qp *qp = queue_pair(pd, cq), *remote = queue_pair(pd, cq);
    join(context, qp, remote->qp_num);
    join(context, remote, qp->qp_num);

    float *sample = malloc(MAX_SAMPLES * sizeof *sample);
    double posted[MAX_IN_FLIGHT], t = now(), from_then = t + seconds / 4, end = from_then + seconds;
    size_t sent = 0, done = 0, warm = 0, counted = 0;
    while (t < end || done < sent) {
        while (t < end && sent - done < (size_t)in_flight) {
            size_t at = sent % slots * size;
            struct ibv_sge block = {(uintptr_t)from + at, (uint32_t)size, source->lkey};
            struct ibv_sge few = {(uintptr_t)landing, sizeof landing, small->lkey};
            struct ibv_send_wr read = {.wr_id = 1, .sg_list = &few, .num_sge = 1, .opcode = IBV_WR_RDMA_READ,
                                       .send_flags = IBV_SEND_SIGNALED,
                                       .wr.rdma = {(uintptr_t)to, target->rkey}};
            struct ibv_send_wr write = {.wr_id = 1, .next = flush ? &read : NULL, .sg_list = &block, .num_sge = 1,
                                        .opcode = IBV_WR_RDMA_WRITE, .send_flags = flush ? 0 : IBV_SEND_SIGNALED,
                                        .wr.rdma = {(uintptr_t)to + at, target->rkey}};
            struct ibv_send_wr *bad;
            posted[sent % MAX_IN_FLIGHT] = now();
            if ((errno = ibv_post_send(qp, &write, &bad)))
                die("ibv_post_send");
            sent++;
        }
        struct ibv_wc wc[32];
        int n = ibv_poll_cq(cq, 32, wc);
        if (n == 0) {
            ibv_req_notify_cq(cq, 0);
            n = ibv_poll_cq(cq, 32, wc);
        }
        if (n == 0) {
            struct ibv_cq *which;
            void *ignored;
            if (ibv_get_cq_event(channel, &which, &ignored))
                die("ibv_get_cq_event");
            ibv_ack_cq_events(which, 1);
        }
        t = now();
        for (int i = 0; i < n; i++, done++) {
            if (wc[i].status) {
                fprintf(stderr, "rdma_peer: %s\n", ibv_wc_status_str(wc[i].status));
                return 1;
            }
            if (t < from_then)
                warm = done + 1;
            else if (counted < MAX_SAMPLES)
                sample[counted++] = (float)((t - posted[done % MAX_IN_FLIGHT]) * 1e6);
        }
    }
    if (memcmp(from, to, sent < slots ? sent * size : bytes)) {
        fprintf(stderr, "rdma_peer: wrong bytes\n");
        return 1;
    }
    qsort(sample, counted, sizeof *sample, by_value);
    printf("%.4f %.1f %.1f\n", (double)(done - warm) * (double)size / (t - from_then) / 1e9, sample[counted / 2],
           sample[counted * 99 / 100]);
    return 0;
}
