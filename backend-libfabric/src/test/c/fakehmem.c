/*
 * A libfabric with one provider that moves device memory, for endpoints of one process. As the real one does, it asks the loaded
 * libcuda, which is the fake one of the tests, to copy. Variants: -DNO_REGATTR refuses to register
 * device memory, -DONLY_DMABUF refuses it by address, -DLOSES reports success and moves no device bytes, -DAPI=v packed version,
 * -DBUSY=n refuses the first n closings of endpoints, -DMODE=bits adds to the mr_mode: with FI_MR_ENDPOINT a region is reached through
 * the endpoint that it is bound to alone and keeps that from closing, with FI_MR_RAW keys have 20 bytes and must be mapped.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>

#ifndef API
#define API FI_VERSION(1, 17)
#endif
#ifndef MODE
#define MODE 0
#endif
#define MOST 4096
#define RING 4096
#define RAW_KEY_BYTES 20

struct endpoint;
struct region { struct fid_mr mr; uint64_t from, length, access, id; int device, enabled; struct endpoint *through; };
struct entry { void *context; int error; };
struct queue { struct fid_cq cq; struct entry ring[RING]; unsigned head, tail; int broken; };
struct vector { struct fid_av av; uint64_t *names; size_t count; };
struct endpoint { struct fid_ep ep; uint64_t name; struct queue *queue; struct vector *vector; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct region *regions[MOST];
static struct endpoint *endpoints[MOST];
static uint64_t mapped[MOST]; /* ids of regions, by the key that was mapped for them */
static uint64_t last_name, last_key = 1000, direct_bytes;

/* For tests: bytes that were moved between device memory and anything else. */
uint64_t fake_direct_bytes(void) { return direct_bytes; }

#ifndef BUSY
#define BUSY 0
#endif
static int busy = BUSY, refused, reads_of_broken;

/* For tests: closings that were refused, and queues read after their endpoint's was. */
int fake_refused(void) { return refused; }
int fake_reads_of_broken(void) { return reads_of_broken; }

/* For tests: what a variable was when this library was loaded. */
static char srx[16] = "not set";
const char *fake_srx_at_load(void) { return srx; }

__attribute__((constructor)) static void loaded(void)
{
	if (getenv("FI_OFI_RXM_USE_SRX"))
		snprintf(srx, sizeof srx, "%s", getenv("FI_OFI_RXM_USE_SRX"));
}

static int (*create)(void **, unsigned);
static int (*to_host)(uint64_t, uint64_t, uint64_t, void *);
static int (*to_device)(uint64_t, uint64_t, uint64_t, void *);
static int (*await)(void *);
static void *stream;

static int driver(void)
{
	if (stream)
		return 0;
	void *library = dlopen("libcuda.so.1", RTLD_NOW);
	if (!library)
		return -FI_ENOSYS;
	create = dlsym(library, "cuStreamCreate");
	to_host = dlsym(library, "cuMemcpyDtoHAsync_v2");
	to_device = dlsym(library, "cuMemcpyHtoDAsync_v2");
	await = dlsym(library, "cuStreamSynchronize");
	return create && to_host && to_device && await && create(&stream, 1) == 0 ? 0 : -FI_ENOSYS;
}

static int copy(uint64_t to, int to_is_device, uint64_t from, int from_is_device, uint64_t n)
{
	if (!to_is_device && !from_is_device) {
		memcpy((void *) to, (void *) from, n);
		return 0;
	}
	direct_bytes += n;
#ifdef LOSES
	return 0;
#endif
	void *bounce = malloc(n);
	int rc = 0;
	if (from_is_device)
		rc = to_host((uint64_t) bounce, from, n, stream) || await(stream);
	else
		memcpy(bounce, (void *) from, n);
	if (!rc && to_is_device)
		rc = to_device(to, (uint64_t) bounce, n, stream) || await(stream);
	else if (!rc)
		memcpy((void *) to, bounce, n);
	free(bounce);
	return rc ? FI_EIO : 0;
}

/* For tests: raw keys that are mapped. */
int fake_mapped(void)
{
	int count = 0;
	for (int i = 0; i < MOST; i++)
		count += mapped[i] != 0;
	return count;
}

