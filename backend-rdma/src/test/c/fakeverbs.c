/*
 * A libibverbs for tests, free of installed headers: devices of one process that reach each other by memcpy, with the checks of keys,
 * bounds, rights, states and depths that a NIC makes. -DDEVICES=n devices, -DLIST_ERRNO=e without a list, -DOPEN_ERRNO=e refused on
 * opening, -DPORT_STATE=s (4 is active), -DNO_DMABUF without ibv_reg_dmabuf_mr, -DMOST_INLINE=n bytes inline at most, -DIDLE: posting
 * and polling do next to nothing, to measure what is above them.
 *
 * fake_* functions are the tests' hands: they hold requests back, spoil them, and raise events.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#ifndef DEVICES
#define DEVICES 1
#endif
#ifndef PORT_STATE
#define PORT_STATE 4
#endif

#ifndef MOST_INLINE
#define MOST_INLINE 64
#endif

enum { SGES = 32, OBJECTS = 4096, EVENTS = 1024, INLINE = MOST_INLINE };
enum { RESET, INIT, RTR, RTS, SQD, SQE, ERR };
enum { WRITE = 0, SEND = 2, READ = 4, SIGNALED = 2, INLINED = 8 };
enum { LOCAL_WRITE = 1, REMOTE_WRITE = 2, REMOTE_READ = 4 };
enum { LOC_PROT_ERR = 4, FLUSH_ERR = 5, REM_INV_REQ_ERR = 9, REM_ACCESS_ERR = 10, RETRY_EXC_ERR = 12, RNR_ERR = 13 };
enum { INIT_MASK = 57, RTR_MASK = 1216897, RTS_MASK = 77313 };

struct device { char name[64]; int index; };

struct context {
	struct device *device;
	void *ops[32];
	int cmd_fd, async_fd, vectors;
	pthread_mutex_t mutex;
	void *abi_compat;
	struct async_event { uint64_t element; int type; } events[EVENTS];
	unsigned first, last;
};

struct device_attr {
	char fw_ver[64];
	uint64_t node_guid, sys_image_guid, max_mr_size, page_size_cap;
	uint32_t vendor_id, vendor_part_id, hw_ver;
	int max_qp, max_qp_wr, device_cap_flags, max_sge, max_sge_rd, max_cq, max_cqe, max_mr, max_pd;
	int max_qp_rd_atom, max_ee_rd_atom, max_res_rd_atom, max_qp_init_rd_atom, max_ee_init_rd_atom;
	int unused[15];
	uint16_t max_pkeys;
	uint8_t local_ca_ack_delay, phys_port_cnt;
};

struct port_attr {
	int state, max_mtu, active_mtu, gid_tbl_len;
	uint32_t port_cap_flags, max_msg_sz, bad_pkey_cntr, qkey_viol_cntr;
	uint16_t pkey_tbl_len, lid, sm_lid;
	uint8_t lmc, max_vl_num, sm_sl, subnet_timeout, init_type_reply, active_width, active_speed, phys_state, link_layer, flags;
};

struct pd { struct context *context; uint32_t handle; };
struct mr { struct context *context; struct pd *pd; void *addr; size_t length; uint32_t handle, lkey, rkey; int access; };
struct cq;
struct channel { struct context *context; int fd, refcnt; struct cq *events[EVENTS]; unsigned count; };
struct wc {
	uint64_t wr_id;
	int status, opcode;
	uint32_t vendor_err, byte_len, imm_data, qp_num, src_qp;
	int wc_flags;
	uint16_t pkey_index, slid;
	uint8_t sl, dlid_path_bits;
};
struct cqe { struct wc wc; int covers; };
struct cq { struct channel *channel; int capacity, count, first, armed; struct cqe *ring; };
struct sge { uint64_t addr; uint32_t length, lkey; };
struct send_wr {
	uint64_t wr_id;
	struct send_wr *next;
	struct sge *sg_list;
	int num_sge, opcode, send_flags;
	uint32_t imm_data;
	uint64_t remote_addr;
	uint32_t rkey;
	char room[76];
};
struct recv_wr { uint64_t wr_id; struct recv_wr *next; struct sge *sg_list; int num_sge; };
struct request { uint64_t id, remote; int opcode, flags, sges; uint32_t rkey; struct sge sge[SGES]; char data[INLINE]; };
struct receive { uint64_t id; struct sge sge; };
struct qp {
	struct context *context;
	void *qp_context;
	struct pd *pd;
	struct cq *send_cq, *recv_cq;
	void *srq;
	uint32_t handle, qp_num;
	char rest[104];
	int state, access, mtu, reads_in, reads_out, max_send, max_recv, max_sge, max_inline;
	uint32_t rq_psn, sq_psn, peer;
	/* Requests stay in the queue until a completion that covers them was polled: used counts those too. */
	int queued, first, used, covers, receives, first_receive;
	struct request *queue;
	struct receive *receive;
};
struct ah { uint64_t dgid[2]; uint32_t flow; uint8_t sgid_index, hop, tc; uint16_t dlid; uint8_t sl, bits, rate, global, port; };
struct qp_attr {
	int qp_state, cur_qp_state, path_mtu, mig;
	uint32_t qkey, rq_psn, sq_psn, dest_qp_num, access, cap[5];
	struct ah ah, alt;
	uint16_t pkey, alt_pkey;
	uint8_t sqd, draining, max_rd_atomic, max_dest_rd_atomic, min_rnr_timer, port_num, timeout, retry_cnt, rnr_retry;
	uint8_t alt_port, alt_timeout;
	uint32_t rate_limit;
};
struct qp_init { void *qp_context; struct cq *send_cq, *recv_cq; void *srq; uint32_t cap[5]; int type, sq_sig_all; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct device devices[DEVICES + 1];
static struct context *contexts[OBJECTS];
static struct mr *mrs[OBJECTS];
static struct qp *qps[OBJECTS];
static uint32_t mr_serial, qp_serial;
static int opened, objects, overruns, doorbells, posted;
static int held, lost, fail_after = -1, fail_status, post_errno, down[DEVICES + 1];
static uint32_t fail_vendor;

#define LOCKED(type, expression) do { pthread_mutex_lock(&lock); type r = (expression); pthread_mutex_unlock(&lock); return r; } while (0)

int fake_open_contexts(void) { return opened; }
/* Domains, registrations, channels, queues and queue pairs that exist. */
int fake_objects(void) { LOCKED(int, objects); }
int fake_overruns(void) { LOCKED(int, overruns); }
int fake_doorbells(void) { LOCKED(int, doorbells); }
int fake_posted(void) { LOCKED(int, posted); }

static void raise_event(struct context *context, int type, uint64_t element)
{
	if (context->last - context->first < EVENTS) {
		context->events[context->last++ % EVENTS] = (struct async_event) {element, type};
		eventfd_write(context->async_fd, 1);
	}
}

static void push(struct cq *cq, struct qp *qp, uint64_t id, int status, int opcode, uint32_t bytes, int covers)
{
	if (status == 0 && lost > 0 && opcode != 128) {
		lost--;
		return;
	}
	if (cq->count == cq->capacity) {
		overruns++;
		return;
	}
	struct cqe *cqe = &cq->ring[(cq->first + cq->count++) % cq->capacity];
	*cqe = (struct cqe) {.covers = covers};
	cqe->wc.wr_id = id;
	cqe->wc.status = status;
	cqe->wc.opcode = opcode;
	cqe->wc.byte_len = bytes;
	cqe->wc.qp_num = qp->qp_num;
	cqe->wc.vendor_err = status && status != FLUSH_ERR ? fail_vendor : 0;
	if (cq->armed && cq->channel && cq->channel->count < EVENTS) {
		cq->armed = 0;
		cq->channel->events[cq->channel->count++] = cq;
		eventfd_write(cq->channel->fd, 1);
	}
}

static struct mr *region(struct pd *pd, uint32_t key, uint64_t addr, uint64_t length, int access)
{
	struct mr *mr = mrs[key % OBJECTS];
	if (!mr || mr->lkey != key || mr->pd != pd || (mr->access & access) != access)
		return NULL;
	uint64_t offset = addr - (uint64_t) mr->addr;
	return offset <= mr->length && length <= mr->length - offset ? mr : NULL;
}

/* The other end, if both ends agree about each other. */
static struct qp *other(struct qp *qp)
{
	struct qp *peer = qps[qp->peer % OBJECTS];
	if (!peer || peer->qp_num != qp->peer || peer->peer != qp->qp_num || (peer->state != RTR && peer->state != RTS))
		return NULL;
	if (peer->rq_psn != qp->sq_psn || peer->mtu != qp->mtu)
		return NULL;
	return down[qp->context->device->index] || down[peer->context->device->index] ? NULL : peer;
}

static int deliver(struct qp *peer, struct request *r)
{
	if (!peer->receives)
		return RNR_ERR;
	struct receive *into = &peer->receive[peer->first_receive];
	uint32_t length = r->sge[0].length;
	if (length > into->sge.length || !region(peer->pd, into->sge.lkey, into->sge.addr, length, LOCAL_WRITE))
		return REM_INV_REQ_ERR;
	memcpy((void *) into->sge.addr, r->flags & INLINED ? r->data : (char *) r->sge[0].addr, length);
	peer->first_receive = (peer->first_receive + 1) % peer->max_recv;
	peer->receives--;
	push(peer->recv_cq, peer, into->id, 0, 128, length, 0);
	return 0;
}

static int execute(struct qp *qp, struct request *r)
{
	if (fail_after >= 0 && fail_after-- == 0)
		return fail_status;
	uint64_t total = 0;
	for (int i = 0; i < r->sges; i++) {
		int here = r->opcode == READ ? LOCAL_WRITE : 0;
		if (!(r->flags & INLINED) && !region(qp->pd, r->sge[i].lkey, r->sge[i].addr, r->sge[i].length, here))
			return LOC_PROT_ERR;
		total += r->sge[i].length;
	}
	struct qp *peer = other(qp);
	if (!peer)
		return RETRY_EXC_ERR;
	if (r->opcode == SEND)
		return deliver(peer, r);
	int right = r->opcode == WRITE ? REMOTE_WRITE : REMOTE_READ;
	if (r->opcode == READ && qp->reads_out > peer->reads_in)
		return REM_INV_REQ_ERR;
	if (!(peer->access & right) || !region(peer->pd, r->rkey, r->remote, total, right))
		return REM_ACCESS_ERR;
	uint64_t at = r->remote;
	for (int i = 0; i < r->sges; at += r->sge[i++].length)
		if (r->opcode == WRITE)
			memcpy((void *) at, r->flags & INLINED ? r->data : (char *) r->sge[i].addr, r->sge[i].length);
		else
			memcpy((void *) r->sge[i].addr, (void *) at, r->sge[i].length);
	return 0;
}

static void flush(struct qp *qp)
{
	qp->state = ERR;
	for (; qp->queued; qp->queued--, qp->first = (qp->first + 1) % qp->max_send) {
		push(qp->send_cq, qp, qp->queue[qp->first].id, FLUSH_ERR, 0, 0, qp->covers + 1);
		qp->covers = 0;
	}
	for (; qp->receives; qp->receives--, qp->first_receive = (qp->first_receive + 1) % qp->max_recv)
		push(qp->recv_cq, qp, qp->receive[qp->first_receive].id, FLUSH_ERR, 128, 0, 0);
}

/* Carries out up to most requests of a queue pair. */
static int run(struct qp *qp, int most)
{
	int done = 0;
	while (qp->queued && qp->state == RTS && done < most) {
		struct request *r = &qp->queue[qp->first];
		int status = execute(qp, r);
		qp->first = (qp->first + 1) % qp->max_send;
		qp->queued--;
		qp->covers++;
		done++;
		if (status || r->flags & SIGNALED) {
			push(qp->send_cq, qp, r->id, status, r->opcode == WRITE ? 1 : r->opcode == READ ? 2 : 0, 0, qp->covers);
			qp->covers = 0;
		}
		if (status)
			flush(qp);
	}
	return done;
}

static int run_all(int most)
{
	int done = 0;
	for (int i = 0; i < OBJECTS; i++)
		if (qps[i])
			done += run(qps[i], most - done);
	return done;
}

/* Requests posted from now on stay unexecuted. */
void fake_hold(void) { pthread_mutex_lock(&lock); held = 1; pthread_mutex_unlock(&lock); }
/* Executes so many of them; how many there were. */
int fake_step(int most) { LOCKED(int, run_all(most)); }
void fake_release(void) { pthread_mutex_lock(&lock); held = 0; run_all(1 << 30); pthread_mutex_unlock(&lock); }
/* The request after so many more ends with this status. */
void fake_fail(int after, int status, uint32_t vendor)
{
	pthread_mutex_lock(&lock);
	fail_after = after;
	fail_status = status;
	fail_vendor = vendor;
	pthread_mutex_unlock(&lock);
}
/* So many successful completions of sends never arrive. */
void fake_lose(int completions) { pthread_mutex_lock(&lock); lost = completions; pthread_mutex_unlock(&lock); }
/* The next call of post_send takes the first half of its chain and fails. */
void fake_refuse_post(int error) { pthread_mutex_lock(&lock); post_errno = error; pthread_mutex_unlock(&lock); }
/* No packet gets through to or from a device. */
void fake_link_down(int device, int off) { pthread_mutex_lock(&lock); down[device] = off; pthread_mutex_unlock(&lock); }
/* The device tells all who opened it. */
void fake_async(int device, int type, uint32_t element)
{
	pthread_mutex_lock(&lock);
	for (int i = 0; i < OBJECTS; i++)
		if (contexts[i] && contexts[i]->device->index == device)
			raise_event(contexts[i], type, element);
	pthread_mutex_unlock(&lock);
}

static int post_send(struct qp *qp, struct send_wr *wr, struct send_wr **bad)
{
	pthread_mutex_lock(&lock);
	int error = 0, length = 0, n = 0;
	doorbells++;
	for (struct send_wr *w = wr; w; w = w->next)
		length++;
	for (; wr && !error; wr = wr->next, n++) {
		if (qp->state != RTS && qp->state != ERR)
			error = EINVAL;
		else if (qp->used == qp->max_send)
			error = ENOMEM;
		else if (wr->num_sge > qp->max_sge)
			error = EINVAL;
		else if (wr->send_flags & INLINED && (wr->num_sge != 1 || (int) wr->sg_list->length > qp->max_inline))
			error = EINVAL;
		else if (post_errno && n >= length / 2)
			error = post_errno;
		if (error) {
			post_errno = 0;
			*bad = wr;
			break;
		}
		struct request *r = &qp->queue[(qp->first + qp->queued++) % qp->max_send];
		*r = (struct request) {wr->wr_id, wr->remote_addr, wr->opcode, wr->send_flags, wr->num_sge, wr->rkey, {{0}}, {0}};
		memcpy(r->sge, wr->sg_list, wr->num_sge * sizeof *r->sge);
		if (wr->send_flags & INLINED)
			memcpy(r->data, (void *) wr->sg_list->addr, wr->sg_list->length);
		qp->used++;
		posted++;
	}
	if (qp->state == ERR)
		flush(qp);
	else if (!held)
		run(qp, 1 << 30);
	pthread_mutex_unlock(&lock);
	return error;
}

static int post_recv(struct qp *qp, struct recv_wr *wr, struct recv_wr **bad)
{
	pthread_mutex_lock(&lock);
	int error = 0;
	for (; wr && !error; wr = wr->next) {
		if (qp->state == RESET || wr->num_sge != 1)
			error = EINVAL;
		else if (qp->receives == qp->max_recv)
			error = ENOMEM;
		else
			qp->receive[(qp->first_receive + qp->receives++) % qp->max_recv] = (struct receive) {wr->wr_id, *wr->sg_list};
		if (error)
			*bad = wr;
	}
	if (qp->state == ERR)
		flush(qp);
	pthread_mutex_unlock(&lock);
	return error;
}

static int poll_cq(struct cq *cq, int most, struct wc *out)
{
	pthread_mutex_lock(&lock);
	int n = 0;
	for (; n < most && cq->count; n++, cq->count--, cq->first = (cq->first + 1) % cq->capacity) {
		struct cqe *cqe = &cq->ring[cq->first];
		out[n] = cqe->wc;
		struct qp *qp = qps[cqe->wc.qp_num % OBJECTS];
		if (qp && qp->qp_num == cqe->wc.qp_num)
			qp->used -= cqe->covers;
	}
	pthread_mutex_unlock(&lock);
	return n;
}

#ifdef IDLE
/* One thread at a time. Remembers the last request of each chain, for the poll after it. */
static int idle_post(struct qp *qp, struct send_wr *wr, struct send_wr **bad)
{
	(void) bad;
	if (qp->state != RTS)
		return EINVAL;
	while (wr->next)
		wr = wr->next;
	struct cq *cq = qp->send_cq;
	cq->ring[(cq->first + cq->count++) % cq->capacity].wc.wr_id = wr->wr_id;
	return 0;
}

static int idle_poll(struct cq *cq, int most, struct wc *out)
{
	int n = 0;
	for (; n < most && cq->count; n++, cq->count--, cq->first = (cq->first + 1) % cq->capacity) {
		out[n].wr_id = cq->ring[cq->first].wc.wr_id;
		out[n].status = 0;
	}
	return n;
}
#endif

static int req_notify_cq(struct cq *cq, int solicited)
{
	(void) solicited;
	pthread_mutex_lock(&lock);
	cq->armed = 1;
	pthread_mutex_unlock(&lock);
	return 0;
}

struct device **ibv_get_device_list(int *count)
{
#ifdef LIST_ERRNO
	errno = LIST_ERRNO;
	return NULL;
#endif
	struct device **list = calloc(DEVICES + 1, sizeof *list);
	for (int i = 0; i < DEVICES; i++) {
		snprintf(devices[i].name, sizeof devices[i].name, "fake%d", i);
		devices[i].index = i;
		list[i] = &devices[i];
	}
	*count = DEVICES;
	return list;
}

void ibv_free_device_list(struct device **list) { free(list); }

const char *ibv_get_device_name(struct device *device) { return device->name; }

struct context *ibv_open_device(struct device *device)
{
#ifdef OPEN_ERRNO
	errno = OPEN_ERRNO;
	return NULL;
#endif
	struct context *context = calloc(1, sizeof *context);
	context->device = device;
	context->async_fd = eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC);
	context->ops[11] = poll_cq;
	context->ops[12] = req_notify_cq;
	context->ops[25] = post_send;
	context->ops[26] = post_recv;
#ifdef IDLE
	context->ops[11] = idle_poll;
	context->ops[25] = idle_post;
#endif
	pthread_mutex_lock(&lock);
	int slot = 0;
	while (contexts[slot])
		slot++;
	contexts[slot] = context;
	opened++;
	pthread_mutex_unlock(&lock);
	return context;
}

