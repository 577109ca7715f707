/*
 * Has libmlx5 and libibverbs make the calls that the driver in Java makes by itself, for the same
 * purposes and in the order of CardUser.parity().
 */
#include <endian.h>
#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the PRM: commands and their sizes in bytes. */
enum {
	QUERY_HCA_CAP = 0x100,
	CREATE_CQ = 0x400,
	QUERY_CQ = 0x402,
	MODIFY_CQ = 0x403,
	COMMAND_BYTES = 16,
	CREATE_CQ_BYTES = 272,
	MODIFY_CQ_BYTES = 272,
	QUERY_CQ_OUT_BYTES = 272,
	QUERY_HCA_CAP_OUT_BYTES = 4112,
};

enum { PAGE = 4096, GID_INDEX = 3, PORT_CHANGE = 9, LOG_CQ_SIZE = 6, DEVICE_MEMORY = 64 };

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

#define MUST(what) ((what) ? (void)0 : fail(#what))

static void *pages(size_t bytes)
{
	void *memory = aligned_alloc(PAGE, bytes);
	MUST(memory);
	return memset(memory, 0, bytes);
}

static void put16(uint8_t *command, unsigned at, uint16_t value)
{
	value = htobe16(value);
	memcpy(command + at, &value, sizeof(value));
}

static void put32(uint8_t *command, unsigned at, uint32_t value)
{
	value = htobe32(value);
	memcpy(command + at, &value, sizeof(value));
}

static struct mlx5dv_devx_obj *create_cq(struct ibv_context *context, uint32_t page, uint32_t ring,
					 uint32_t record, uint32_t eqn, uint8_t *out)
{
	uint8_t in[CREATE_CQ_BYTES] = {0};
	put16(in, 0, CREATE_CQ);
	put32(in, 0x10, 1u << 25 /* dbr_umem_valid */);
	put32(in, 0x14, record);
	put32(in, 0x1c, LOG_CQ_SIZE << 24 | page);
	put32(in, 0x24, eqn);
	put32(in, 0x58, ring);
	put32(in, 0x5c, 1u << 31 /* cq_umem_valid */);
	return mlx5dv_devx_obj_create(context, in, sizeof(in), out, COMMAND_BYTES);
}

static void use_commands(struct ibv_context *context)
{
	uint8_t in[COMMAND_BYTES] = {0};
	static uint8_t out[QUERY_HCA_CAP_OUT_BYTES];
	put16(in, 0, QUERY_HCA_CAP);
	put16(in, 6, 1 /* general device capabilities, the current ones */);
	MUST(!mlx5dv_devx_general_cmd(context, in, sizeof(in), out, sizeof(out)));
}

static void use_cq(struct ibv_context *context)
{
	struct mlx5dv_devx_uar *copies =
		mlx5dv_devx_alloc_uar(context, MLX5_IB_UAPI_UAR_ALLOC_TYPE_BF);
	struct mlx5dv_devx_uar *plain =
		mlx5dv_devx_alloc_uar(context, MLX5_IB_UAPI_UAR_ALLOC_TYPE_NC);
	MUST(plain && copies);
	struct mlx5dv_devx_umem_in one = {
		.addr = pages(PAGE),
		.size = PAGE,
		.access = IBV_ACCESS_LOCAL_WRITE,
		.pgsz_bitmap = PAGE,
	};
	struct mlx5dv_devx_umem *ring = mlx5dv_devx_umem_reg_ex(context, &one);
	one.addr = pages(PAGE);
	struct mlx5dv_devx_umem *record = mlx5dv_devx_umem_reg_ex(context, &one);
	MUST(ring && record);
	uint32_t eqn;
	MUST(!mlx5dv_devx_query_eqn(context, 0, &eqn));
	uint8_t out[COMMAND_BYTES] = {0};
	struct mlx5dv_devx_obj *cq =
		create_cq(context, plain->page_id, ring->umem_id, record->umem_id, eqn, out);
	MUST(cq);
	uint32_t cqn;
	memcpy(&cqn, out + 8, sizeof(cqn));
	cqn = be32toh(cqn) & 0xffffff;

	struct mlx5dv_devx_event_channel *channel = mlx5dv_devx_create_event_channel(context, 0);
	MUST(channel);
	uint16_t completion = 0;
	MUST(!mlx5dv_devx_subscribe_devx_event(channel, cq, sizeof(completion), &completion, 1));
	uint16_t port_change = PORT_CHANGE;
	MUST(!mlx5dv_devx_subscribe_devx_event(channel, NULL, sizeof(port_change), &port_change, 2));

	uint8_t query[COMMAND_BYTES] = {0};
	static uint8_t answer[QUERY_CQ_OUT_BYTES];
	put16(query, 0, QUERY_CQ);
	put32(query, 8, cqn);
	MUST(!mlx5dv_devx_obj_query(cq, query, sizeof(query), answer, sizeof(answer)));
	uint8_t change[MODIFY_CQ_BYTES] = {0};
	put16(change, 0, MODIFY_CQ);
	put32(change, 8, cqn);
	put32(change, 12, 1 /* cq_period */);
	MUST(!mlx5dv_devx_obj_modify(cq, change, sizeof(change), out, sizeof(out)));

	MUST(!mlx5dv_devx_obj_destroy(cq));
	mlx5dv_devx_destroy_event_channel(channel);
	MUST(!mlx5dv_devx_umem_dereg(record));
	MUST(!mlx5dv_devx_umem_dereg(ring));
	mlx5dv_devx_free_uar(plain);
	mlx5dv_devx_free_uar(copies);
}

