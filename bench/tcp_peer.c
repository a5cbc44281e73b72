/*
 * The true peer of Weft's TCP benchmarks: one process writes blocks from rotating memory over one TCP stream, another
 * receives them into rotating memory, and nothing else happens.
 *
 *   tcp_peer --size BYTES [--working-set BYTES] [--in-flight N] [--seconds S] [--congestion NAME]
 *
 * Blocking sockets, 128 KiB per call at most for neither side: the kernel takes what it takes. The receiver answers each
 * block with one byte once it is in memory; the sender has at most N unanswered blocks. With N = 1 this is what a transfer
 * engine does that waits for each transfer. Prints one line: gigabytes (10^9) per second, median and 99th percentile of
 * the time from the first byte written to the answer, in microseconds.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_SAMPLES = 1 << 22, MAX_IN_FLIGHT = 4096 };

static size_t size = 1 << 20, working_set = 256 << 20;
static int in_flight = 1;
static double seconds = 3;
static const char *congestion;

static void die(const char *what)
{
    fprintf(stderr, "tcp_peer: %s: %s\n", what, strerror(errno));
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

static void tune(int fd)
{
    int one = 1;
    if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one))
        die("TCP_NODELAY");
    if (congestion && setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, congestion, strlen(congestion)))
        die("TCP_CONGESTION");
}

static void receive_all(int fd, size_t slots)
{
    char *m = memory(slots * size);
    for (size_t slot = 0;; slot = slot + 1 == slots ? 0 : slot + 1) {
        for (size_t got = 0; got < size;) {
            ssize_t n = recv(fd, m + slot * size + got, size - got, 0);
            if (n == 0)
                exit(0);
            if (n < 0)
                die("recv");
            got += (size_t)n;
        }
        if (send(fd, "k", 1, 0) != 1)
            exit(0);
    }
}

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void send_all(int fd, size_t slots)
{
    static float sample[MAX_SAMPLES];
    static double posted[MAX_IN_FLIGHT];
    char *m = memory(slots * size), answer[MAX_IN_FLIGHT];
    size_t sent = 0, answered = 0, counted = 0, warm = 0;
    double began = now(), from = began + seconds / 4, end = from + seconds;
    double t = began;
    for (size_t slot = 0; t < end || answered < sent; slot = slot + 1 == slots ? 0 : slot + 1) {
        if (t < end) {
            posted[sent % MAX_IN_FLIGHT] = now();
            for (size_t done = 0; done < size;) {
                ssize_t n = send(fd, m + slot * size + done, size - done, MSG_NOSIGNAL);
                if (n < 0)
                    die("send");
                done += (size_t)n;
            }
            sent++;
        }
        if (sent - answered >= (size_t)in_flight || t >= end) {
            ssize_t n = recv(fd, answer, sizeof answer, 0);
            if (n <= 0)
                die("answer");
            t = now();
            for (; n > 0; n--, answered++) {
                if (t < from)
                    warm = answered + 1;
                else if (counted < MAX_SAMPLES)
                    sample[counted++] = (float)((t - posted[answered % MAX_IN_FLIGHT]) * 1e6);
            }
        }
    }
    double took = t - from;
    qsort(sample, counted, sizeof *sample, by_value);
    printf("%.3f %.1f %.1f\n", (answered - warm) * (double)size / took / 1e9, sample[counted / 2],
           sample[counted * 99 / 100]);
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"size", 1, NULL, 's'},    {"working-set", 1, NULL, 'w'}, {"in-flight", 1, NULL, 'i'},
        {"seconds", 1, NULL, 't'}, {"congestion", 1, NULL, 'c'},  {NULL, 0, NULL, 0}};
    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;)
        switch (o) {
        case 's': size = strtoull(optarg, NULL, 10); break;
        case 'w': working_set = strtoull(optarg, NULL, 10); break;
        case 'i': in_flight = atoi(optarg); break;
        case 't': seconds = atof(optarg); break;
        case 'c': congestion = optarg; break;
        default: return 2;
        }
    if (size < 1 || in_flight < 1 || in_flight > MAX_IN_FLIGHT) {
        fprintf(stderr, "tcp_peer: --size must be at least 1, --in-flight 1 to %d\n", MAX_IN_FLIGHT);
        return 2;
    }
    size_t slots = working_set / size ? working_set / size : 1;

    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (server < 0 || bind(server, (struct sockaddr *)&address, length) || listen(server, 1) ||
        getsockname(server, (struct sockaddr *)&address, &length))
        die("listen");
    pid_t child = fork();
    if (child < 0)
        die("fork");
    if (child == 0) {
        int fd = accept(server, NULL, NULL);
        if (fd < 0)
            die("accept");
        tune(fd);
        receive_all(fd, slots);
    }
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        die("socket");
    tune(fd);
    if (connect(fd, (struct sockaddr *)&address, length))
        die("connect");
    send_all(fd, slots);
    close(fd);
    waitpid(child, NULL, 0);
    return 0;
}
