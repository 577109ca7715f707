/*
 * The verbs of a machine, driven by lines: reads commands from standard input, and answers each with one
 * line that begins with "= ", or "! " and what failed. Runs in the virtual machine of the Soft-RoCE judge.
 *
 *   mr bytes=N                                        = INDEX ADDRESS RKEY
 *   qp type=rc|uc|ud                                  = INDEX QPN
 *   up q= gid=OWN [qpn= peer=GID mtu=CODE psn= expect= timeout= retry= rnr= delay= rdatom= qkey=]
 *   ah gid=OWN peer=GID                               = INDEX
 *   recv q= id= mr= off= len=
 *   post q= id= op=NAME [mr= off= len= addr= rkey= imm= add= compare= swap= inv= ah= qpn= qkey= fence= solicited=]
 *   poll n= ms=                                       = [ID:STATUS:OPCODE:BYTES:IMMEDIATE:FLAGS:SOURCE ]...
 *   fill mr= off= len= seed=
 *   check mr= off= len= seed=                         = same | differs at OFFSET
 *   get mr= off=                                      = VALUE of 8 bytes
 *   put mr= off= value=
 *   state q=                                          = STATE
 *   close                                             all queue pairs, regions and address handles
 *   sh COMMAND                                        = exit code
 *   quit                                              ends the program, and the machine with it
 *
 * It also ends when no line has come for two minutes: then whoever started the machine is gone.
 */
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { OBJECTS = 64, COMPLETIONS = 8192, REQUESTS = 1024, IDLE_SECONDS = 120 };

static struct ibv_context *context;
static struct ibv_pd *domain;
static struct ibv_cq *completions;
static struct ibv_mr *regions[OBJECTS];
static struct ibv_qp *queues[OBJECTS];
static struct ibv_ah *handles[OBJECTS];
static int region_count, queue_count, handle_count;

static const char *line;

/* The text behind NAME=, or null. */
static const char *text(const char *name)
{
	size_t length = strlen(name);

	for (const char *at = line; at; at = strchr(at, ' ')) {
		at += strspn(at, " ");
		if (!strncmp(at, name, length) && at[length] == '=')
			return at + length + 1;
	}
	return NULL;
}

static uint64_t number(const char *name)
{
	const char *value = text(name);

	return value ? strtoull(value, NULL, 0) : 0;
}

static int is(const char *name, const char *value)
{
	const char *given = text(name);
	size_t length = strlen(value);

	return given && !strncmp(given, value, length) && (given[length] == ' ' || !given[length]);
}

static void failed(const char *what)
{
	printf("! %s: %s\n", what, strerror(errno));
}

static void done(int error, const char *what)
{
	errno = error;
	if (error)
		failed(what);
	else
		printf("=\n");
}

static int gid_of(const char *name, union ibv_gid *gid)
{
	char copy[INET6_ADDRSTRLEN] = "";
	const char *given = text(name);

	if (given)
		snprintf(copy, sizeof(copy), "%.*s", (int)strcspn(given, " "), given);
	return inet_pton(AF_INET6, copy, gid->raw) == 1;
}

/* The entry of an address in the GID table, where it appears a moment after the interface has it. */
static int own_index(void)
{
	union ibv_gid wanted, entry;

	if (!gid_of("gid", &wanted))
		return -1;
	for (int round = 0; round < 100; round++) {
		for (int i = 0; i < 16; i++)
			if (!ibv_query_gid(context, 1, i, &entry) && !memcmp(&entry, &wanted, sizeof(entry)))
				return i;
		usleep(50000);
	}
	errno = ENOENT;
	return -1;
}

static char *memory(void)
{
	return (char *)regions[number("mr")]->addr + number("off");
}

static unsigned char pattern(uint64_t seed, uint64_t i)
{
	return (unsigned char)(seed * 31 + i * 7 + (i >> 8) * 13);
}

static void region(void)
{
	size_t bytes = number("bytes");
	void *memory = aligned_alloc(4096, (bytes + 4095) & ~4095ul);

	memset(memory, 0, bytes);
	regions[region_count] =
		ibv_reg_mr(domain, memory, bytes,
			   IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ |
				   IBV_ACCESS_REMOTE_ATOMIC);
	if (!regions[region_count]) {
		failed("ibv_reg_mr");
		return;
	}
	printf("= %d %" PRIu64 " %u\n", region_count, (uint64_t)(uintptr_t)memory, regions[region_count]->rkey);
	region_count++;
}

static void queue(void)
{
	struct ibv_qp_init_attr attributes = {
		.send_cq = completions,
		.recv_cq = completions,
		.cap = { .max_send_wr = REQUESTS, .max_recv_wr = REQUESTS, .max_send_sge = 1, .max_recv_sge = 1 },
		.qp_type = is("type", "rc") ? IBV_QPT_RC : is("type", "uc") ? IBV_QPT_UC : IBV_QPT_UD,
		.sq_sig_all = 1,
	};

	queues[queue_count] = ibv_create_qp(domain, &attributes);
	if (!queues[queue_count]) {
		failed("ibv_create_qp");
		return;
	}
	printf("= %d %u\n", queue_count, queues[queue_count]->qp_num);
	queue_count++;
}

