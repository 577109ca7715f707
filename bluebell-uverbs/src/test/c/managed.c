/*
 * A managed queue by the kernel's own flags: libibverbs takes them from no program, so the queue
 * pairs are made and connected by write commands on the context's descriptor; all else is the stock
 * libibverbs and libmlx5. A WAIT and a SEND_EN run the managed queue.
 */
#define _GNU_SOURCE
#include <endian.h>
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5-abi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CROSS_CHANNEL = 1 << 2, MANAGED_SEND = 1 << 3, MANAGED_RECV = 1 << 4 };
enum { DEVICE_CROSS_CHANNEL = 1 << 27 };
enum { UAR_PAGE_INDEX = 1 << 10 };
enum { RDMA_WRITE = 0x08, WAIT = 0x0f, SEND_EN = 0x17 };
enum { WQEBBS = 16, RECEIVES = 4, BLOCK = 64, PAGE = 4096, SIGNALED = 8 };

static void require(int holds, const char *what) {
  if (!holds) {
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(1);
  }
}

struct side {
  struct ibv_context *context;
  struct ibv_pd *pd;
  struct mlx5dv_devx_uar *uar;
};

struct queue {
  uint8_t *ring;
  uint32_t *record;
  uint32_t handle;
  uint32_t number;
  uint32_t next;
  struct ibv_cq *completions;
  struct mlx5dv_cq raw;
  uint32_t polled;
};

static void *pages(void) {
  void *page = NULL;
  require(posix_memalign(&page, PAGE, PAGE) == 0, "memory");
  memset(page, 0, PAGE);
  return page;
}

struct create {
  struct ib_uverbs_cmd_hdr header;
  struct ib_uverbs_ex_cmd_hdr extended;
  struct ib_uverbs_ex_create_qp core;
  struct mlx5_ib_create_qp driver;
};

struct created {
  struct ib_uverbs_ex_create_qp_resp core;
  struct mlx5_ib_create_qp_resp driver;
};

/* The receive queue comes first. The result of the command; what it made is in the queue. */
static int create(struct side *side, struct queue *queue, uint32_t flags) {
  struct created answer;
  struct create command;
  memset(&answer, 0, sizeof answer);
  memset(&command, 0, sizeof command);
  uint8_t *rings = pages();
  uint32_t receives = flags & MANAGED_RECV ? RECEIVES : 0;
  queue->ring = rings + receives * 16;
  queue->record = pages();
  queue->completions = ibv_create_cq(side->context, WQEBBS, NULL, NULL, 0);
  require(queue->completions != NULL, "ibv_create_cq");
  struct mlx5dv_obj object = {.cq = {.in = queue->completions, .out = &queue->raw}};
  require(mlx5dv_init_obj(&object, MLX5DV_OBJ_CQ) == 0, "mlx5dv_init_obj");

  command.header.command = IB_USER_VERBS_CMD_CREATE_QP | 0x80000000u;
  command.header.in_words = sizeof command.core / 8;
  command.header.out_words = sizeof answer.core / 8;
  command.extended.response = (uintptr_t)&answer;
  command.extended.provider_in_words = sizeof command.driver / 8;
  command.extended.provider_out_words = sizeof answer.driver / 8;
  command.core.pd_handle = side->pd->handle;
  command.core.send_cq_handle = queue->completions->handle;
  command.core.recv_cq_handle = queue->completions->handle;
  command.core.max_send_wr = WQEBBS;
  command.core.max_send_sge = 1;
  command.core.qp_type = IBV_QPT_RC;
  command.core.create_flags = flags;
  command.core.max_recv_wr = receives;
  command.core.max_recv_sge = receives ? 1 : 0;
  command.driver.rq_wqe_count = receives;
  command.driver.rq_wqe_shift = receives ? 4 : 0;
  command.driver.buf_addr = (uintptr_t)rings;
  command.driver.db_addr = (uintptr_t)queue->record;
  command.driver.sq_wqe_count = WQEBBS;
  command.driver.flags = UAR_PAGE_INDEX;
  command.driver.uidx = 0xffffff;
  command.driver.bfreg_index = side->uar->page_id;
  if (write(side->context->cmd_fd, &command, sizeof command) != (ssize_t)sizeof command)
    return errno;
  queue->handle = answer.core.base.qp_handle;
  queue->number = answer.core.base.qpn;
  return 0;
}

struct modify {
  struct ib_uverbs_cmd_hdr header;
  struct ib_uverbs_modify_qp core;
};