int ibv_close_device(struct context *context)
{
	pthread_mutex_lock(&lock);
	for (int i = 0; i < OBJECTS; i++)
		if (contexts[i] == context)
			contexts[i] = NULL;
	opened--;
	pthread_mutex_unlock(&lock);
	close(context->async_fd);
	free(context);
	return 0;
}

int ibv_query_device(struct context *context, struct device_attr *attr)
{
	(void) context;
	memset(attr, 0, sizeof *attr);
	strcpy(attr->fw_ver, "1.2.3");
	attr->max_mr_size = UINT64_MAX;
	attr->max_qp = 1000;
	attr->max_qp_wr = 4096;
	attr->max_sge = attr->max_sge_rd = 30;
	attr->max_cqe = 65536;
	attr->max_mr = 1 << 16;
	attr->max_qp_rd_atom = attr->max_qp_init_rd_atom = 16;
	attr->phys_port_cnt = 1;
	return 0;
}

int ibv_query_port(struct context *context, uint8_t port, struct port_attr *attr)
{
	(void) context;
	if (port != 1)
		return EINVAL;
	attr->state = PORT_STATE;
	attr->active_mtu = 5;
	attr->gid_tbl_len = 3;
	attr->max_msg_sz = 1u << 30;
	attr->link_layer = 2;
	return 0;
}

