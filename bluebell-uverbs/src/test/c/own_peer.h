/* A queue pair that is its own peer, state by state, and requirements that end the program. */
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void require(int holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(1);
}

static inline void to_reset(struct ibv_qp *qp)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RESET };
	require(!ibv_modify_qp(qp, &attr, IBV_QP_STATE), "RESET");
}

static inline void to_init(struct ibv_qp *qp)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT, .port_num = 1,
				    .qp_access_flags = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE };
	require(!ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS), "INIT");
}

static inline void to_rtr(struct ibv_qp *qp)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024, .dest_qp_num = qp->qp_num,
				    .max_dest_rd_atomic = 1, .min_rnr_timer = 1 };
	attr.ah_attr.is_global = attr.ah_attr.port_num = 1;
	attr.ah_attr.grh.sgid_index = 3;
	attr.ah_attr.grh.hop_limit = 1;
	require(!ibv_query_gid(qp->context, 1, 3, &attr.ah_attr.grh.dgid), "GID");
	require(!ibv_modify_qp(qp, &attr,
			       IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
				       IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER),
		"RTR");
}

static inline void to_rts(struct ibv_qp *qp)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 7, .rnr_retry = 7,
				    .max_rd_atomic = 1 };
	require(!ibv_modify_qp(qp, &attr,
			       IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
				       IBV_QP_MAX_QP_RD_ATOMIC),
		"RTS");
}