static void modify(struct side *side, struct queue *queue, struct modify *command, uint32_t mask) {
  command->header.command = IB_USER_VERBS_CMD_MODIFY_QP;
  command->header.in_words = sizeof *command / 4;
  command->core.qp_handle = queue->handle;
  command->core.attr_mask = mask;
  require(write(side->context->cmd_fd, command, sizeof *command) == (ssize_t)sizeof *command,
          "modify");
}

/* Connects a queue pair to itself. */
static void connect_to_itself(struct side *side, struct queue *queue) {
  struct modify command;
  union ibv_gid gid;
  require(ibv_query_gid(side->context, 1, 0, &gid) == 0, "ibv_query_gid");
  memset(&command, 0, sizeof command);
  command.core.qp_state = IBV_QPS_INIT;
  command.core.port_num = 1;
  command.core.qp_access_flags = IBV_ACCESS_REMOTE_WRITE;
  modify(side, queue, &command,
         IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);

  memset(&command, 0, sizeof command);
  command.core.qp_state = IBV_QPS_RTR;
  command.core.path_mtu = IBV_MTU_1024;
  command.core.dest_qp_num = queue->number;
  command.core.max_dest_rd_atomic = 1;
  command.core.min_rnr_timer = 1;
  command.core.dest.is_global = 1;
  command.core.dest.port_num = 1;
  command.core.dest.hop_limit = 64;
  memcpy(command.core.dest.dgid, gid.raw, sizeof gid.raw);
  modify(side, queue, &command,
         IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN
             | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);

  memset(&command, 0, sizeof command);
  command.core.qp_state = IBV_QPS_RTS;
  command.core.timeout = 14;
  command.core.retry_cnt = 7;
  command.core.rnr_retry = 7;
  command.core.max_rd_atomic = 1;
  modify(side, queue, &command,
         IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN
             | IBV_QP_MAX_QP_RD_ATOMIC);
}

static void destroy(struct side *side, struct queue *queue) {
  struct {
    struct ib_uverbs_cmd_hdr header;
    struct ib_uverbs_destroy_qp core;
  } command = {0};
  struct ib_uverbs_destroy_qp_resp answer = {0};
  command.header.command = IB_USER_VERBS_CMD_DESTROY_QP;
  command.header.in_words = sizeof command / 4;
  command.header.out_words = sizeof answer / 4;
  command.core.response = (uintptr_t)&answer;
  command.core.qp_handle = queue->handle;
  require(write(side->context->cmd_fd, &command, sizeof command) == (ssize_t)sizeof command,
          "destroy");
  require(ibv_destroy_cq(queue->completions) == 0, "ibv_destroy_cq");
}

/* ---- requests */

static uint8_t *entry(struct queue *queue, int opcode, int units, int flags) {
  uint8_t *wqe = queue->ring + BLOCK * (queue->next % WQEBBS);
  uint32_t first = htobe32(queue->next << 8 | opcode);
  uint32_t second = htobe32(queue->number << 8 | units);
  memset(wqe, 0, BLOCK);
  memcpy(wqe, &first, 4);
  memcpy(wqe + 4, &second, 4);
  wqe[11] = flags;
  queue->next++;
  return wqe;
}

static void about(uint8_t *wqe, uint32_t index, uint32_t number) {
  index = htobe32(index);
  number = htobe32(number);
  memcpy(wqe + 24, &index, 4);
  memcpy(wqe + 28, &number, 4);
}

static void copy(struct queue *queue, struct ibv_mr *memory, int from, int to) {
  uint8_t *wqe = entry(queue, RDMA_WRITE, 3, SIGNALED);
  uint64_t target = htobe64((uintptr_t)memory->addr + to);
  uint64_t source = htobe64((uintptr_t)memory->addr + from);
  uint32_t rkey = htobe32(memory->rkey), lkey = htobe32(memory->lkey), bytes = htobe32(8);
  memcpy(wqe + 16, &target, 8);
  memcpy(wqe + 24, &rkey, 4);
  memcpy(wqe + 32, &bytes, 4);
  memcpy(wqe + 36, &lkey, 4);
  memcpy(wqe + 40, &source, 8);
}

static void ring(struct side *side, struct queue *queue) {
  uint64_t first;
  memcpy(&first, queue->ring + BLOCK * ((queue->next - 1) % WQEBBS), 8);
  __atomic_store_n(&queue->record[MLX5_SND_DBR], htobe32(queue->next), __ATOMIC_SEQ_CST);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  __atomic_store_n((uint64_t *)side->uar->reg_addr, first, __ATOMIC_SEQ_CST);
}

