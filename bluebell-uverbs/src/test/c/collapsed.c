/*
 * What NVSHMEM does on the host before its kernels post by themselves (IBGDA), with the kernels' part done by this
 * processor: collapsed completion queues that ignore overrun, and queue pairs of RC and DCI, all by DevX, with the
 * rings of all in one umem and the doorbell records of all in another. Far more requests complete than a queue has
 * entries, and the data is verified.
 */
#include "own_peer.h"
#include <infiniband/mlx5dv.h>
#include <stdint.h>

enum { QUERY_HCA_CAP = 0x100, CREATE_CQ = 0x400, CREATE_QP = 0x500 };
enum { RST2INIT = 0x502, INIT2RTR = 0x503, RTR2RTS = 0x504 };
enum { RC = 0, DCI = 5, RDMA_WRITE = 8, SIGNALED = 8, EXTENDED = 1u << 31 };
enum { LOG_DEPTH = 4, DEPTH = 1 << LOG_DEPTH, CQE = 64, WQEBB = 64, RECORD = 64, PAIRS = 3, PAGE = 4096 };
enum { ROUNDS = 40 * DEPTH, BLOCK = 64 };

static const uint64_t key = 0x1122334455667788;

static struct ibv_context *context;
static struct ibv_pd *pd;
static struct mlx5dv_pd raw_pd;
static struct mlx5dv_cq receives;
static struct mlx5dv_srq shared;
static struct mlx5dv_ah path;
static uint32_t eqn;

/* The pages that all queues share, and their umems. */
struct shared { uint8_t *memory; struct mlx5dv_devx_umem *umem; };
static struct shared entries, rings, records;

struct pair {
	struct mlx5dv_devx_obj *cq, *qp;
	struct mlx5dv_devx_uar *uar, *unused;
	volatile uint8_t *cqe;
	uint8_t *ring;
	volatile uint32_t *record;
	uint32_t number;
	uint16_t posted;
};

static void put(uint8_t *command, int bit, int width, uint64_t value)
{
	for (int i = 0; i < width; i++)
		if (value >> (width - 1 - i) & 1)
			command[(bit + i) / 8] |= 0x80 >> (bit + i) % 8;
}

static uint32_t number(const uint8_t *output)
{
	return output[9] << 16 | output[10] << 8 | output[11];
}

static struct shared share(size_t bytes, int fill)
{
	struct shared made;
	require(!posix_memalign((void **)&made.memory, PAGE, bytes), "memory");
	memset(made.memory, fill, bytes);
	made.umem = mlx5dv_devx_umem_reg(context, made.memory, bytes, IBV_ACCESS_LOCAL_WRITE);
	require(made.umem != NULL, "umem");
	return made;
}

static void create_cq(struct pair *pair, int index)
{
	enum { CQC = 0x80 };
	uint8_t in[272] = { 0 }, out[16] = { 0 };
	pair->unused = mlx5dv_devx_alloc_uar(context, MLX5DV_UAR_ALLOC_TYPE_NC);
	require(pair->unused != NULL, "UAR of the completion queue");
	put(in, 0, 16, CREATE_CQ);
	put(in, 0x2c0, 32, entries.umem->umem_id);
	put(in, 0x2e0, 1, 1);
	put(in, 0x280, 64, index * DEPTH * CQE);
	put(in, CQC + 0x06, 1, 1);
	put(in, CQC + 0x0b, 1, 1); /* cc */
	put(in, CQC + 0x0e, 1, 1); /* oi */
	put(in, CQC + 0x20, 32, records.umem->umem_id);
	put(in, CQC + 0x63, 5, LOG_DEPTH);
	put(in, CQC + 0x68, 24, pair->unused->page_id);
	put(in, CQC + 0xb8, 8, eqn);
	put(in, CQC + 0x1c0, 64, index * RECORD);
	pair->cq = mlx5dv_devx_obj_create(context, in, sizeof(in), out, sizeof(out));
	require(pair->cq != NULL, "collapsed completion queue");
	pair->cqe = entries.memory + index * DEPTH * CQE;
	pair->number = number(out);
}

static void create_qp(struct pair *pair, int index, int type)
{
	enum { QPC = 0xc0 };
	uint8_t in[272] = { 0 }, out[16] = { 0 };
	create_cq(pair, index);
	pair->uar = mlx5dv_devx_alloc_uar(context, MLX5DV_UAR_ALLOC_TYPE_BF);
	require(pair->uar != NULL, "UAR of the queue pair");
	put(in, 0, 16, CREATE_QP);
	put(in, 0x840, 32, rings.umem->umem_id);
	put(in, 0x860, 1, 1);
	put(in, 0x800, 64, index * DEPTH * WQEBB);
	put(in, QPC + 0x08, 8, type);
	put(in, QPC + 0x13, 2, 3);
	put(in, QPC + 0x28, 24, raw_pd.pdn);
	put(in, QPC + 0x51, 4, LOG_DEPTH);
	put(in, QPC + 0x68, 24, pair->uar->page_id);
	put(in, QPC + 0x88, 24, index);
	put(in, QPC + 0x3e8, 24, pair->number);
	put(in, QPC + 0x4e8, 24, receives.cqn);
	put(in, QPC + 0x500, 64, (PAIRS + index) * RECORD);
	put(in, QPC + 0x565, 3, 1);
	put(in, QPC + 0x568, 24, shared.srqn);
	put(in, QPC + 0x683, 1, 1);
	put(in, QPC + 0x720, 32, records.umem->umem_id);
	pair->qp = mlx5dv_devx_obj_create(context, in, sizeof(in), out, sizeof(out));
	require(pair->qp != NULL, "queue pair");
	pair->number = number(out);
	pair->ring = rings.memory + index * DEPTH * WQEBB;
	pair->record = (uint32_t *)(records.memory + (PAIRS + index) * RECORD);
}