static struct region *covering(struct endpoint *through, uint64_t key, uint64_t address, uint64_t n, uint64_t access)
{
	uint64_t id = !(MODE & FI_MR_RAW) ? key : key < MOST ? mapped[key] : 0;
	for (int i = 0; i < MOST; i++) {
		struct region *r = regions[i];
		if (r && r->id == id && (!(MODE & FI_MR_ENDPOINT) || (r->enabled && r->through == through)))
			return address >= r->from && n <= r->length && address - r->from <= r->length - n
				&& (r->access & access) == access ? r : NULL;
	}
	return NULL;
}

static void complete(struct queue *queue, void *context, int error)
{
	queue->ring[queue->tail++ % RING] = (struct entry) {context, error};
}

static ssize_t move(struct fid_ep *fid, const struct fi_msg_rma *m, int write)
{
	struct endpoint *ep = (struct endpoint *) fid;
	int error = 0;
	pthread_mutex_lock(&lock);
	if (ep->queue->tail - ep->queue->head >= RING) {
		pthread_mutex_unlock(&lock);
		return -FI_EAGAIN;
	}
	uint64_t name = m->addr < ep->vector->count ? ep->vector->names[m->addr] : 0;
	if (!name || !endpoints[name % MOST] || endpoints[name % MOST]->name != name)
		error = FI_ENOTCONN;
	for (size_t i = 0; !error && i < m->iov_count; i++) {
		uint64_t here = (uint64_t) m->msg_iov[i].iov_base, there = m->rma_iov[i].addr, n = m->rma_iov[i].len;
		struct region *local = m->desc ? m->desc[i] : NULL;
		struct region *remote = covering(endpoints[name % MOST], m->rma_iov[i].key, there, n, write ? FI_REMOTE_WRITE : FI_REMOTE_READ);
		int local_device = local && local->device, remote_device = remote && remote->device;
		if (!remote)
			error = FI_EACCES;
		else if (write)
			error = copy(there, remote_device, here, local_device, n);
		else
			error = copy(here, local_device, there, remote_device, n);
	}
	complete(ep->queue, m->context, error);
	pthread_mutex_unlock(&lock);
	return 0;
}

static ssize_t writemsg(struct fid_ep *ep, const struct fi_msg_rma *m, uint64_t flags) { (void) flags; return move(ep, m, 1); }
static ssize_t readmsg(struct fid_ep *ep, const struct fi_msg_rma *m, uint64_t flags) { (void) flags; return move(ep, m, 0); }

static ssize_t cq_read(struct fid_cq *fid, void *out, size_t count)
{
	struct queue *q = (struct queue *) fid;
	size_t n = 0;
	pthread_mutex_lock(&lock);
	reads_of_broken += q->broken;
	while (n < count && q->head != q->tail && !q->ring[q->head % RING].error)
		((void **) out)[n++] = q->ring[q->head++ % RING].context;
	int failed = n == 0 && q->head != q->tail;
	pthread_mutex_unlock(&lock);
	return n ? (ssize_t) n : failed ? -FI_EAVAIL : -FI_EAGAIN;
}

static ssize_t cq_readerr(struct fid_cq *fid, struct fi_cq_err_entry *out, uint64_t flags)
{
	struct queue *q = (struct queue *) fid;
	(void) flags;
	pthread_mutex_lock(&lock);
	int found = q->head != q->tail && q->ring[q->head % RING].error;
	if (found) {
		out->op_context = q->ring[q->head % RING].context;
		out->err = q->ring[q->head++ % RING].error;
	}
	pthread_mutex_unlock(&lock);
	return found ? 1 : -FI_EAGAIN;
}

static int close_plain(struct fid *fid) { free(fid); return 0; }

static int close_vector(struct fid *fid) { free(((struct vector *) fid)->names); free(fid); return 0; }

static int close_endpoint(struct fid *fid)
{
	struct endpoint *ep = (struct endpoint *) fid;
	pthread_mutex_lock(&lock);
	int bound = 0;
	for (int i = 0; i < MOST; i++)
		bound += regions[i] && regions[i]->through == ep;
	if (busy > 0 || bound) {
		busy -= !bound;
		refused++;
		ep->queue->broken = 1;
		pthread_mutex_unlock(&lock);
		return -FI_EBUSY;
	}
	endpoints[ep->name % MOST] = NULL;
	pthread_mutex_unlock(&lock);
	free(ep);
	return 0;
}