static int completed(struct queue *queue) {
  uint8_t *cqe = (uint8_t *)queue->raw.buf + queue->raw.cqe_size * (queue->polled % queue->raw.cqe_cnt);
  uint8_t last = __atomic_load_n(cqe + queue->raw.cqe_size - 1, __ATOMIC_ACQUIRE);
  int lap = queue->polled / queue->raw.cqe_cnt & 1;
  if (last >> 4 == 0xf || (last & 1) != lap)
    return 0;
  require(last >> 4 == 0, "a completion is a success");
  queue->polled++;
  return 1;
}

static void await(struct queue *queue) {
  time_t end = time(NULL) + 60;
  while (!completed(queue)) {
    errno = ETIMEDOUT;
    require(time(NULL) < end, "a completion");
    usleep(100);
  }
}

int main(void) {
  struct ibv_device **devices = ibv_get_device_list(NULL);
  struct side side = {0};
  struct queue master = {0}, managed = {0}, odd = {0};
  struct ibv_device_attr attributes;
  require(devices != NULL && devices[0] != NULL, "a device");
  side.context = ibv_open_device(devices[0]);
  require(side.context != NULL, "ibv_open_device");
  require(ibv_query_device(side.context, &attributes) == 0, "ibv_query_device");
  require((attributes.device_cap_flags & DEVICE_CROSS_CHANNEL) != 0, "the capability");
  side.pd = ibv_alloc_pd(side.context);
  side.uar = mlx5dv_devx_alloc_uar(side.context, MLX5DV_UAR_ALLOC_TYPE_BF);
  require(side.pd != NULL && side.uar != NULL, "a domain and a doorbell");

  struct ibv_qp_init_attr_ex refused = {
      .qp_type = IBV_QPT_RC, .pd = side.pd, .cap = {.max_send_wr = 1},
      .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_CREATE_FLAGS,
      .create_flags = MANAGED_SEND};
  refused.send_cq = refused.recv_cq = ibv_create_cq(side.context, 1, NULL, NULL, 0);
  require(ibv_create_qp_ex(side.context, &refused) == NULL, "libibverbs refuses the flag itself");
  require(ibv_destroy_cq(refused.send_cq) == 0, "ibv_destroy_cq");

  require(create(&side, &odd, 1 << 5) == EOPNOTSUPP, "a flag that there is not");
  require(ibv_destroy_cq(odd.completions) == 0, "ibv_destroy_cq");
  require(create(&side, &master, CROSS_CHANNEL) == 0, "the master");
  require(create(&side, &managed, MANAGED_SEND | MANAGED_RECV) == 0, "the managed queue");
  connect_to_itself(&side, &master);
  connect_to_itself(&side, &managed);

  uint64_t *words = pages();
  struct ibv_mr *memory =
      ibv_reg_mr(side.pd, words, PAGE, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
  require(memory != NULL, "ibv_reg_mr");
  words[0] = 42;

  /* Nobody enables the managed queue: what the other queue does later comes first. */
  copy(&managed, memory, 0, 8);
  copy(&master, memory, 0, 32);
  ring(&side, &master);
  await(&master);
  require(words[4] == 42 && words[1] == 0 && !completed(&managed), "a managed queue stands");

  /* Enable it, wait for what it completes, and go on with what it wrote. */
  about(entry(&master, SEND_EN, 2, 0), 1, managed.number);
  about(entry(&master, WAIT, 2, 0), 0, managed.raw.cqn);
  copy(&master, memory, 8, 16);
  ring(&side, &master);
  await(&master);
  require(words[1] == 42 && words[2] == 42, "a WAIT holds its queue");
  await(&managed);

  /* Its own doorbell enables a managed queue as a SEND_EN does: libmlx5's ibv_post_send rings it. */
  copy(&managed, memory, 0, 24);
  ring(&side, &managed);
  await(&managed);
  require(words[3] == 42, "a doorbell enables a managed queue");

  destroy(&side, &managed);
  destroy(&side, &master);
  require(ibv_dereg_mr(memory) == 0, "ibv_dereg_mr");
  mlx5dv_devx_free_uar(side.uar);
  require(ibv_dealloc_pd(side.pd) == 0, "ibv_dealloc_pd");
  require(ibv_close_device(side.context) == 0, "ibv_close_device");
  ibv_free_device_list(devices);
  return 0;
}