int ibv_query_gid(struct context *context, uint8_t port, int index, uint8_t gid[16])
{
	(void) context;
	memset(gid, 0, 16);
	gid[15] = index;
	return port == 1 ? 0 : -1;
}

static void count(int more)
{
	pthread_mutex_lock(&lock);
	objects += more;
	pthread_mutex_unlock(&lock);
}

struct pd *ibv_alloc_pd(struct context *context)
{
	struct pd *pd = calloc(1, sizeof *pd);
	pd->context = context;
	count(1);
	return pd;
}

int ibv_dealloc_pd(struct pd *pd)
{
	count(-1);
	free(pd);
	return 0;
}

static int last_fd, last_access;
static uint64_t last_offset;

int fake_last_dmabuf(void) { return last_fd; }

int fake_last_offset(void) { return (int) last_offset; }

int fake_last_access(void) { return last_access; }

/* Names bytes by their own addresses only. */
struct mr *ibv_reg_mr_iova2(struct pd *pd, void *addr, size_t length, uint64_t iova, int access)
{
	if (iova != (uintptr_t) addr) {
		errno = EINVAL;
		return NULL;
	}
	struct mr *mr = calloc(1, sizeof *mr);
	*mr = (struct mr) {pd->context, pd, addr, length, 0, 0, 0, access};
	last_access = access;
	pthread_mutex_lock(&lock);
	for (int tries = 0; tries < OBJECTS && !mr->lkey; tries++)
		if (!mrs[++mr_serial % OBJECTS] && mr_serial) {
			mr->lkey = mr->rkey = mr_serial;
			mrs[mr_serial % OBJECTS] = mr;
			objects++;
		}
	pthread_mutex_unlock(&lock);
	if (mr->lkey)
		return mr;
	free(mr);
	errno = ENOMEM;
	return NULL;
}

