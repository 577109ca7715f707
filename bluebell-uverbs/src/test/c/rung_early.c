/*
 * Requests before RTS: libmlx5 posts none (since rdma-core 40), so this program writes them into the ring itself. And
 * requests that nobody rang for.
 */
#define _GNU_SOURCE
#include "own_peer.h"
#include <endian.h>
#include <infiniband/mlx5dv.h>

enum { BLOCK = 64, SIGNALED = 8, UNITS = 1, MANY = 100 };

static struct ibv_qp *qp;
static struct ibv_cq *cq;
static struct mlx5dv_qp raw;
static uint32_t posted;

/* A NOP that the record counts. */
static void post_nop(void)
{
	uint32_t *words = (uint32_t *)((uint8_t *)raw.sq.buf + posted % raw.sq.wqe_cnt * BLOCK);
	words[0] = htobe32((posted & 0xffff) << 8);
	words[1] = htobe32(qp->qp_num << 8 | UNITS);
	words[2] = htobe32(SIGNALED);
	words[3] = 0;
	__atomic_store_n(&raw.dbrec[MLX5_SND_DBR], htobe32(++posted & 0xffff), __ATOMIC_RELEASE);
}

static void ring(void)
{
	uint64_t *last = (uint64_t *)((uint8_t *)raw.sq.buf + (posted - 1) % raw.sq.wqe_cnt * BLOCK);
	__atomic_store_n((uint64_t *)raw.bf.reg, *last, __ATOMIC_SEQ_CST);
}

static int completed(void)
{
	struct ibv_wc wc;
	int count = ibv_poll_cq(cq, 1, &wc);
	require(count <= 0 || wc.status == IBV_WC_SUCCESS, "a completion");
	return count;
}

static void expect(int count)
{
	while (count > 0)
		count -= completed();
}

/* A datagram to nobody is done when the device has looked at what is rung. */
static void let_the_device_work(struct ibv_qp *other, struct ibv_ah *way, struct ibv_cq *others)
{
	struct ibv_send_wr send = { .opcode = IBV_WR_SEND, .wr.ud = { .ah = way, .remote_qpn = other->qp_num } }, *bad;
	struct ibv_wc wc;
	for (int i = 0; i < MANY; i++) {
		require(!ibv_post_send(other, &send, &bad), "a datagram");
		while (!ibv_poll_cq(others, 1, &wc))
			;
		require(wc.status == IBV_WC_SUCCESS, "the datagram");
	}
}

static struct ibv_qp *datagrams(struct ibv_pd *pd, struct ibv_cq *others)
{
	struct ibv_qp_init_attr made = { .send_cq = others, .recv_cq = others, .qp_type = IBV_QPT_UD, .sq_sig_all = 1,
					 .cap = { 4, 0, 1, 0, 0 } };
	struct ibv_qp *other = ibv_create_qp(pd, &made);
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT, .port_num = 1 };
	require(other && !ibv_modify_qp(other, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY),
		"a queue pair of datagrams");
	attr.qp_state = IBV_QPS_RTR;
	require(!ibv_modify_qp(other, &attr, IBV_QP_STATE), "RTR of datagrams");
	attr.qp_state = IBV_QPS_RTS;
	require(!ibv_modify_qp(other, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN), "RTS of datagrams");
	return other;
}

/* What real libmlx5 says, whatever the device. */
static void expect_no_post(const char *state)
{
	struct ibv_send_wr send = { .opcode = IBV_WR_SEND }, *bad;
	require(ibv_post_send(qp, &send, &bad) == ENOMEM, state);
}

int main(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *context = list && *list ? ibv_open_device(*list) : NULL;
	require(context != NULL, "the device opens");
	struct ibv_pd *pd = ibv_alloc_pd(context);
	cq = ibv_create_cq(context, 16, NULL, NULL, 0);
	struct ibv_cq *others = ibv_create_cq(context, 16, NULL, NULL, 0);
	struct ibv_qp *other = datagrams(pd, others);
	struct ibv_ah_attr attr = { .is_global = 1, .port_num = 1, .grh.sgid_index = 3, .grh.hop_limit = 1 };
	require(!ibv_query_gid(context, 1, 3, &attr.grh.dgid), "GID");
	struct ibv_ah *way = ibv_create_ah(pd, &attr);
	struct ibv_qp_init_attr made = { .send_cq = cq, .recv_cq = cq, .qp_type = IBV_QPT_RC, .cap = { 8, 8, 1, 1, 0 } };
	qp = ibv_create_qp(pd, &made);
	struct mlx5dv_obj object = { .qp = { .in = qp, .out = &raw } };
	require(way && qp && !mlx5dv_init_obj(&object, MLX5DV_OBJ_QP), "a queue pair and its ring");

	for (int round = 0; round < 2; round++) {
		posted = 0;
		expect_no_post("a post in RESET");
		to_init(qp);
		expect_no_post("a post in INIT");
		post_nop();
		ring();
		to_rtr(qp);
		expect_no_post("a post in RTR");
		post_nop();
		ring();
		let_the_device_work(other, way, others);
		require(!completed(), "nothing is sent before RTS");
		to_rts(qp);
		/* Whether the device starts them at RTS is its own choice; a doorbell lets it. */
		post_nop();
		ring();
		expect(3);

		/* The record alone starts nothing. */
		post_nop();
		let_the_device_work(other, way, others);
		require(!completed(), "nothing is sent that was not rung");
		ring();
		expect(1);
		to_reset(qp);
	}
	require(!ibv_destroy_qp(qp) && !ibv_destroy_ah(way) && !ibv_destroy_qp(other) && !ibv_destroy_cq(others) &&
			!ibv_destroy_cq(cq) && !ibv_dealloc_pd(pd) && !ibv_close_device(context),
		"everything ends");
	return 0;
}
