/* A libfabric without providers: -DVERSION=v packed, fi_getinfo answers -DGETINFO (FI_ENODATA is 61). */
#include <stdint.h>
#include <stdlib.h>

#ifndef VERSION
#define VERSION (1 << 16 | 17)
#endif
#ifndef GETINFO
#define GETINFO 61
#endif

struct info {
	struct info *next;
	uint64_t caps, mode;
	uint32_t addr_format;
	size_t src_addrlen, dest_addrlen;
	void *src_addr, *dest_addr, *handle, *tx_attr, *rx_attr, *ep_attr, *domain_attr, *fabric_attr, *nic;
};

uint32_t fi_version(void) { return VERSION; }

const char *fi_strerror(int e) { return e == 61 ? "No data available" : "other"; }

struct info *fi_dupinfo(const struct info *from)
{
	struct info *info = calloc(1, sizeof *info);
	(void) from;
	info->tx_attr = calloc(1, 512);
	info->rx_attr = calloc(1, 512);
	info->ep_attr = calloc(1, 512);
	info->domain_attr = calloc(1, 512);
	info->fabric_attr = calloc(1, 512);
	return info;
}

/* As the real one, it frees the names too, so a test sees whether the caller took them back. */
void fi_freeinfo(struct info *info)
{
	free(((void **) info->domain_attr)[1]);
	free(((void **) info->fabric_attr)[1]);
	free(((void **) info->fabric_attr)[2]);
	free(info->tx_attr);
	free(info->rx_attr);
	free(info->ep_attr);
	free(info->domain_attr);
	free(info->fabric_attr);
	free(info);
}

int fi_fabric(void *attr, void **fabric, void *context)
{
	(void) attr, (void) fabric, (void) context;
	return -38;
}

int fi_getinfo(uint32_t version, const char *node, const char *service, uint64_t flags, const struct info *hints, struct info **out)
{
	(void) version, (void) node, (void) service, (void) flags, (void) hints, (void) out;
	return -GETINFO;
}