static int close_region(struct fid *fid)
{
	struct region *region = (struct region *) fid;
	pthread_mutex_lock(&lock);
	for (int i = 0; i < MOST; i++)
		if (regions[i] == region)
			regions[i] = NULL;
	pthread_mutex_unlock(&lock);
	free(region);
	return 0;
}

static int bind_endpoint(struct fid *fid, struct fid *to, uint64_t flags)
{
	struct endpoint *ep = (struct endpoint *) fid;
	(void) flags;
	if (to->fclass == FI_CLASS_CQ)
		ep->queue = (struct queue *) to;
	else
		ep->vector = (struct vector *) to;
	return 0;
}

static int bind_region(struct fid *fid, struct fid *to, uint64_t flags)
{
	(void) flags;
	((struct region *) fid)->through = (struct endpoint *) to;
	return 0;
}

static int control_region(struct fid *fid, int command, void *arg)
{
	struct region *r = (struct region *) fid;
	if (command == FI_ENABLE && MODE & FI_MR_ENDPOINT && r->through) {
		r->enabled = 1;
		if (!(MODE & FI_MR_RAW))
			r->mr.key = r->id;
		return 0;
	}
	if (command == FI_GET_RAW_MR && MODE & FI_MR_RAW) {
		struct fi_mr_raw_attr *attr = arg;
		if (*attr->key_size < RAW_KEY_BYTES)
			return -FI_ETOOSMALL;
		*attr->key_size = RAW_KEY_BYTES;
		*attr->base_addr = r->from;
		memset(attr->raw_key, 0x5a, RAW_KEY_BYTES);
		memcpy(attr->raw_key + RAW_KEY_BYTES - 8, &r->id, 8);
		return 0;
	}
	return -FI_ENOSYS;
}

static int control_domain(struct fid *fid, int command, void *arg)
{
	int rc = -FI_ENOSYS;
	(void) fid;
	pthread_mutex_lock(&lock);
	if (command == FI_MAP_RAW_MR && MODE & FI_MR_RAW) {
		struct fi_mr_map_raw *map = arg;
		rc = map->key_size == RAW_KEY_BYTES && map->raw_key[0] == 0x5a ? -FI_ENOMEM : -FI_EINVAL;
		for (uint64_t key = 1; key < MOST && rc == -FI_ENOMEM; key++)
			if (!mapped[key]) {
				memcpy(&mapped[key], map->raw_key + RAW_KEY_BYTES - 8, 8);
				*map->key = key;
				rc = 0;
			}
	} else if (command == FI_UNMAP_KEY && MODE & FI_MR_RAW) {
		uint64_t key = *(uint64_t *) arg;
		rc = key < MOST && mapped[key] ? 0 : -FI_EINVAL;
		if (!rc)
			mapped[key] = 0;
	}
	pthread_mutex_unlock(&lock);
	return rc;
}

static int control(struct fid *fid, int command, void *arg) { (void) fid, (void) arg; return command == FI_ENABLE ? 0 : -FI_ENOSYS; }

static int getname(fid_t fid, void *out, size_t *length)
{
	memcpy(out, &((struct endpoint *) fid)->name, 8);
	*length = 8;
	return 0;
}

static int insert(struct fid_av *fid, const void *names, size_t count, fi_addr_t *out, uint64_t flags, void *context)
{
	struct vector *v = (struct vector *) fid;
	(void) flags, (void) context, (void) count;
	v->names = realloc(v->names, (v->count + 1) * 8);
	memcpy(&v->names[v->count], names, 8);
	*out = v->count++;
	return 1;
}

static struct fi_ops plain_ops = {.size = sizeof plain_ops, .close = close_plain, .control = control};
static struct fi_ops vector_ops = {.size = sizeof vector_ops, .close = close_vector, .control = control};
static struct fi_ops endpoint_ops = {.size = sizeof endpoint_ops, .close = close_endpoint, .bind = bind_endpoint, .control = control};
static struct fi_ops region_ops = {.size = sizeof region_ops, .close = close_region, .bind = bind_region, .control = control_region};
static struct fi_ops domain_fid_ops = {.size = sizeof domain_fid_ops, .close = close_plain, .control = control_domain};
static struct fi_ops_rma rma_ops = {.size = sizeof rma_ops, .readmsg = readmsg, .writemsg = writemsg};
static struct fi_ops_cm cm_ops = {.size = sizeof cm_ops, .getname = getname};
static struct fi_ops_av av_ops = {.size = sizeof av_ops, .insert = insert};
static struct fi_ops_cq cq_ops = {.size = sizeof cq_ops, .read = cq_read, .readerr = cq_readerr};