#ifndef NO_DMABUF
/* The dma-buf is taken to be mapped where requests name it. */
struct mr *ibv_reg_dmabuf_mr(struct pd *pd, uint64_t offset, size_t length, uint64_t iova, int fd, int access)
{
	if ((offset ^ iova) & 4095) {
		errno = EINVAL;
		return NULL;
	}
	last_fd = fd;
	last_offset = offset;
	return ibv_reg_mr_iova2(pd, (void *) (uintptr_t) iova, length, iova, access);
}
#endif

int ibv_dereg_mr(struct mr *mr)
{
	pthread_mutex_lock(&lock);
	mrs[mr->lkey % OBJECTS] = NULL;
	objects--;
	pthread_mutex_unlock(&lock);
	free(mr);
	return 0;
}

struct channel *ibv_create_comp_channel(struct context *context)
{
	struct channel *channel = calloc(1, sizeof *channel);
	channel->context = context;
	channel->fd = eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC);
	count(1);
	return channel;
}

int ibv_destroy_comp_channel(struct channel *channel)
{
	if (channel->refcnt)
		return EBUSY;
	count(-1);
	close(channel->fd);
	free(channel);
	return 0;
}

struct cq *ibv_create_cq(struct context *context, int entries, void *user, struct channel *channel, int vector)
{
	(void) context, (void) user, (void) vector;
	struct cq *cq = calloc(1, sizeof *cq);
	cq->channel = channel;
	cq->capacity = entries;
	cq->ring = calloc(entries, sizeof *cq->ring);
	pthread_mutex_lock(&lock);
	channel->refcnt++;
	objects++;
	pthread_mutex_unlock(&lock);
	return cq;
}

