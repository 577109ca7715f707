/*
 * Ends objects in the order that a kernel refuses with EBUSY, then in the right one, as applications
 * do that keep trying. What is left ends with the context.
 */
#include <infiniband/verbs.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 8, BYTES = 64 };

static void require(int condition, const char *what)
{
	if (!condition) {
		fprintf(stderr, "%s\n", what);
		exit(1);
	}
}

int main(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *context = list && *list ? ibv_open_device(*list) : NULL;
	require(context != NULL, "the device opens");
	static char memory[COUNT][BYTES];
	struct ibv_pd *pd[COUNT];
	struct ibv_cq *cq[COUNT];
	struct ibv_qp *qp[COUNT];
	struct ibv_mr *mr[COUNT];
	for (int i = 0; i < COUNT; i++) {
		pd[i] = ibv_alloc_pd(context);
		cq[i] = ibv_create_cq(context, 4, NULL, NULL, 0);
		require(pd[i] && cq[i], "domains and completion queues");
		struct ibv_qp_init_attr made = { .send_cq = cq[i], .recv_cq = cq[i], .qp_type = IBV_QPT_RC,
						 .cap = { 4, 4, 1, 1, 0 } };
		qp[i] = ibv_create_qp(pd[i], &made);
		mr[i] = ibv_reg_mr(pd[i], memory[i], BYTES, IBV_ACCESS_LOCAL_WRITE);
		require(qp[i] && mr[i], "queue pairs and regions");
	}
	for (int i = 0; i < COUNT; i++) {
		require(ibv_destroy_cq(cq[i]) == EBUSY, "a completion queue serves its queue pair");
		require(ibv_dealloc_pd(pd[i]) == EBUSY, "a domain has a queue pair and a region");
	}
	for (int i = 0; i < COUNT / 2; i++) {
		require(!ibv_destroy_qp(qp[i]) && !ibv_destroy_cq(cq[i]), "a queue pair, then its queue");
		require(ibv_dealloc_pd(pd[i]) == EBUSY, "a domain has a region");
		require(!ibv_dereg_mr(mr[i]) && !ibv_dealloc_pd(pd[i]), "a region, then its domain");
	}
	require(!ibv_close_device(context), "a context closes with objects in it");
	return 0;
}
