/*
 * Asks for the device by netlink as DPDK's mlx5 driver does: by a socket of its own, sendmsg and recvmsg. Then asks for
 * the device file, as libibverbs does, and for what no kernel of this device has.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <net/if.h>
#include <rdma/rdma_netlink.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define TYPE(command) RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command)

static int fd, sequence, others;
static _Alignas(struct nlmsghdr) char answer[32768];

static void require(int holds, const char *what)
{
	if (!holds) {
		printf("%s: %s\n", what, strerror(errno));
		exit(1);
	}
}

static void put(char *request, int type, const void *value, int length)
{
	struct nlmsghdr *header = (struct nlmsghdr *)request;
	struct nlattr *attribute = (struct nlattr *)(request + header->nlmsg_len);
	attribute->nla_type = type;
	attribute->nla_len = NLA_HDRLEN + length;
	memcpy((char *)attribute + NLA_HDRLEN, value, length);
	header->nlmsg_len += NLA_ALIGN(attribute->nla_len);
}

/* Reads on to the end of a list; how many messages were before it. */
static int read_on(void)
{
	static _Alignas(struct nlmsghdr) char more[32768];
	for (int count = 0;;) {
		ssize_t length = recv(fd, more, sizeof(more), 0);
		require(length > 0, "recv");
		for (struct nlmsghdr *each = (struct nlmsghdr *)more; NLMSG_OK(each, length); each = NLMSG_NEXT(each, length)) {
			if (each->nlmsg_type == NLMSG_DONE)
				return count;
			count++;
		}
	}
}

/* The first message of the answer. */
static struct nlmsghdr *ask(int command, int flags, const uint32_t *device, const char *file)
{
	_Alignas(struct nlmsghdr) char request[256] = { 0 };
	struct nlmsghdr *header = (struct nlmsghdr *)request;
	header->nlmsg_len = NLMSG_HDRLEN;
	header->nlmsg_type = TYPE(command);
	header->nlmsg_flags = NLM_F_REQUEST | flags;
	header->nlmsg_seq = ++sequence;
	if (device) {
		uint32_t port = 1;
		put(request, RDMA_NLDEV_ATTR_DEV_INDEX, device, sizeof(*device));
		put(request, RDMA_NLDEV_ATTR_PORT_INDEX, &port, sizeof(port));
	}
	if (file)
		put(request, RDMA_NLDEV_ATTR_CHARDEV_TYPE, file, strlen(file) + 1);
	struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	struct iovec vector = { request, header->nlmsg_len };
	struct msghdr message = { .msg_name = &kernel, .msg_namelen = sizeof(kernel), .msg_iov = &vector, .msg_iovlen = 1 };
	require(sendmsg(fd, &message, 0) == (ssize_t)header->nlmsg_len, "sendmsg");
	vector = (struct iovec){ answer, sizeof(answer) };
	require(recvmsg(fd, &message, 0) > 0, "recvmsg");
	struct nlmsghdr *first = (struct nlmsghdr *)answer;
	require((int)first->nlmsg_seq == sequence, "the answer is to this question");
	if (first->nlmsg_flags & NLM_F_MULTI && first->nlmsg_type != NLMSG_DONE)
		others = read_on();
	return first;
}

static const void *find(const struct nlmsghdr *message, int type)
{
	size_t at = NLMSG_HDRLEN;
	while (at + NLA_HDRLEN <= message->nlmsg_len) {
		const struct nlattr *attribute = (const struct nlattr *)((const char *)message + at);
		if ((attribute->nla_type & NLA_TYPE_MASK) == type)
			return (const char *)attribute + NLA_HDRLEN;
		at += NLA_ALIGN(attribute->nla_len);
	}
	printf("attribute %d is missing\n", type);
	exit(1);
}

/* As "rdma res" does; the kernel gives the socket an address when it asks. */
static int list(int devices)
{
	fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_RDMA);
	ask(RDMA_NLDEV_CMD_RES_GET, NLM_F_DUMP, NULL, NULL);
	require(others == devices - 1, "all devices are listed");
	return 0;
}

int main(int count, char **words)
{
	alarm(20);
	if (count == 2)
		return list(atoi(words[1]));
	struct sockaddr_nl any = { .nl_family = AF_NETLINK };
	fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_RDMA);
	require(fd >= 0 && !bind(fd, (struct sockaddr *)&any, sizeof(any)), "a socket of NETLINK_RDMA");

	struct nlmsghdr *device = ask(RDMA_NLDEV_CMD_GET, NLM_F_DUMP, NULL, NULL);
	require(!strcmp(find(device, RDMA_NLDEV_ATTR_DEV_NAME), "mlx5_0"), "the name");
	uint32_t index;
	memcpy(&index, find(device, RDMA_NLDEV_ATTR_DEV_INDEX), sizeof(index));

	uint32_t interface;
	memcpy(&interface, find(ask(RDMA_NLDEV_CMD_PORT_GET, 0, &index, NULL), RDMA_NLDEV_ATTR_NDEV_INDEX), sizeof(interface));
	require(interface == if_nametoindex("lo"), "the network device of the port");

	struct nlmsghdr *file = ask(RDMA_NLDEV_CMD_GET_CHARDEV, 0, &index, "uverbs");
	char path[64];
	struct stat st;
	snprintf(path, sizeof(path), "/dev/infiniband/%s", (const char *)find(file, RDMA_NLDEV_ATTR_CHARDEV_NAME));
	require(!stat(path, &st) && S_ISCHR(st.st_mode), path);
	uint64_t number;
	memcpy(&number, find(file, RDMA_NLDEV_ATTR_CHARDEV), sizeof(number));
	require(number == (minor(st.st_rdev) | (uint64_t)major(st.st_rdev) << 8), "the number of the device file");

	require(ask(RDMA_NLDEV_CMD_GET_CHARDEV, 0, &index, "umad")->nlmsg_type == NLMSG_ERROR, "a file that there is not");
	struct nlmsghdr *refused = ask(RDMA_NLDEV_CMD_RES_QP_GET, NLM_F_DUMP, &index, NULL);
	require(refused->nlmsg_type == NLMSG_ERROR &&
			((struct nlmsgerr *)NLMSG_DATA(refused))->error == -EOPNOTSUPP,
		"what is not supported");
	close(fd);
	return 0;
}
