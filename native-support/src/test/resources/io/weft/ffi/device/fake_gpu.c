/*
 * A driver library without a GPU, built by the tests as libcuda.so.1 (-DFAKE_CUDA) or libamdhip64.so (-DFAKE_HIP).
 * Device memory is a memfd mapped twice: PROT_NONE at the "device address", so that a CPU access is caught, and readable
 * and writable at an address that only this file knows. Each stream copies on a thread of its own.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define DEVICES 2
#define MOST_ALLOCATIONS 1024
#define RING 4096

enum { OK = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NOT_SUPPORTED = 801, INVALID_HANDLE = 400, NOT_READY = 600 };

struct allocation { uint64_t device, shadow, size; int owner, fd; };
static struct allocation allocations[MOST_ALLOCATIONS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread int current_device = -1;
static int flushes, sync_memops;

struct work { uint64_t to, from, size; };
struct stream {
  pthread_t thread; pthread_mutex_t lock; pthread_cond_t wake, idle;
  struct work ring[RING]; uint64_t queued, done; int stop;
};
struct event { struct stream *stream; uint64_t at; };

static struct allocation *find(uint64_t address) {
  for (int i = 0; i < MOST_ALLOCATIONS; i++)
    if (allocations[i].size && address >= allocations[i].device && address - allocations[i].device < allocations[i].size)
      return &allocations[i];
  return NULL;
}

static uint64_t shadow_of(uint64_t address, uint64_t size) {
  pthread_mutex_lock(&lock);
  struct allocation *a = find(address);
  uint64_t at = a && size <= a->size - (address - a->device) ? a->shadow + (address - a->device) : 0;
  pthread_mutex_unlock(&lock);
  return at;
}

static int fake_alloc(uint64_t *out, uint64_t size) {
  if (current_device < 0) return INVALID_HANDLE;
  if (size == 0 || size > 1ull << 36) return size ? OUT_OF_MEMORY : INVALID_VALUE;
  int fd = memfd_create("fake-gpu", MFD_CLOEXEC);
  if (fd < 0 || ftruncate(fd, size) != 0) return OUT_OF_MEMORY;
  void *device = mmap(NULL, size, PROT_NONE, MAP_SHARED, fd, 0);
  void *shadow = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (device == MAP_FAILED || shadow == MAP_FAILED) return OUT_OF_MEMORY;
  int rc = OUT_OF_MEMORY;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < MOST_ALLOCATIONS && rc; i++)
    if (!allocations[i].size) {
      allocations[i] = (struct allocation){(uint64_t)device, (uint64_t)shadow, size, current_device, fd};
      rc = OK;
    }
  pthread_mutex_unlock(&lock);
  *out = (uint64_t)device;
  return rc;
}

static int fake_free(uint64_t address) {
  pthread_mutex_lock(&lock);
  struct allocation *a = find(address);
  if (!a || a->device != address) { pthread_mutex_unlock(&lock); return INVALID_VALUE; }
  munmap((void *)a->device, a->size);
  munmap((void *)a->shadow, a->size);
  close(a->fd);
  a->size = 0;
  pthread_mutex_unlock(&lock);
  return OK;
}

static void *copy_thread(void *p) {
  struct stream *s = p;
  pthread_mutex_lock(&s->lock);
  for (;;) {
    while (s->done == s->queued && !s->stop) pthread_cond_wait(&s->wake, &s->lock);
    if (s->done == s->queued) break;
    struct work w = s->ring[s->done % RING];
    pthread_mutex_unlock(&s->lock);
    memcpy((void *)w.to, (void *)w.from, w.size);
    pthread_mutex_lock(&s->lock);
    s->done++;
    pthread_cond_broadcast(&s->idle);
  }
  pthread_mutex_unlock(&s->lock);
  return NULL;
}

static int fake_stream_create(struct stream **out, unsigned flags) {
  (void)flags;
  struct stream *s = calloc(1, sizeof *s);
  pthread_mutex_init(&s->lock, NULL);
  pthread_cond_init(&s->wake, NULL);
  pthread_cond_init(&s->idle, NULL);
  if (pthread_create(&s->thread, NULL, copy_thread, s)) return OUT_OF_MEMORY;
  *out = s;
  return OK;
}

static int fake_copy(uint64_t to, uint64_t from, uint64_t size, struct stream *s) {
  if (!to || !from) return INVALID_VALUE;
  pthread_mutex_lock(&s->lock);
  while (s->queued - s->done == RING) pthread_cond_wait(&s->idle, &s->lock);
  s->ring[s->queued++ % RING] = (struct work){to, from, size};
  pthread_cond_signal(&s->wake);
  pthread_mutex_unlock(&s->lock);
  return OK;
}

static int fake_stream_synchronize(struct stream *s) {
  pthread_mutex_lock(&s->lock);
  while (s->done != s->queued) pthread_cond_wait(&s->idle, &s->lock);
  pthread_mutex_unlock(&s->lock);
  return OK;
}

static int fake_stream_destroy(struct stream *s) {
  pthread_mutex_lock(&s->lock);
  s->stop = 1;
  pthread_cond_signal(&s->wake);
  pthread_mutex_unlock(&s->lock);
  pthread_join(s->thread, NULL);
  free(s);
  return OK;
}

static int fake_event_create(struct event **out, unsigned flags) {
  (void)flags;
  *out = calloc(1, sizeof **out);
  return OK;
}

static int fake_event_record(struct event *e, struct stream *s) {
  pthread_mutex_lock(&s->lock);
  e->stream = s;
  e->at = s->queued;
  pthread_mutex_unlock(&s->lock);
  return OK;
}

static int fake_event_query(struct event *e) {
  if (!e->stream) return OK;
  pthread_mutex_lock(&e->stream->lock);
  int reached = e->stream->done >= e->at;
  pthread_mutex_unlock(&e->stream->lock);
  return reached ? OK : NOT_READY;
}

static int fake_event_destroy(struct event *e) { free(e); return OK; }

static int fake_pointer_get(void *out, int attribute, uint64_t address) {
  pthread_mutex_lock(&lock);
  struct allocation *a = find(address);
  int owner = a ? a->owner : -1;
  pthread_mutex_unlock(&lock);
  if (owner < 0) return INVALID_VALUE;
  if (attribute == 2) *(int *)out = 2;
  else if (attribute == 9) *(int *)out = owner;
  else return INVALID_VALUE;
  return OK;
}

static int fake_range(uint64_t *base, uint64_t *size, uint64_t address) {
  pthread_mutex_lock(&lock);
  struct allocation *a = find(address);
  if (a) { *base = a->device; *size = a->size; }
  pthread_mutex_unlock(&lock);
  return a ? OK : INVALID_VALUE;
}

/* The "dma-buf" is a duplicate of the memfd: the export must start where the allocation does for offsets to be right. */
static int fake_export(int *fd, uint64_t address, uint64_t size, int type, uint64_t flags) {
  if (type != 1 || flags || address % 4096 || size % 4096) return INVALID_VALUE;
  pthread_mutex_lock(&lock);
  struct allocation *a = find(address);
  *fd = a ? dup(a->fd) : -1;
  pthread_mutex_unlock(&lock);
  return *fd >= 0 ? OK : INVALID_VALUE;
}

