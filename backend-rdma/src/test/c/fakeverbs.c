/*
 * A libibverbs for tests, free of installed headers: -DDEVICES=n devices, -DLIST_ERRNO=e without a list, -DOPEN_ERRNO=e
 * refused on opening, -DPORT_STATE=s (4 is active).
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef DEVICES
#define DEVICES 1
#endif
#ifndef PORT_STATE
#define PORT_STATE 4
#endif

struct device { char name[64]; };
struct context { struct device *device; };

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

static struct device devices[DEVICES + 1];
static int opened;

int fake_open_contexts(void) { return opened; }

struct device **ibv_get_device_list(int *count)
{
#ifdef LIST_ERRNO
	errno = LIST_ERRNO;
	return NULL;
#endif
	struct device **list = calloc(DEVICES + 1, sizeof *list);
	for (int i = 0; i < DEVICES; i++) {
		snprintf(devices[i].name, sizeof devices[i].name, "fake%d", i);
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
	opened++;
	return context;
}

int ibv_close_device(struct context *context)
{
	opened--;
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