static int av_open(struct fid_domain *d, struct fi_av_attr *a, struct fid_av **out, void *context)
{
	struct vector *v = calloc(1, sizeof *v);
	(void) d, (void) a, (void) context;
	v->av.fid.fclass = FI_CLASS_AV;
	v->av.fid.ops = &vector_ops;
	v->av.ops = &av_ops;
	*out = &v->av;
	return 0;
}

static int cq_open(struct fid_domain *d, struct fi_cq_attr *a, struct fid_cq **out, void *context)
{
	(void) d, (void) context;
	if (a->wait_obj != FI_WAIT_NONE)
		return -FI_ENOSYS;
	struct queue *q = calloc(1, sizeof *q);
	q->cq.fid.fclass = FI_CLASS_CQ;
	q->cq.fid.ops = &plain_ops;
	q->cq.ops = &cq_ops;
	*out = &q->cq;
	return 0;
}

static int open_endpoint(struct fid_domain *d, struct fi_info *info, struct fid_ep **out, void *context)
{
	struct endpoint *ep = calloc(1, sizeof *ep);
	(void) d, (void) info, (void) context;
	ep->ep.fid.fclass = FI_CLASS_EP;
	ep->ep.fid.ops = &endpoint_ops;
	ep->ep.cm = &cm_ops;
	ep->ep.rma = &rma_ops;
	pthread_mutex_lock(&lock);
	do {
		ep->name = ++last_name;
	} while (ep->name % MOST == 0 || endpoints[ep->name % MOST]);
	endpoints[ep->name % MOST] = ep;
	pthread_mutex_unlock(&lock);
	*out = &ep->ep;
	return 0;
}

static int add(uint64_t from, uint64_t length, uint64_t access, int device, struct fid_mr **out)
{
	struct region *r = calloc(1, sizeof *r);
	int rc = -FI_ENOMEM;
	r->mr.fid.fclass = FI_CLASS_MR;
	r->mr.fid.ops = &region_ops;
	r->mr.mem_desc = r;
	r->from = from;
	r->length = length;
	r->access = access;
	r->device = device;
	pthread_mutex_lock(&lock);
	r->id = ++last_key;
	r->mr.key = MODE & (FI_MR_RAW | FI_MR_ENDPOINT) ? FI_KEY_NOTAVAIL : r->id;
	for (int i = 0; i < MOST && rc; i++)
		if (!regions[i]) {
			regions[i] = r;
			rc = 0;
		}
	pthread_mutex_unlock(&lock);
	*out = &r->mr;
	return rc;
}

static int reg(struct fid *d, const void *from, size_t length, uint64_t access, uint64_t offset, uint64_t key, uint64_t flags,
	struct fid_mr **out, void *context)
{
	(void) d, (void) offset, (void) key, (void) flags, (void) context;
	return add((uint64_t) from, length, access, 0, out);
}

static int regattr(struct fid *d, const struct fi_mr_attr *a, uint64_t flags, struct fid_mr **out)
{
	(void) d;
#ifdef NO_REGATTR
	return -FI_EOPNOTSUPP;
#endif
	if (a->iface != FI_HMEM_CUDA || a->device.cuda < 0 || a->device.cuda > 1 || driver())
		return -FI_ENOSYS;
	if (flags & 1ull << 40) {
		/* struct fi_mr_dmabuf, which the headers of 1.17 do not have */
		const struct { int fd; uint64_t offset; size_t length; void *base; } *buffer = (const void *) a->mr_iov;
		return buffer->fd < 0 ? -FI_EBADF : add((uint64_t) buffer->base, buffer->length, a->access, 1, out);
	}
#ifdef ONLY_DMABUF
	return -FI_EOPNOTSUPP;
#endif
	return add((uint64_t) a->mr_iov->iov_base, a->mr_iov->iov_len, a->access, 1, out);
}