static int fake_text(char *out, int length, int device, const char *prefix) {
  if (device < 0 || device >= DEVICES) return INVALID_VALUE;
  char text[64];
  int n = 0;
  while (prefix[n]) { text[n] = prefix[n]; n++; }
  text[n++] = '0' + device;
  text[n] = 0;
  strncpy(out, text, length);
  return OK;
}

static const char *fake_error(int status) {
  return status == INVALID_VALUE ? "FAKE_INVALID_VALUE" : status == OUT_OF_MEMORY ? "FAKE_OUT_OF_MEMORY" : "FAKE_ERROR";
}

/* For tests. */
int fake_flushes(void) { return flushes; }
int fake_sync_memops(void) { return sync_memops; }

#ifdef FAKE_CUDA
int cuInit(unsigned f) { (void)f; return OK; }
int cuGetErrorName(int s, const char **out) { *out = fake_error(s); return OK; }
int cuDeviceGetCount(int *n) { *n = DEVICES; return OK; }
int cuDeviceGet(int *d, int i) { *d = i; return OK; }
int cuDeviceGetName(char *o, int n, int d) { return fake_text(o, n, d, "Fake CUDA device "); }
int cuDeviceGetPCIBusId(char *o, int n, int d) { return fake_text(o, n, d, "0000:FA:00."); }
int cuDeviceGetAttribute(int *o, int a, int d) { (void)d; *o = a == 124; return OK; }
int cuDevicePrimaryCtxRetain(uint64_t *c, int d) { *c = 100 + d; return OK; }
int cuDevicePrimaryCtxRelease_v2(int d) { (void)d; return OK; }
int cuCtxSetCurrent(uint64_t c) { current_device = (int)c - 100; return OK; }
int cuMemAlloc_v2(uint64_t *o, uint64_t n) { return fake_alloc(o, n); }
int cuMemFree_v2(uint64_t a) { return fake_free(a); }
int cuMemcpyDtoHAsync_v2(uint64_t h, uint64_t d, uint64_t n, struct stream *s) { return fake_copy(h, shadow_of(d, n), n, s); }
int cuMemcpyHtoDAsync_v2(uint64_t d, uint64_t h, uint64_t n, struct stream *s) { return fake_copy(shadow_of(d, n), h, n, s); }
int cuStreamCreate(struct stream **o, unsigned f) { return fake_stream_create(o, f); }
int cuStreamDestroy_v2(struct stream *s) { return fake_stream_destroy(s); }
int cuStreamSynchronize(struct stream *s) { return fake_stream_synchronize(s); }
int cuEventCreate(struct event **o, unsigned f) { return fake_event_create(o, f); }
int cuEventRecord(struct event *e, struct stream *s) { return fake_event_record(e, s); }
int cuEventQuery(struct event *e) { return fake_event_query(e); }
int cuEventDestroy_v2(struct event *e) { return fake_event_destroy(e); }
int cuPointerGetAttribute(void *o, int a, uint64_t p) { return fake_pointer_get(o, a, p); }
int cuPointerSetAttribute(const void *v, int a, uint64_t p) { sync_memops += a == 6 && *(const int *)v && find(p); return OK; }
int cuMemGetAddressRange_v2(uint64_t *b, uint64_t *s, uint64_t p) { return fake_range(b, s, p); }
int cuMemGetHandleForAddressRange(int *o, uint64_t p, uint64_t n, int t, uint64_t f) { return fake_export(o, p, n, t, f); }
int cuFlushGPUDirectRDMAWrites(int t, int s) { flushes += t == 0 && s == 200; return OK; }
#endif