int ibv_destroy_cq(struct cq *cq)
{
	pthread_mutex_lock(&lock);
	int busy = 0;
	for (int i = 0; i < OBJECTS; i++)
		busy |= qps[i] && (qps[i]->send_cq == cq || qps[i]->recv_cq == cq);
	if (!busy) {
		struct channel *channel = cq->channel;
		unsigned kept = 0;
		for (unsigned i = 0; i < channel->count; i++) {
			eventfd_t ignored;
			if (channel->events[i] == cq)
				eventfd_read(channel->fd, &ignored);
			else
				channel->events[kept++] = channel->events[i];
		}
		channel->count = kept;
		channel->refcnt--;
		objects--;
	}
	pthread_mutex_unlock(&lock);
	if (busy)
		return EBUSY;
	free(cq->ring);
	free(cq);
	return 0;
}

int ibv_get_cq_event(struct channel *channel, struct cq **cq, void **user)
{
	eventfd_t one;
	if (eventfd_read(channel->fd, &one))
		return -1;
	pthread_mutex_lock(&lock);
	*cq = channel->events[0];
	*user = NULL;
	memmove(channel->events, channel->events + 1, --channel->count * sizeof *channel->events);
	pthread_mutex_unlock(&lock);
	return 0;
}

void ibv_ack_cq_events(struct cq *cq, unsigned events) { (void) cq, (void) events; }