static struct fi_ops_domain domain_ops = {
	.size = sizeof domain_ops, .av_open = av_open, .cq_open = cq_open, .endpoint = open_endpoint};
static struct fi_ops_mr mr_ops = {.size = sizeof mr_ops, .reg = reg, .regattr = regattr};

static int open_domain(struct fid_fabric *f, struct fi_info *info, struct fid_domain **out, void *context)
{
	struct fid_domain *domain = calloc(1, sizeof *domain);
	(void) f, (void) info, (void) context;
	domain->fid.fclass = FI_CLASS_DOMAIN;
	domain->fid.ops = &domain_fid_ops;
	domain->ops = &domain_ops;
	domain->mr = &mr_ops;
	*out = domain;
	return 0;
}

static int trywait(struct fid_fabric *f, struct fid **fids, int count) { (void) f, (void) fids, (void) count; return 0; }

static struct fi_ops_fabric fabric_ops = {.size = sizeof fabric_ops, .domain = open_domain, .trywait = trywait};

int fi_fabric(struct fi_fabric_attr *attr, struct fid_fabric **out, void *context)
{
	struct fid_fabric *fabric = calloc(1, sizeof *fabric);
	(void) attr, (void) context;
	fabric->fid.fclass = FI_CLASS_FABRIC;
	fabric->fid.ops = &plain_ops;
	fabric->ops = &fabric_ops;
	*out = fabric;
	return 0;
}

uint32_t fi_version(void) { return API; }

const char *fi_strerror(int e)
{
	return e == FI_ENODATA ? "No data available" : e == FI_EOPNOTSUPP ? "Operation not supported" : "fake error";
}

static char *text(const char *from) { return from ? strdup(from) : NULL; }

struct fi_info *fi_dupinfo(const struct fi_info *from)
{
	struct fi_info *info = calloc(1, sizeof *info);
	if (from)
		*info = *from;
	info->next = NULL;
	info->tx_attr = calloc(1, 512);
	info->rx_attr = calloc(1, 512);
	info->ep_attr = calloc(1, 512);
	info->domain_attr = calloc(1, 512);
	info->fabric_attr = calloc(1, 512);
	if (from) {
		*info->tx_attr = *from->tx_attr;
		*info->rx_attr = *from->rx_attr;
		*info->ep_attr = *from->ep_attr;
		*info->domain_attr = *from->domain_attr;
		*info->fabric_attr = *from->fabric_attr;
		info->domain_attr->name = text(from->domain_attr->name);
		info->fabric_attr->name = text(from->fabric_attr->name);
		info->fabric_attr->prov_name = text(from->fabric_attr->prov_name);
	}
	return info;
}

void fi_freeinfo(struct fi_info *info)
{
	while (info) {
		struct fi_info *next = info->next;
		free(info->domain_attr->name);
		free(info->fabric_attr->name);
		free(info->fabric_attr->prov_name);
		free(info->tx_attr);
		free(info->rx_attr);
		free(info->ep_attr);
		free(info->domain_attr);
		free(info->fabric_attr);
		free(info);
		info = next;
	}
}

int fi_getinfo(uint32_t version, const char *node, const char *service, uint64_t flags, const struct fi_info *hints,
	struct fi_info **out)
{
	(void) version, (void) node, (void) service, (void) flags;
	struct fi_info *info = fi_dupinfo(NULL);
	info->caps = FI_MSG | FI_RMA | FI_READ | FI_WRITE | FI_REMOTE_READ | FI_REMOTE_WRITE | (hints->caps & FI_HMEM);
	info->ep_attr->type = FI_EP_RDM;
	info->ep_attr->max_msg_size = 1 << 30;
	info->domain_attr->threading = FI_THREAD_SAFE;
	info->domain_attr->data_progress = FI_PROGRESS_AUTO;
	info->domain_attr->mr_mode = FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_LOCAL | FI_MR_HMEM | MODE;
	info->domain_attr->mr_key_size = 8;
	info->domain_attr->name = strdup("fake0");
	info->fabric_attr->name = strdup("fake");
	info->fabric_attr->prov_name = strdup("tcp");
	info->tx_attr->size = 256;
	info->tx_attr->iov_limit = info->tx_attr->rma_iov_limit = 4;
	*out = info;
	return 0;
}
