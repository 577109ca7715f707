/*
 * What ibv_poll_cq of the real libmlx5 costs per completion when no two that follow each other are of
 * the same queue pair: the traffic of MixedPollBenchmark.
 *
 * Four queue pairs share a completion queue. They are not connected and wait forever for the answer, so that
 * the device completes nothing; the program writes the entries of the completion queue itself, as the benchmark does. Prints the median of
 * 41 runs in nanoseconds.
 *
 *   ./bluebell run -- mixed_poll
 */
#include <endian.h>
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { QUEUE_PAIRS = 4, ROUND = 256, BATCH = 16, RUNS = 41, WARM_UP = 4, ROUNDS = 5,
	/* Of one queue pair: no slot is used twice, because the device keeps what it did not complete. */
	SENDS = (WARM_UP + RUNS) * ROUNDS * ROUND / 2 / QUEUE_PAIRS, NOBODY = 0xfffffe };

static struct ibv_context *context;
static struct ibv_pd *domain;
static struct ibv_cq *completions;
static struct ibv_qp *pairs[QUEUE_PAIRS];
static struct ibv_mr *region;
static struct mlx5dv_cq ring;
static char data[64];
static uint32_t produced, sent[QUEUE_PAIRS], received[QUEUE_PAIRS];

static void check(int good, const char *what)
{
	if (!good) {
		perror(what);
		exit(1);
	}
}

/* Makes a queue pair ready, whose requests the device never completes. */
static void connect_to_nobody(struct ibv_qp *pair)
{
	union ibv_gid gid;
	check(ibv_query_gid(context, 1, 0, &gid) == 0, "ibv_query_gid");
	struct ibv_qp_attr to = { .qp_state = IBV_QPS_INIT, .port_num = 1 };
	check(ibv_modify_qp(pair, &to, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS) == 0, "to INIT");
	to = (struct ibv_qp_attr){ .qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024, .dest_qp_num = NOBODY,
		.max_dest_rd_atomic = 1, .min_rnr_timer = 1,
		.ah_attr = { .is_global = 1, .port_num = 1, .grh = { .dgid = gid, .hop_limit = 1 } } };
	check(ibv_modify_qp(pair, &to, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
		IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER) == 0, "to RTR");
	to = (struct ibv_qp_attr){ .qp_state = IBV_QPS_RTS, /* for ever */ .timeout = 0, .retry_cnt = 7, .rnr_retry = 7, .max_rd_atomic = 1 };
	check(ibv_modify_qp(pair, &to, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
		IBV_QP_MAX_QP_RD_ATOMIC) == 0, "to RTS");
}

static void open_device(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	check(list && *list, "ibv_get_device_list");
	context = ibv_open_device(*list);
	check(context != NULL, "ibv_open_device");
	domain = ibv_alloc_pd(context);
	check(domain != NULL, "ibv_alloc_pd");
	region = ibv_reg_mr(domain, data, sizeof data, IBV_ACCESS_LOCAL_WRITE);
	check(region != NULL, "ibv_reg_mr");
	completions = ibv_create_cq(context, 2 * ROUND, NULL, NULL, 0);
	check(completions != NULL, "ibv_create_cq");
	struct mlx5dv_obj object = { .cq = { .in = completions, .out = &ring } };
	check(mlx5dv_init_obj(&object, MLX5DV_OBJ_CQ) == 0, "mlx5dv_init_obj");
	for (int i = 0; i < QUEUE_PAIRS; i++) {
		struct ibv_qp_init_attr attributes = { .send_cq = completions, .recv_cq = completions, .qp_type = IBV_QPT_RC,
			.cap = { .max_send_wr = SENDS, .max_recv_wr = ROUND, .max_send_sge = 1, .max_recv_sge = 1 } };
		pairs[i] = ibv_create_qp(domain, &attributes);
		check(pairs[i] != NULL, "ibv_create_qp");
		connect_to_nobody(pairs[i]);
	}
}

/* Writes the entry that a card would. */
static void complete(int pair, int opcode, int send_opcode, uint32_t counter)
{
	struct mlx5_cqe64 *entry = (void *)((char *)ring.buf + (size_t)(produced & (ring.cqe_cnt - 1)) * ring.cqe_size
		+ ring.cqe_size - sizeof *entry);
	entry->srqn_uidx = htobe32(pair);
	entry->byte_cnt = htobe32(sizeof data);
	entry->sop_drop_qpn = htobe32((uint32_t)send_opcode << 24 | pairs[pair]->qp_num);
	entry->wqe_counter = htobe16(counter & 0xffff);
	__atomic_store_n(&entry->op_own, opcode << 4 | ((produced & ring.cqe_cnt) != 0), __ATOMIC_RELEASE);
	produced++;
}

static void complete_round(void)
{
	struct ibv_sge piece = { (uintptr_t)data, sizeof data, region->lkey };
	for (int i = 0; i < ROUND; i++) {
		int pair = i % QUEUE_PAIRS;
		if (i / QUEUE_PAIRS % 2 == 0) {
			struct ibv_send_wr write = { .wr_id = i, .opcode = IBV_WR_RDMA_WRITE, .sg_list = &piece, .num_sge = 1,
				.send_flags = IBV_SEND_SIGNALED }, *bad;
			errno = ibv_post_send(pairs[pair], &write, &bad);
			check(errno == 0, "ibv_post_send");
			complete(pair, MLX5_CQE_REQ, MLX5_OPCODE_RDMA_WRITE, sent[pair]++);
		} else {
			struct ibv_recv_wr receive = { .wr_id = i, .sg_list = &piece, .num_sge = 1 }, *bad;
			errno = ibv_post_recv(pairs[pair], &receive, &bad);
			check(errno == 0, "ibv_post_recv");
			complete(pair, MLX5_CQE_RESP_SEND, 0, received[pair]++);
		}
	}
}

static double nanoseconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return now.tv_sec * 1e9 + now.tv_nsec;
}

static double timed_polls(void)
{
	struct ibv_wc entries[BATCH];
	double began = nanoseconds();
	for (int i = 0; i < ROUND; i += BATCH) {
		if (ibv_poll_cq(completions, BATCH, entries) != BATCH || entries[0].status != IBV_WC_SUCCESS) {
			fprintf(stderr, "a completion is missing or failed\n");
			exit(1);
		}
	}
	return nanoseconds() - began;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

int main(void)
{
	open_device();
	double runs[RUNS];
	for (int run = -WARM_UP; run < RUNS; run++) {
		double sum = 0;
		for (int i = 0; i < ROUNDS; i++) {
			complete_round();
			sum += timed_polls();
		}
		if (run >= 0)
			runs[run] = sum / ROUNDS / ROUND;
	}
	qsort(runs, RUNS, sizeof *runs, by_size);
	printf("%.2f\n", runs[RUNS / 2]);
	return 0;
}