static void address(struct ibv_ah_attr *attributes, int index)
{
	attributes->is_global = 1;
	attributes->port_num = 1;
	attributes->grh.sgid_index = index;
	attributes->grh.hop_limit = 64;
	gid_of("peer", &attributes->grh.dgid);
}

static void up(void)
{
	struct ibv_qp *qp = queues[number("q")];
	int type = qp->qp_type;
	int index = own_index();
	struct ibv_qp_attr init = {
		.qp_state = IBV_QPS_INIT,
		.port_num = 1,
		.qkey = number("qkey"),
		.qp_access_flags = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC,
	};
	struct ibv_qp_attr receive = {
		.qp_state = IBV_QPS_RTR,
		.path_mtu = number("mtu"),
		.dest_qp_num = number("qpn"),
		.rq_psn = number("expect"),
		.max_dest_rd_atomic = number("rdatom"),
		.min_rnr_timer = number("delay"),
	};
	struct ibv_qp_attr send = {
		.qp_state = IBV_QPS_RTS,
		.sq_psn = number("psn"),
		.timeout = number("timeout"),
		.retry_cnt = number("retry"),
		.rnr_retry = number("rnr"),
		.max_rd_atomic = number("rdatom"),
	};
	int error;

	if (index < 0) {
		failed("gid");
		return;
	}
	address(&receive.ah_attr, index);
	error = ibv_modify_qp(qp, &init,
			      IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
				      (type == IBV_QPT_UD ? IBV_QP_QKEY : IBV_QP_ACCESS_FLAGS));
	if (!error)
		error = ibv_modify_qp(
			qp, &receive,
			IBV_QP_STATE |
				(type == IBV_QPT_UD ? 0 :
						      IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN) |
				(type == IBV_QPT_RC ? IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER : 0));
	if (!error)
		error = ibv_modify_qp(qp, &send,
				      IBV_QP_STATE | IBV_QP_SQ_PSN |
					      (type == IBV_QPT_RC ? IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
									    IBV_QP_MAX_QP_RD_ATOMIC :
								    0));
	done(error, "ibv_modify_qp");
}

static void handle(void)
{
	struct ibv_ah_attr attributes = {};
	int index = own_index();

	address(&attributes, index);
	handles[handle_count] = index < 0 ? NULL : ibv_create_ah(domain, &attributes);
	if (!handles[handle_count]) {
		failed("ibv_create_ah");
		return;
	}
	printf("= %d\n", handle_count++);
}

static void receive(void)
{
	struct ibv_mr *mr = regions[number("mr")];
	struct ibv_sge entry = { (uintptr_t)memory(), number("len"), mr->lkey };
	struct ibv_recv_wr request = { .wr_id = number("id"), .sg_list = &entry, .num_sge = 1 };
	struct ibv_recv_wr *bad;

	done(ibv_post_recv(queues[number("q")], &request, &bad), "ibv_post_recv");
}

static void post(void)
{
	static const struct {
		const char *name;
		enum ibv_wr_opcode opcode;
	} names[] = {
		{ "send", IBV_WR_SEND },
		{ "send_imm", IBV_WR_SEND_WITH_IMM },
		{ "send_inv", IBV_WR_SEND_WITH_INV },
		{ "write", IBV_WR_RDMA_WRITE },
		{ "write_imm", IBV_WR_RDMA_WRITE_WITH_IMM },
		{ "read", IBV_WR_RDMA_READ },
		{ "cas", IBV_WR_ATOMIC_CMP_AND_SWP },
		{ "add", IBV_WR_ATOMIC_FETCH_AND_ADD },
	};
	struct ibv_qp *qp = queues[number("q")];
	struct ibv_mr *mr = regions[number("mr")];
	struct ibv_sge entry = { (uintptr_t)memory(), number("len"), mr->lkey };
	struct ibv_send_wr request = {
		.wr_id = number("id"),
		.sg_list = &entry,
		.num_sge = 1,
		.send_flags = IBV_SEND_SIGNALED | (number("fence") ? IBV_SEND_FENCE : 0) |
			      (number("solicited") ? IBV_SEND_SOLICITED : 0),
		.imm_data = htobe32(number("imm")),
	};
	struct ibv_send_wr *bad;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (is("op", names[i].name))
			request.opcode = names[i].opcode;
	if (request.opcode == IBV_WR_SEND_WITH_INV)
		request.invalidate_rkey = number("inv");
	if (qp->qp_type == IBV_QPT_UD) {
		request.wr.ud.ah = handles[number("ah")];
		request.wr.ud.remote_qpn = number("qpn");
		request.wr.ud.remote_qkey = number("qkey");
	} else if (request.opcode == IBV_WR_ATOMIC_CMP_AND_SWP || request.opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
		int swaps = request.opcode == IBV_WR_ATOMIC_CMP_AND_SWP;

		request.wr.atomic.remote_addr = number("addr");
		request.wr.atomic.rkey = number("rkey");
		request.wr.atomic.compare_add = number(swaps ? "compare" : "add");
		request.wr.atomic.swap = number("swap");
	} else {
		request.wr.rdma.remote_addr = number("addr");
		request.wr.rdma.rkey = number("rkey");
	}
	done(ibv_post_send(qp, &request, &bad), "ibv_post_send");
}

