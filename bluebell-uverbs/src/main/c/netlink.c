/*
 * Answers what programs ask the kernel about RDMA devices by netlink: which there are, which device files they have, how
 * their ports are, and how many objects they have. libibverbs, iproute2's rdma and DPDK ask. The program gets a socket
 * of NETLINK_USERSOCK, over which processes write to each other, and finds in it what this writes. All else is refused
 * as by a kernel that does not know it.
 */
#define _GNU_SOURCE
#include "shim.h"
#include <errno.h>
#include <linux/netlink.h>
#include <net/if.h>
#include <rdma/rdma_netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MAX_LINE 64
#define PORT 1
#define CHANNEL_ADAPTER 1
#define MLX5 1 /* RDMA_DRIVER_MLX5 of rdma/ib_user_ioctl_verbs.h */
#define TYPE(command) RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command)

/* Those that were opened here. */
static struct sockets netlink_sockets;

/* Each message is a datagram of its own, so that only the room of the reader's socket limits an answer, to about 100. */
struct answer {
	size_t length;
	struct nlmsghdr *message; /* the one that is composed; NULL for none */
	const struct nlmsghdr *asked;
	int writer, failed;
	struct sockaddr_nl reader;
	_Alignas(struct nlmsghdr) char bytes[8192];
};

int open_netlink(int type)
{
	int fd = socket(AF_NETLINK, type, NETLINK_USERSOCK);
	if (fd >= 0 && !note_socket(&netlink_sockets, fd)) {
		real_close(fd);
		fd = -1;
		errno = EPROTONOSUPPORT;
	}
	return fd;
}

int is_netlink(int fd)
{
	return is_noted(&netlink_sockets, fd);
}

/* ---- messages */

static void *extend(struct answer *answer, size_t length)
{
	size_t aligned = NLMSG_ALIGN(length);
	if (answer->length + aligned > sizeof(answer->bytes))
		return NULL;
	void *place = answer->bytes + answer->length;
	memset(place, 0, aligned);
	answer->length += aligned;
	((struct nlmsghdr *)answer->bytes)->nlmsg_len += aligned;
	return place;
}

/* Ends the message that is composed, if there is one. Does not wait: the reader is this thread, and reads later. */
static void end(struct answer *answer)
{
	if (answer->message && !answer->failed &&
	    sendto(answer->writer, answer->bytes, answer->length, MSG_DONTWAIT, (struct sockaddr *)&answer->reader,
		   sizeof(answer->reader)) < 0)
		answer->failed = errno == EAGAIN ? ENOBUFS : errno;
	answer->message = NULL;
	answer->length = 0;
}

static void begin(struct answer *answer, int type, int flags)
{
	end(answer);
	answer->message = extend(answer, NLMSG_HDRLEN);
	answer->message->nlmsg_type = type;
	answer->message->nlmsg_flags = flags;
	answer->message->nlmsg_seq = answer->asked->nlmsg_seq;
}

static struct nlattr *put(struct answer *answer, int type, const void *value, size_t length)
{
	struct nlattr *attribute = extend(answer, NLA_HDRLEN + length);
	if (!attribute)
		return NULL;
	attribute->nla_type = type;
	attribute->nla_len = NLA_HDRLEN + length;
	if (length)
		memcpy((char *)attribute + NLA_HDRLEN, value, length);
	return attribute;
}

static void put_text(struct answer *answer, int type, const char *text)
{
	put(answer, type, text, strlen(text) + 1);
}

static void put_u8(struct answer *answer, int type, uint8_t value)
{
	put(answer, type, &value, sizeof(value));
}

static void put_u32(struct answer *answer, int type, uint32_t value)
{
	put(answer, type, &value, sizeof(value));
}

static void put_u64(struct answer *answer, int type, uint64_t value)
{
	put(answer, type, &value, sizeof(value));
}

/* Ends attributes that were put into another one. */
static void close_nest(struct answer *answer, struct nlattr *nest)
{
	if (nest)
		nest->nla_len = answer->bytes + answer->length - (char *)nest;
}

static void put_error(struct answer *answer, int number)
{
	begin(answer, NLMSG_ERROR, 0);
	struct nlmsgerr *error = extend(answer, sizeof(*error));
	if (!error)
		return;
	error->error = -number;
	error->msg = *answer->asked;
}

/* ---- what is told */

/* The line of a file of the tree; empty when there is none. */
static const char *read_line(char *line, const char *format, const char *name, const char *rest)
{
	char path[256];
	snprintf(path, sizeof(path), format, name, rest);
	FILE *file = fopen(path, "re");
	line[0] = 0;
	if (file) {
		if (!fgets(line, MAX_LINE, file))
			line[0] = 0;
		fclose(file);
	}
	line[strcspn(line, "\n")] = 0;
	return line;
}

static const char *of_device(char *line, const char *device, const char *file)
{
	return read_line(line, "/sys/class/infiniband/%s/%s", device, file);
}

