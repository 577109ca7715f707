/*
 * Two contexts of one program, each with a parent domain whose allocator puts doorbell records behind each other, as
 * that of a heap does: records of both contexts are on one page. Requests of both are sent and received in turn, also
 * when one of the contexts has no objects any more, and what else is on the page stays as it was.
 */
#include "own_peer.h"
#include <infiniband/mlx5dv.h>
#include <stdint.h>

enum { PAGE = 4096, RECORD = 8, ROUNDS = 200 };

static uint8_t *heap;
static size_t used;

static void *allocate(struct ibv_pd *pd, void *unused, size_t size, size_t alignment, uint64_t type)
{
	if (size > RECORD)
		return IBV_ALLOCATOR_USE_DEFAULT;
	void *place = heap + used;
	used += 2 * RECORD;
	require(used <= PAGE, "room for records");
	return place;
}

static void give_back(struct ibv_pd *pd, void *unused, void *place, uint64_t type)
{
}

struct side {
	struct ibv_context *context;
	struct ibv_pd *pd, *parent;
	struct ibv_cq *cq;
	struct ibv_qp *qp;
	struct ibv_mr *memory;
	uint8_t bytes[128];
};

static void open_side(struct side *side, struct ibv_device *device)
{
	side->context = ibv_open_device(device);
	require(side->context != NULL, "open");
	side->pd = ibv_alloc_pd(side->context);
	struct ibv_parent_domain_init_attr attr = { .pd = side->pd, .alloc = allocate, .free = give_back,
						    .comp_mask = IBV_PARENT_DOMAIN_INIT_ATTR_ALLOCATORS };
	side->parent = ibv_alloc_parent_domain(side->context, &attr);
	require(side->parent != NULL, "parent domain");
	struct ibv_cq_init_attr_ex of_cq = { .cqe = 16, .parent_domain = side->parent, .comp_mask = IBV_CQ_INIT_ATTR_MASK_PD,
					     .wc_flags = 0 };
	side->cq = ibv_cq_ex_to_cq(ibv_create_cq_ex(side->context, &of_cq));
	require(side->cq != NULL, "completion queue");
	struct ibv_qp_init_attr of_qp = { .send_cq = side->cq, .recv_cq = side->cq, .qp_type = IBV_QPT_RC, .sq_sig_all = 1,
					  .cap = { 4, 4, 1, 1 } };
	side->qp = ibv_create_qp(side->parent, &of_qp);
	require(side->qp != NULL, "queue pair");
	side->memory = ibv_reg_mr(side->pd, side->bytes, sizeof(side->bytes), IBV_ACCESS_LOCAL_WRITE);
	require(side->memory != NULL, "memory");
	to_init(side->qp);
	to_rtr(side->qp);
	to_rts(side->qp);
}

static void exchange(struct side *side, int round)
{
	memset(side->bytes, round, 64);
	struct ibv_sge from = { (uintptr_t)side->bytes, 64, side->memory->lkey };
	struct ibv_sge to = { (uintptr_t)side->bytes + 64, 64, side->memory->lkey };
	struct ibv_recv_wr receive = { .sg_list = &to, .num_sge = 1 }, *bad_receive;
	struct ibv_send_wr send = { .sg_list = &from, .num_sge = 1, .opcode = IBV_WR_SEND }, *bad_send;
	require(!ibv_post_recv(side->qp, &receive, &bad_receive), "receive");
	require(!ibv_post_send(side->qp, &send, &bad_send), "send");
	for (int done = 0; done < 2;) {
		struct ibv_wc wc;
		int polled = ibv_poll_cq(side->cq, 1, &wc);
		require(polled >= 0 && (polled == 0 || wc.status == IBV_WC_SUCCESS), "completion");
		done += polled;
	}
	require(!memcmp(side->bytes, side->bytes + 64, 64), "message");
}

static void close_side(struct side *side)
{
	require(!ibv_destroy_qp(side->qp) && !ibv_dereg_mr(side->memory) && !ibv_destroy_cq(side->cq) &&
			!ibv_dealloc_pd(side->parent) && !ibv_dealloc_pd(side->pd) && !ibv_close_device(side->context),
		"the end of a side");
}

static void expect_neighbours(void)
{
	for (int i = 0; i < PAGE; i++)
		if ((i / RECORD % 2 == 1 || i >= (int)used) && heap[i] != 0x5a) {
			fprintf(stderr, "byte %d of the page is 0x%02x\n", i, heap[i]);
			exit(1);
		}
}

int main(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	static struct side left, right;
	require(list && list[0], "device");
	require(!posix_memalign((void **)&heap, PAGE, PAGE), "page");
	memset(heap, 0x5a, PAGE);
	open_side(&left, list[0]);
	exchange(&left, 1);
	open_side(&right, list[0]);
	for (int round = 0; round < ROUNDS; round++) {
		exchange(&left, round);
		exchange(&right, round);
	}
	expect_neighbours();
	close_side(&left);
	for (int round = 0; round < ROUNDS; round++)
		exchange(&right, round);
	open_side(&left, list[0]);
	for (int round = 0; round < ROUNDS; round++) {
		exchange(&left, round);
		exchange(&right, round);
	}
	close_side(&right);
	exchange(&left, 7);
	close_side(&left);
	expect_neighbours();
	ibv_free_device_list(list);
	return 0;
}