static int64_t milliseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void poll_completions(void)
{
	int wanted = number("n");
	int64_t end = milliseconds() + (int64_t)number("ms");
	struct ibv_wc wc;

	printf("=");
	while (wanted > 0) {
		if (ibv_poll_cq(completions, 1, &wc) == 1) {
			wanted--;
			printf(" %" PRIu64 ":%d:%d:%u:%u:%u:%u", wc.wr_id, wc.status, wc.opcode, wc.byte_len,
			       be32toh(wc.imm_data), wc.wc_flags, wc.src_qp);
		} else if (milliseconds() >= end) {
			break;
		} else {
			usleep(1000);
		}
	}
	printf("\n");
}

static void fill(void)
{
	char *at = memory();

	for (uint64_t i = 0; i < number("len"); i++)
		at[i] = (char)pattern(number("seed"), i);
	printf("=\n");
}

static void check(void)
{
	unsigned char *at = (unsigned char *)memory();
	uint64_t bytes = number("len"), seed = number("seed");

	for (uint64_t i = 0; i < bytes; i++)
		if (at[i] != pattern(seed, i)) {
			printf("= differs at %" PRIu64 "\n", i);
			return;
		}
	printf("= same\n");
}

static void state(void)
{
	struct ibv_qp_attr attributes;
	struct ibv_qp_init_attr init;
	int error = ibv_query_qp(queues[number("q")], &attributes, IBV_QP_STATE, &init);

	if (error) {
		done(error, "ibv_query_qp");
		return;
	}
	printf("= %d\n", attributes.qp_state);
}

static void close_all(void)
{
	struct ibv_wc wc;
	int error = 0;

	while (queue_count > 0)
		error |= ibv_destroy_qp(queues[--queue_count]);
	while (handle_count > 0)
		error |= ibv_destroy_ah(handles[--handle_count]);
	while (region_count > 0) {
		void *memory = regions[--region_count]->addr;

		error |= ibv_dereg_mr(regions[region_count]);
		free(memory);
	}
	while (ibv_poll_cq(completions, 1, &wc) == 1)
		;
	done(error, "close");
}

static void execute(void)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} commands[] = {
		{ "mr ", region },    { "qp ", queue }, { "up ", up },	     { "ah ", handle },
		{ "recv ", receive }, { "post ", post }, { "poll ", poll_completions }, { "fill ", fill },
		{ "check ", check },  { "state ", state }, { "close", close_all },
	};

	if (!strncmp(line, "sh ", 3)) {
		printf("= %d\n", system(line + 3));
		return;
	}
	if (!strncmp(line, "get ", 4)) {
		printf("= %" PRIu64 "\n", *(uint64_t *)memory());
		return;
	}
	if (!strncmp(line, "put ", 4)) {
		*(uint64_t *)memory() = number("value");
		printf("=\n");
		return;
	}
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (!strncmp(line, commands[i].name, strlen(commands[i].name))) {
			commands[i].run();
			return;
		}
	printf("! unknown command\n");
}

int main(void)
{
	static char buffer[4096];
	struct termios terminal;
	struct ibv_device **devices;

	if (!tcgetattr(0, &terminal)) {
		cfmakeraw(&terminal);
		tcsetattr(0, TCSANOW, &terminal);
	}
	devices = ibv_get_device_list(NULL);
	context = devices && *devices ? ibv_open_device(*devices) : NULL;
	domain = context ? ibv_alloc_pd(context) : NULL;
	completions = domain ? ibv_create_cq(context, COMPLETIONS, NULL, NULL, 0) : NULL;
	if (!completions) {
		failed("no Soft-RoCE device");
		return 1;
	}
	printf("= ready\n");
	fflush(stdout);
	alarm(IDLE_SECONDS);
	while (fgets(buffer, sizeof(buffer), stdin)) {
		alarm(IDLE_SECONDS);
		buffer[strcspn(buffer, "\r\n")] = 0;
		line = buffer;
		if (!strcmp(line, "quit"))
			break;
		execute();
		fflush(stdout);
	}
	return 0;
}