static uint64_t guid(const char *device, const char *file)
{
	char line[MAX_LINE];
	unsigned part[4] = { 0 };
	sscanf(of_device(line, device, file), "%4x:%4x:%4x:%4x", &part[0], &part[1], &part[2], &part[3]);
	return (uint64_t)part[0] << 48 | (uint64_t)part[1] << 32 | (uint64_t)part[2] << 16 | part[3];
}

static unsigned long long number(const char *device, const char *file)
{
	char line[MAX_LINE];
	unsigned long long value = 0;
	sscanf(of_device(line, device, file), "%lli", (long long *)&value);
	return value;
}

static int is_infiniband(const char *device)
{
	char line[MAX_LINE];
	return !strcmp(of_device(line, device, "ports/1/link_layer"), "InfiniBand");
}

static void put_name(struct answer *answer, int device, const char *name)
{
	put_u32(answer, RDMA_NLDEV_ATTR_DEV_INDEX, device);
	put_text(answer, RDMA_NLDEV_ATTR_DEV_NAME, name);
}

static void put_device(struct answer *answer, int device, const char *name)
{
	char line[MAX_LINE];
	put_name(answer, device, name);
	put_u32(answer, RDMA_NLDEV_ATTR_PORT_INDEX, PORT);
	put_text(answer, RDMA_NLDEV_ATTR_FW_VERSION, of_device(line, name, "fw_ver"));
	put_u64(answer, RDMA_NLDEV_ATTR_NODE_GUID, guid(name, "node_guid"));
	put_u64(answer, RDMA_NLDEV_ATTR_SYS_IMAGE_GUID, guid(name, "sys_image_guid"));
	put_u8(answer, RDMA_NLDEV_ATTR_DEV_NODE_TYPE, CHANNEL_ADAPTER);
	put_text(answer, RDMA_NLDEV_ATTR_DEV_PROTOCOL, is_infiniband(name) ? "ib" : "roce");
}

static void put_port(struct answer *answer, int device, const char *name)
{
	char line[MAX_LINE];
	put_name(answer, device, name);
	put_u32(answer, RDMA_NLDEV_ATTR_PORT_INDEX, PORT);
	if (is_infiniband(name)) {
		put_u64(answer, RDMA_NLDEV_ATTR_CAP_FLAGS, number(name, "ports/1/cap_mask"));
		put_u64(answer, RDMA_NLDEV_ATTR_SUBNET_PREFIX, guid(name, "ports/1/gids/0"));
		put_u32(answer, RDMA_NLDEV_ATTR_LID, number(name, "ports/1/lid"));
		put_u32(answer, RDMA_NLDEV_ATTR_SM_LID, number(name, "ports/1/sm_lid"));
		put_u8(answer, RDMA_NLDEV_ATTR_LMC, number(name, "ports/1/lid_mask_count"));
	}
	put_u8(answer, RDMA_NLDEV_ATTR_PORT_STATE, number(name, "ports/1/state"));
	put_u8(answer, RDMA_NLDEV_ATTR_PORT_PHYS_STATE, number(name, "ports/1/phys_state"));
	if (!*of_device(line, name, "ports/1/gid_attrs/ndevs/0"))
		return;
	put_u32(answer, RDMA_NLDEV_ATTR_NDEV_INDEX, if_nametoindex(line));
	put_text(answer, RDMA_NLDEV_ATTR_NDEV_NAME, line);
}

/* As the kernel encodes the number of a device file. */
static uint64_t encoded(unsigned major, unsigned minor)
{
	return (minor & 0xff) | major << 8 | (uint64_t)(minor & ~0xff) << 12;
}

static void put_device_file(struct answer *answer, int device)
{
	char line[MAX_LINE], name[MAX_LINE];
	unsigned major = 0, minor = 0;
	snprintf(name, sizeof(name), "uverbs%d", device);
	sscanf(read_line(line, "/sys/class/infiniband_verbs/%s/%s", name, "dev"), "%u:%u", &major, &minor);
	put_u32(answer, RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID, MLX5);
	put_u64(answer, RDMA_NLDEV_ATTR_CHARDEV, encoded(major, minor));
	put_u64(answer, RDMA_NLDEV_ATTR_CHARDEV_ABI,
		strtoul(read_line(line, "/sys/class/infiniband_verbs/%s/%s", name, "abi_version"), NULL, 10));
	put_text(answer, RDMA_NLDEV_ATTR_CHARDEV_NAME, name);
}

static void put_resources(struct answer *answer, int device, const char *name)
{
	static const char *const kinds[] = { "pd", "cq", "qp", "cm_id", "mr", "ctx", "srq" };
	put_name(answer, device, name);
	struct nlattr *summary = put(answer, RDMA_NLDEV_ATTR_RES_SUMMARY | NLA_F_NESTED, NULL, 0);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		int64_t count = read_counter(device, 0, kinds[i]);
		struct nlattr *entry = put(answer, RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY | NLA_F_NESTED, NULL, 0);
		put_text(answer, RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_NAME, kinds[i]);
		put_u64(answer, RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_CURR, count < 0 ? 0 : count);
		close_nest(answer, entry);
	}
	close_nest(answer, summary);
}