static void modify(struct pair *pair, uint8_t *in, int opcode, const char *what)
{
	uint8_t out[16] = { 0 };
	put(in, 0, 16, opcode);
	put(in, 0x48, 24, pair->number);
	require(!mlx5dv_devx_obj_modify(pair->qp, in, 272, out, sizeof(out)), what);
}

static void connect_pair(struct pair *pair, int type, const struct pair *peer)
{
	enum { QPC = 0xc0, PATH = QPC + 0xc0 };
	uint8_t init[272] = { 0 }, rtr[272] = { 0 }, rts[272] = { 0 };
	put(init, QPC + 0x13, 2, 3);
	put(init, PATH + 0x128, 8, 1);
	if (type == RC) {
		put(init, QPC + 0x48c, 4, 3);
		put(init, QPC + 0x490, 3, 7);
	} else {
		put(init, QPC + 0x640, 64, key);
	}
	modify(pair, init, RST2INIT, "RST2INIT");

	put(rtr, QPC + 0x40, 3, IBV_MTU_4096);
	put(rtr, QPC + 0x43, 5, 30);
	if (type == RC) {
		put(rtr, QPC + 0xa8, 24, peer->number);
		put(rtr, QPC + 0x4a3, 5, 12);
		put(rtr, QPC + 0x488, 3, 4);
		put(rtr, PATH + 0x48, 8, 3);
		put(rtr, PATH + 0x58, 8, 255);
		put(rtr, PATH + 0x110, 16, 0xc000);
		memcpy(rtr + (PATH + 0x80) / 8, path.av->rgid, 16);
		memcpy(rtr + (PATH + 0x130) / 8, path.av->rmac, 6);
	}
	modify(pair, rtr, INIT2RTR, "INIT2RTR");

	put(rts, QPC + 0x388, 3, 4);
	put(rts, QPC + 0x38d, 3, 7);
	put(rts, QPC + 0x390, 3, 7);
	put(rts, PATH + 0x40, 5, 20);
	modify(pair, rts, RTR2RTS, "RTR2RTS");
}