int ibv_get_async_event(struct context *context, struct async_event *event)
{
	eventfd_t one;
	if (eventfd_read(context->async_fd, &one))
		return -1;
	pthread_mutex_lock(&lock);
	*event = context->events[context->first++ % EVENTS];
	pthread_mutex_unlock(&lock);
	return 0;
}

void ibv_ack_async_event(struct async_event *event) { (void) event; }

struct qp *ibv_create_qp(struct pd *pd, struct qp_init *init)
{
	if (init->cap[0] > 4096 || init->cap[2] > SGES || init->cap[4] > INLINE || init->type != 2) {
		errno = EINVAL;
		return NULL;
	}
	struct qp *qp = calloc(1, sizeof *qp);
	qp->context = pd->context;
	qp->pd = pd;
	qp->send_cq = init->send_cq;
	qp->recv_cq = init->recv_cq;
	qp->max_send = init->cap[0];
	qp->max_recv = init->cap[1];
	qp->max_sge = init->cap[2];
	qp->max_inline = init->cap[4];
	qp->queue = calloc(qp->max_send + 1, sizeof *qp->queue);
	qp->receive = calloc(qp->max_recv + 1, sizeof *qp->receive);
	pthread_mutex_lock(&lock);
	while (qps[++qp_serial % OBJECTS] || qp_serial < 17)
		;
	qp->qp_num = qp_serial & 0xffffff;
	qps[qp->qp_num % OBJECTS] = qp;
	objects++;
	pthread_mutex_unlock(&lock);
	return qp;
}