#ifdef FAKE_HIP
int hipInit(unsigned f) { (void)f; return OK; }
const char *hipGetErrorName(int s) { return fake_error(s); }
int hipGetDeviceCount(int *n) { *n = DEVICES; return OK; }
int hipDeviceGetName(char *o, int n, int d) { return fake_text(o, n, d, "Fake HIP device "); }
int hipDeviceGetPCIBusId(char *o, int n, int d) { return fake_text(o, n, d, "0000:FB:00."); }
int hipSetDevice(int d) { current_device = d; return OK; }
int hipDeviceSynchronize(void) { flushes++; return OK; }
int hipMalloc(uint64_t *o, uint64_t n) { return fake_alloc(o, n); }
int hipFree(uint64_t a) { return fake_free(a); }
int hipMemcpyAsync(uint64_t to, uint64_t from, uint64_t n, int kind, struct stream *s) {
  return kind == 1 ? fake_copy(shadow_of(to, n), from, n, s)
       : kind == 2 ? fake_copy(to, shadow_of(from, n), n, s) : INVALID_VALUE;
}
int hipStreamCreateWithFlags(struct stream **o, unsigned f) { return fake_stream_create(o, f); }
int hipStreamDestroy(struct stream *s) { return fake_stream_destroy(s); }
int hipStreamSynchronize(struct stream *s) { return fake_stream_synchronize(s); }
int hipEventCreateWithFlags(struct event **o, unsigned f) { return fake_event_create(o, f); }
int hipEventRecord(struct event *e, struct stream *s) { return fake_event_record(e, s); }
int hipEventQuery(struct event *e) { return fake_event_query(e); }
int hipEventDestroy(struct event *e) { return fake_event_destroy(e); }
int hipPointerGetAttribute(void *o, int a, uint64_t p) { return fake_pointer_get(o, a, p); }
int hipMemGetAddressRange(uint64_t *b, uint64_t *s, uint64_t p) { return fake_range(b, s, p); }
int hipMemGetHandleForAddressRange(int *o, uint64_t p, uint64_t n, int t, uint64_t f) { return fake_export(o, p, n, t, f); }
#endif