static void use_memory(struct ibv_context *context)
{
	struct ibv_pd *domain = ibv_alloc_pd(context);
	MUST(domain);
	struct ibv_mr *region = ibv_reg_mr(domain, pages(2 * PAGE), 2 * PAGE, IBV_ACCESS_LOCAL_WRITE);
	MUST(region);
	MUST(!ibv_dereg_mr(region));
	region = ibv_reg_mr(domain, pages(2 * PAGE), 2 * PAGE,
			    IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_ON_DEMAND | IBV_ACCESS_HUGETLB);
	MUST(region);
	MUST(!ibv_dereg_mr(region));
	/* Descriptor 0 is no DMA-BUF: what counts is the call. */
	MUST(!ibv_reg_dmabuf_mr(domain, PAGE, 2 * PAGE, PAGE, 0, IBV_ACCESS_LOCAL_WRITE));
	struct mlx5dv_mkey_init_attr indirect = {
		.pd = domain,
		.create_flags = MLX5DV_MKEY_INIT_ATTR_FLAGS_INDIRECT,
		.max_entries = 4,
	};
	struct mlx5dv_mkey *key = mlx5dv_create_mkey(&indirect);
	MUST(key);
	MUST(!mlx5dv_destroy_mkey(key));
	struct ibv_alloc_dm_attr attributes = {.length = DEVICE_MEMORY};
	struct ibv_dm *memory = ibv_alloc_dm(context, &attributes);
	MUST(memory);
	region = ibv_reg_dm_mr(domain, memory, 0, DEVICE_MEMORY,
			       IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_ZERO_BASED);
	MUST(region);
	MUST(!ibv_dereg_mr(region));
	MUST(!ibv_free_dm(memory));
	MUST(!ibv_dealloc_pd(domain));
}

static void use_port(struct ibv_context *context)
{
	struct ibv_port_attr port;
	MUST(!ibv_query_port(context, 1, &port));
	struct ibv_gid_entry entry;
	MUST(!ibv_query_gid_ex(context, 1, GID_INDEX, &entry, 0));
	struct ibv_pd *domain = ibv_alloc_pd(context);
	MUST(domain);
	struct ibv_ah_attr path = {
		.is_global = 1,
		.port_num = 1,
		.grh = {.dgid = entry.gid, .sgid_index = GID_INDEX, .hop_limit = 64},
	};
	struct ibv_ah *handle = ibv_create_ah(domain, &path);
	MUST(handle);
	MUST(!ibv_destroy_ah(handle));
	MUST(!ibv_dealloc_pd(domain));
}

int main(void)
{
	struct ibv_device **devices = ibv_get_device_list(NULL);
	MUST(devices && devices[0]);
	struct mlx5dv_context_attr attributes = {.flags = MLX5DV_CONTEXT_FLAGS_DEVX};
	struct ibv_context *context = mlx5dv_open_device(devices[0], &attributes);
	MUST(context);
	use_commands(context);
	use_cq(context);
	use_memory(context);
	use_port(context);
	MUST(!ibv_close_device(context));
	ibv_free_device_list(devices);
	return 0;
}