static int modify(struct qp *qp, struct qp_attr *attr, int mask)
{
	switch (attr->qp_state) {
	case INIT:
		if (qp->state != RESET || mask != INIT_MASK)
			return EINVAL;
		qp->access = attr->access;
		break;
	case RTR:
		if (qp->state != INIT || mask != RTR_MASK || attr->path_mtu < 1 || attr->path_mtu > 5)
			return EINVAL;
		qp->mtu = attr->path_mtu;
		qp->peer = attr->dest_qp_num;
		qp->rq_psn = attr->rq_psn;
		qp->reads_in = attr->max_dest_rd_atomic;
		break;
	case RTS:
		if (qp->state != RTR || mask != RTS_MASK || attr->retry_cnt > 7 || attr->rnr_retry > 7)
			return EINVAL;
		qp->sq_psn = attr->sq_psn;
		qp->reads_out = attr->max_rd_atomic;
		break;
	case ERR:
		flush(qp);
		break;
	default:
		return EINVAL;
	}
	qp->state = attr->qp_state;
	return 0;
}

int ibv_modify_qp(struct qp *qp, struct qp_attr *attr, int mask) { LOCKED(int, modify(qp, attr, mask)); }

int ibv_destroy_qp(struct qp *qp)
{
	pthread_mutex_lock(&lock);
	qps[qp->qp_num % OBJECTS] = NULL;
	objects--;
	pthread_mutex_unlock(&lock);
	free(qp->queue);
	free(qp->receive);
	free(qp);
	return 0;
}