/* An RDMA WRITE of a block, by DCI to a target. */
static void post(struct pair *pair, const struct ibv_mr *memory, int from, int to, uint32_t target)
{
	uint8_t wqe[2 * WQEBB] = { 0 };
	struct mlx5_wqe_ctrl_seg *control = (void *)wqe;
	uint8_t *next = wqe + sizeof(*control);
	if (target) {
		struct mlx5_wqe_av *av = (void *)next;
		memcpy(av, path.av, sizeof(*av));
		av->key.dc_key = htobe64(key);
		av->dqp_dct = htobe32(target | EXTENDED);
		next += sizeof(*av);
	}
	struct mlx5_wqe_raddr_seg *remote = (void *)next;
	remote->raddr = htobe64((uintptr_t)memory->addr + to);
	remote->rkey = htobe32(memory->rkey);
	next += sizeof(*remote);
	mlx5dv_set_data_seg((struct mlx5_wqe_data_seg *)next, BLOCK, memory->lkey, (uintptr_t)memory->addr + from);
	next += sizeof(struct mlx5_wqe_data_seg);
	int blocks = target ? 2 : 1;
	mlx5dv_set_ctrl_seg(control, pair->posted, RDMA_WRITE, 0, pair->number, SIGNALED, (next - wqe) / 16, 0, 0);
	for (int i = 0; i < blocks; i++)
		memcpy(pair->ring + (pair->posted + i) % DEPTH * WQEBB, wqe + i * WQEBB, WQEBB);
	pair->posted += blocks;
	__atomic_thread_fence(__ATOMIC_RELEASE);
	pair->record[1] = htobe32(pair->posted);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	*(volatile uint64_t *)pair->uar->reg_addr = *(uint64_t *)control;
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* Waits as IBGDA does: for the counter in the one entry, whatever its owner bit says. */
static void await(struct pair *pair, uint16_t index)
{
	uint16_t counter;
	do
		counter = pair->cqe[60] << 8 | pair->cqe[61];
	while ((uint16_t)(index - counter - 1) < DEPTH);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (pair->cqe[63] >> 4 != MLX5_CQE_REQ) {
		fprintf(stderr, "opcode 0x%x, syndrome 0x%x\n", pair->cqe[63] >> 4, pair->cqe[55]);
		exit(1);
	}
}

static void exchange(struct pair *pair, uint32_t target)
{
	static uint8_t bytes[2 * BLOCK];
	struct ibv_mr *memory = ibv_reg_mr(pd, bytes, sizeof(bytes),
					   IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
	require(memory != NULL, "memory");
	for (int round = 0; round < ROUNDS; round++) {
		memset(bytes, round + 1, BLOCK);
		uint16_t index = pair->posted;
		post(pair, memory, 0, BLOCK, target);
		await(pair, index);
		if (memcmp(bytes, bytes + BLOCK, BLOCK)) {
			fprintf(stderr, "round %d wrote something else\n", round);
			exit(1);
		}
	}
	for (int i = CQE; i < DEPTH * CQE; i++)
		if (pair->cqe[i] != 0xff) {
			fprintf(stderr, "byte %d behind the first entry was written\n", i);
			exit(1);
		}
	require(!ibv_dereg_mr(memory), "dereg");
}

static void destroy(struct pair *pair)
{
	require(!mlx5dv_devx_obj_destroy(pair->qp), "end of the queue pair");
	require(!mlx5dv_devx_obj_destroy(pair->cq), "end of the completion queue");
	mlx5dv_devx_free_uar(pair->uar);
	mlx5dv_devx_free_uar(pair->unused);
}

int main(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct mlx5dv_context_attr devx = { .flags = MLX5DV_CONTEXT_FLAGS_DEVX };
	context = list && list[0] ? mlx5dv_open_device(list[0], &devx) : NULL;
	require(context != NULL, "open");
	require(!mlx5dv_devx_query_eqn(context, 0, &eqn), "event queue");
	pd = ibv_alloc_pd(context);
	struct ibv_cq *cq = ibv_create_cq(context, DEPTH, NULL, NULL, 0);
	struct ibv_srq_init_attr srq_attr = { .attr = { .max_wr = DEPTH, .max_sge = 1 } };
	struct ibv_srq *srq = ibv_create_srq(pd, &srq_attr);
	struct ibv_ah_attr attr = { .is_global = 1, .port_num = 1, .grh = { .sgid_index = 3, .hop_limit = 255 } };
	require(pd && cq && srq && !ibv_query_gid(context, 1, 3, &attr.grh.dgid), "verbs objects");
	struct ibv_ah *ah = ibv_create_ah(pd, &attr);
	require(ah != NULL, "address handle");
	shared.comp_mask = MLX5DV_SRQ_MASK_SRQN;
	struct mlx5dv_obj objects = { .pd = { pd, &raw_pd }, .cq = { cq, &receives }, .srq = { srq, &shared },
				      .ah = { ah, &path } };
	require(!mlx5dv_init_obj(&objects, MLX5DV_OBJ_PD | MLX5DV_OBJ_CQ | MLX5DV_OBJ_SRQ | MLX5DV_OBJ_AH), "numbers");

	struct ibv_qp_init_attr_ex of_target = { .qp_type = IBV_QPT_DRIVER, .send_cq = cq, .recv_cq = cq, .srq = srq,
						 .pd = pd, .comp_mask = IBV_QP_INIT_ATTR_PD };
	struct mlx5dv_qp_init_attr dc = { .comp_mask = MLX5DV_QP_INIT_ATTR_MASK_DC,
					  .dc_init_attr = { .dc_type = MLX5DV_DCTYPE_DCT, .dct_access_key = key } };
	struct ibv_qp *target = mlx5dv_create_qp(context, &of_target, &dc);
	require(target != NULL, "target");
	to_init(target);
	struct ibv_qp_attr rtr = { .qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_4096, .min_rnr_timer = 12, .ah_attr = attr };
	require(!ibv_modify_qp(target, &rtr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_MIN_RNR_TIMER), "RTR");

	entries = share(PAGE * PAIRS, 0xff);
	rings = share(PAGE * PAIRS, 0);
	records = share(PAGE, 0);
	struct pair pairs[PAIRS] = { 0 };
	create_qp(&pairs[0], 0, RC);
	create_qp(&pairs[1], 1, RC);
	create_qp(&pairs[2], 2, DCI);
	connect_pair(&pairs[0], RC, &pairs[1]);
	connect_pair(&pairs[1], RC, &pairs[0]);
	connect_pair(&pairs[2], DCI, NULL);
	exchange(&pairs[0], 0);
	exchange(&pairs[1], 0);
	exchange(&pairs[2], target->qp_num);

	for (int i = 0; i < PAIRS; i++)
		destroy(&pairs[i]);
	mlx5dv_devx_umem_dereg(entries.umem);
	mlx5dv_devx_umem_dereg(rings.umem);
	mlx5dv_devx_umem_dereg(records.umem);
	ibv_destroy_qp(target);
	ibv_destroy_ah(ah);
	ibv_destroy_srq(srq);
	ibv_destroy_cq(cq);
	ibv_dealloc_pd(pd);
	ibv_close_device(context);
	ibv_free_device_list(list);
	return 0;
}