/* Whether there is such a device. */
static int put_one(struct answer *answer, int device, int flags)
{
	char name[MAX_LINE], index[12];
	snprintf(index, sizeof(index), "%d", device);
	if (!*read_line(name, "/sys/class/infiniband_verbs/uverbs%s/%s", index, "ibdev"))
		return 0;
	begin(answer, answer->asked->nlmsg_type, flags);
	switch (answer->asked->nlmsg_type) {
	case TYPE(RDMA_NLDEV_CMD_GET):
		put_device(answer, device, name);
		break;
	case TYPE(RDMA_NLDEV_CMD_PORT_GET):
		put_port(answer, device, name);
		break;
	case TYPE(RDMA_NLDEV_CMD_GET_CHARDEV):
		put_device_file(answer, device);
		break;
	default:
		put_resources(answer, device, name);
	}
	return 1;
}

/* An attribute of the question, and the bytes of its value; NULL for none. */
static const void *find(const struct nlmsghdr *asked, int type, size_t *length)
{
	size_t at = NLMSG_HDRLEN;
	while (at + NLA_HDRLEN <= asked->nlmsg_len) {
		const struct nlattr *attribute = (const struct nlattr *)((const char *)asked + at);
		if (attribute->nla_len < NLA_HDRLEN || attribute->nla_len > asked->nlmsg_len - at)
			return NULL;
		if ((attribute->nla_type & NLA_TYPE_MASK) == type) {
			*length = attribute->nla_len - NLA_HDRLEN;
			return (const char *)attribute + NLA_HDRLEN;
		}
		at += NLA_ALIGN(attribute->nla_len);
	}
	return NULL;
}

/* The value of an attribute of 32 bits; -1 for none. */
static int64_t asked_for(const struct nlmsghdr *asked, int type)
{
	size_t length;
	uint32_t value;
	const void *found = find(asked, type, &length);
	if (!found || length != sizeof(value))
		return -1;
	memcpy(&value, found, sizeof(value));
	return value;
}

static int is_asked_for_uverbs(const struct nlmsghdr *asked)
{
	size_t length;
	const char *found = find(asked, RDMA_NLDEV_ATTR_CHARDEV_TYPE, &length);
	return found && length == sizeof("uverbs") && !memcmp(found, "uverbs", length);
}

static int is_known(const struct nlmsghdr *asked)
{
	int type = asked->nlmsg_type;
	return type == TYPE(RDMA_NLDEV_CMD_GET) || type == TYPE(RDMA_NLDEV_CMD_PORT_GET) ||
	       type == TYPE(RDMA_NLDEV_CMD_RES_GET) ||
	       (type == TYPE(RDMA_NLDEV_CMD_GET_CHARDEV) && is_asked_for_uverbs(asked));
}

static void compose(struct answer *answer)
{
	const struct nlmsghdr *asked = answer->asked;
	int64_t device = asked_for(asked, RDMA_NLDEV_ATTR_DEV_INDEX);
	int64_t port = asked_for(asked, RDMA_NLDEV_ATTR_PORT_INDEX);
	if (!is_known(asked)) {
		put_error(answer, EOPNOTSUPP);
	} else if (asked->nlmsg_flags & NLM_F_DUMP) {
		for (int each = 0; has_device(each); each++)
			if (device < 0 || device == each)
				put_one(answer, each, NLM_F_MULTI);
		begin(answer, NLMSG_DONE, NLM_F_MULTI);
		extend(answer, sizeof(int));
	} else if (device < 0 || !has_device(device) || (port >= 0 && port != PORT) || !put_one(answer, device, 0)) {
		put_error(answer, EINVAL);
	} else if (asked->nlmsg_flags & NLM_F_ACK) {
		put_error(answer, 0);
	}
}

/* The address of a socket, which the kernel gives it when it asks without one. */
static int address_of(int fd, struct sockaddr_nl *own)
{
	socklen_t size = sizeof(*own);
	if (getsockname(fd, (struct sockaddr *)own, &size))
		return -1;
	if (own->nl_pid)
		return 0;
	return bind(fd, (struct sockaddr *)own, size) || getsockname(fd, (struct sockaddr *)own, &size) ? -1 : 0;
}

ssize_t ask_netlink(int fd, const void *request, size_t length)
{
	struct answer answer = { .asked = request };
	if (length < NLMSG_HDRLEN || answer.asked->nlmsg_len < NLMSG_HDRLEN || answer.asked->nlmsg_len > length) {
		errno = EINVAL;
		return -1;
	}
	if (address_of(fd, &answer.reader))
		return -1;
	answer.writer = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_USERSOCK);
	if (answer.writer < 0)
		return -1;
	compose(&answer);
	end(&answer);
	real_close(answer.writer);
	if (!answer.failed)
		return length;
	errno = answer.failed;
	return -1;
}
