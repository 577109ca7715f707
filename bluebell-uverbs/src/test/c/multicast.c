/*
 * Datagrams to a group, on a port of either link layer: two queue pairs receive a copy each, the sender its own unless it
 * asked for none, and what libibverbs and the kernel refuse is refused.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PORT = 1, HEADER = 40, BYTES = 64, QKEY = 0x1234, GROUP_LID = 0xc001, GROUP_QPN = 0xffffff, PATIENCE = 30 };

static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_cq *cq;
static struct ibv_mr *memory;
static int infiniband;

static void require(int holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(1);
}

static struct ibv_qp *datagrams(int flags)
{
	struct ibv_qp_init_attr_ex init = { .qp_type = IBV_QPT_UD, .send_cq = cq, .recv_cq = cq, .pd = pd,
					    .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_CREATE_FLAGS,
					    .create_flags = flags,
					    .cap = { .max_send_wr = 8, .max_recv_wr = 8, .max_send_sge = 1,
						     .max_recv_sge = 1 } };
	struct ibv_qp *qp = ibv_create_qp_ex(context, &init);
	require(qp != NULL, "a queue pair");
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT, .port_num = PORT, .qkey = QKEY };
	require(!ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY), "INIT");
	attr.qp_state = IBV_QPS_RTR;
	require(!ibv_modify_qp(qp, &attr, IBV_QP_STATE), "RTR");
	attr.qp_state = IBV_QPS_RTS;
	require(!ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN), "RTS");
	return qp;
}

static void receive(struct ibv_qp *qp)
{
	struct ibv_sge part = { .addr = (uintptr_t)memory->addr + BYTES, .length = HEADER + BYTES, .lkey = memory->lkey };
	struct ibv_recv_wr wr = { .wr_id = qp->qp_num, .sg_list = &part, .num_sge = 1 }, *bad;
	require(!ibv_post_recv(qp, &wr, &bad), "a receive");
}

static void send_to_group(struct ibv_qp *qp, struct ibv_ah *group)
{
	struct ibv_sge part = { .addr = (uintptr_t)memory->addr, .length = BYTES, .lkey = memory->lkey };
	struct ibv_send_wr wr = { .sg_list = &part, .num_sge = 1, .opcode = IBV_WR_SEND, .send_flags = IBV_SEND_SIGNALED },
			   *bad;
	wr.wr.ud.ah = group;
	wr.wr.ud.remote_qpn = GROUP_QPN;
	wr.wr.ud.remote_qkey = QKEY;
	require(!ibv_post_send(qp, &wr, &bad), "a datagram to the group");
}

/* Waits for so many completions; returns those of receives of one queue pair. */
static int completed(int count, struct ibv_qp *of)
{
	int found = 0;
	time_t end = time(NULL) + PATIENCE;
	while (count > 0) {
		struct ibv_wc wc;
		int got = ibv_poll_cq(cq, 1, &wc);
		require(got >= 0 && time(NULL) < end, "completions");
		if (!got)
			continue;
		require(wc.status == IBV_WC_SUCCESS, "a completion that succeeds");
		if (wc.opcode == IBV_WC_RECV) {
			require(wc.byte_len == HEADER + BYTES && wc.wc_flags & IBV_WC_GRH, "its header");
			require(!memcmp(memory->addr, (char *)memory->addr + BYTES + HEADER, BYTES), "its bytes");
			found += wc.wr_id == of->qp_num;
		}
		count--;
	}
	return found;
}

static int is_refused(int returned, int number)
{
	return returned == number || (returned == -1 && errno == number);
}

int main(void)
{
	struct ibv_device **devices = ibv_get_device_list(NULL);
	require(devices && devices[0], "a device");
	context = ibv_open_device(devices[0]);
	require(context != NULL, "a context");
	pd = ibv_alloc_pd(context);
	cq = ibv_create_cq(context, 64, NULL, NULL, 0);
	char *bytes = aligned_alloc(4096, 4096);
	memory = ibv_reg_mr(pd, bytes, 4096, IBV_ACCESS_LOCAL_WRITE);
	require(pd && cq && memory, "a domain, a queue and memory");
	memset(bytes, 'm', BYTES);
	struct ibv_port_attr port;
	require(!ibv_query_port(context, PORT, &port), "the port");
	infiniband = port.link_layer == IBV_LINK_LAYER_INFINIBAND;
	struct ibv_device_attr device;
	require(!ibv_query_device(context, &device) && device.max_mcast_grp > 0, "groups");

	union ibv_gid group;
	require(inet_pton(AF_INET6, "ff12:401b:ffff::1", group.raw) == 1, "a group's GID");
	struct ibv_ah_attr attr = { .is_global = 1, .port_num = PORT, .dlid = infiniband ? GROUP_LID : 0 };
	attr.grh.dgid = group;
	attr.grh.sgid_index = infiniband ? 0 : 1;
	attr.grh.hop_limit = 1;
	struct ibv_ah *handle = ibv_create_ah(pd, &attr);
	require(handle != NULL, "an address handle");

	struct ibv_qp *one = datagrams(0), *other = datagrams(0), *deaf = datagrams(IBV_QP_CREATE_BLOCK_SELF_MCAST_LB);
	struct ibv_qp *members[] = { one, other, deaf };
	for (int i = 0; i < 3; i++)
		require(!ibv_attach_mcast(members[i], &group, GROUP_LID), "a member");
	require(!ibv_attach_mcast(one, &group, GROUP_LID), "a member again");

	for (int i = 0; i < 3; i++)
		receive(members[i]);
	send_to_group(one, handle);
	require(completed(4, one) == 1, "the sender's own copy");
	receive(one);
	receive(other);
	receive(deaf);
	send_to_group(deaf, handle);
	require(completed(3, deaf) == 0, "no copy for one that blocks its own");

	require(!ibv_detach_mcast(other, &group, GROUP_LID), "one member less");
	receive(other);
	receive(one);
	send_to_group(deaf, handle);
	require(completed(2, other) == 0, "no copy for one that left");

	require(is_refused(ibv_detach_mcast(other, &group, GROUP_LID), EINVAL), "leaving twice is refused");
	union ibv_gid single = group;
	single.raw[0] = 0xfe;
	require(is_refused(ibv_attach_mcast(one, &single, GROUP_LID), EINVAL), "a GID of no group is refused");
	int refused = is_refused(ibv_attach_mcast(one, &group, 0xbfff), EINVAL);
	require(refused == infiniband, "a LID of no group is refused on InfiniBand");
	printf("ok\n");
	return 0;
}
