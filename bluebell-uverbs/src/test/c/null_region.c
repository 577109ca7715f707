/* A null memory region: what is received into it is lost, and zeros are sent from it. */
#include "own_peer.h"

enum { PART = 16, SOURCE = 0, TARGET = 64, BYTES = 128 };

static void expect(struct ibv_cq *cq, int count, enum ibv_wc_status status)
{
	struct ibv_wc wc;
	while (count > 0)
		if (ibv_poll_cq(cq, 1, &wc) > 0) {
			require(wc.status == status, ibv_wc_status_str(wc.status));
			count--;
		}
}

int main(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *context = list && *list ? ibv_open_device(*list) : NULL;
	require(context != NULL, "the device opens");
	struct ibv_pd *pd = ibv_alloc_pd(context);
	struct ibv_cq *cq = ibv_create_cq(context, 16, NULL, NULL, 0);
	static unsigned char memory[BYTES], zeros[PART];
	struct ibv_mr *mr = ibv_reg_mr(pd, memory, BYTES, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
	struct ibv_mr *null = ibv_alloc_null_mr(pd);
	require(mr && null, "regions");
	struct ibv_qp_init_attr made = { .send_cq = cq, .recv_cq = cq, .qp_type = IBV_QPT_RC, .sq_sig_all = 1,
					 .cap = { 8, 8, 2, 2, 0 } };
	struct ibv_qp *qp = ibv_create_qp(pd, &made);
	require(qp != NULL, "a queue pair");
	to_init(qp);
	to_rtr(qp);
	to_rts(qp);

	/* The first half of a message is lost. */
	memset(memory + SOURCE, 1, 2 * PART);
	struct ibv_sge kept[2] = { { 0, PART, null->lkey }, { (uintptr_t)memory + TARGET, PART, mr->lkey } };
	struct ibv_sge whole = { (uintptr_t)memory + SOURCE, 2 * PART, mr->lkey };
	struct ibv_recv_wr receive = { .sg_list = kept, .num_sge = 2 }, *bad_receive;
	struct ibv_send_wr send = { .sg_list = &whole, .num_sge = 1, .opcode = IBV_WR_SEND }, *bad;
	require(!ibv_post_recv(qp, &receive, &bad_receive) && !ibv_post_send(qp, &send, &bad), "a message");
	expect(cq, 2, IBV_WC_SUCCESS);
	require(!memcmp(memory + TARGET, memory + SOURCE, PART) && !memcmp(memory + TARGET + PART, zeros, PART),
		"the half behind what is lost arrives");

	/* Zeros, and then what is in memory. */
	memset(memory + TARGET, 2, 2 * PART);
	struct ibv_sge given[2] = { { 4096, PART, null->lkey }, { (uintptr_t)memory + SOURCE, PART, mr->lkey } };
	struct ibv_send_wr write = { .sg_list = given, .num_sge = 2, .opcode = IBV_WR_RDMA_WRITE };
	write.wr.rdma.remote_addr = (uintptr_t)memory + TARGET;
	write.wr.rdma.rkey = mr->rkey;
	require(!ibv_post_send(qp, &write, &bad), "a write");
	expect(cq, 1, IBV_WC_SUCCESS);
	require(!memcmp(memory + TARGET, zeros, PART) && !memcmp(memory + TARGET + PART, memory + SOURCE, PART),
		"zeros are written");

	/* The key is a local one alone. */
	write.wr.rdma.rkey = null->lkey;
	require(!ibv_post_send(qp, &write, &bad), "a write to nothing");
	expect(cq, 1, IBV_WC_REM_ACCESS_ERR);
	require(!ibv_destroy_qp(qp) && !ibv_dereg_mr(null) && !ibv_dereg_mr(mr) && !ibv_destroy_cq(cq) &&
			!ibv_dealloc_pd(pd) && !ibv_close_device(context),
		"everything ends");
	return 0;
}
