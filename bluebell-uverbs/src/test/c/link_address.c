/*
 * Asks for the Ethernet address of the device's network interface in every way that programs do, and expects the port's:
 * the one inside of its link-local GID.
 */
#define _GNU_SOURCE
#include <ifaddrs.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netpacket/packet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#define PORT "/sys/class/infiniband/mlx5_0/ports/1"

static unsigned char port[6], seen[6];
static int wrong;

static void read_line(const char *path, char *line)
{
	FILE *file = fopen(path, "r");
	line[0] = 0;
	if (!file || !fgets(line, 64, file)) {
		printf("%s can't be read\n", path);
		exit(1);
	}
	fclose(file);
	line[strcspn(line, "\n")] = 0;
}

static void expect(const char *way)
{
	if (memcmp(seen, port, sizeof(port))) {
		printf("%s: %02x:%02x:%02x:%02x:%02x:%02x\n", way, seen[0], seen[1], seen[2], seen[3], seen[4], seen[5]);
		wrong = 1;
	}
	memset(seen, 0, sizeof(seen));
}

static void parse(const char *line)
{
	sscanf(line, "%hhx:%hhx:%hhx:%hhx:%hhx:%hhx", &seen[0], &seen[1], &seen[2], &seen[3], &seen[4], &seen[5]);
}

enum way { RECV, RECVFROM, RECVMSG, RECVMMSG, READ };

static ssize_t receive_several(int fd, struct msghdr *header)
{
	struct mmsghdr several = { .msg_hdr = *header };
	return recvmmsg(fd, &several, 1, 0, NULL) == 1 ? several.msg_len : -1;
}

/* With _FORTIFY_SOURCE, and a size that only the running program knows, these are other functions of the C library. */
static void by_netlink(enum way way, const char *name, size_t room)
{
	char bytes[65536];
	struct { struct nlmsghdr header; struct ifinfomsg link; } ask = {
		{ sizeof(ask), RTM_GETLINK, NLM_F_REQUEST | NLM_F_DUMP, 1, 0 }, { .ifi_family = AF_UNSPEC } };
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE), ended = 0;
	if (fd < 0 || send(fd, &ask, sizeof(ask), 0) != sizeof(ask))
		exit(1);
	while (!ended) {
		struct iovec vector = { bytes, sizeof(bytes) };
		struct msghdr header = { .msg_iov = &vector, .msg_iovlen = 1 };
		ssize_t length = way == RECV	   ? recv(fd, bytes, room, 0)
				 : way == RECVFROM ? recvfrom(fd, bytes, room, 0, NULL, NULL)
				 : way == RECVMSG  ? recvmsg(fd, &header, 0)
				 : way == READ	   ? read(fd, bytes, room)
						   : receive_several(fd, &header);
		if (length <= 0)
			exit(1);
		for (struct nlmsghdr *each = (struct nlmsghdr *)bytes; NLMSG_OK(each, length); each = NLMSG_NEXT(each, length)) {
			ended |= each->nlmsg_type == NLMSG_DONE;
			struct ifinfomsg *link = NLMSG_DATA(each);
			if (each->nlmsg_type != RTM_NEWLINK || !(link->ifi_flags & IFF_LOOPBACK))
				continue;
			int left = IFLA_PAYLOAD(each);
			for (struct rtattr *one = IFLA_RTA(link); RTA_OK(one, left); one = RTA_NEXT(one, left))
				if (one->rta_type == IFLA_ADDRESS)
					memcpy(seen, RTA_DATA(one), sizeof(seen));
		}
	}
	close(fd);
	expect(name);
}

int main(void)
{
	char line[64], path[256], interface[64];
	unsigned part[8];
	read_line(PORT "/gids/0", line);
	sscanf(line, "%x:%x:%x:%x:%x:%x:%x:%x", &part[0], &part[1], &part[2], &part[3], &part[4], &part[5], &part[6], &part[7]);
	port[0] = part[4] >> 8 ^ 2;
	port[1] = part[4];
	port[2] = part[5] >> 8;
	port[3] = part[6];
	port[4] = part[7] >> 8;
	port[5] = part[7];
	read_line(PORT "/gid_attrs/ndevs/0", interface);

	snprintf(path, sizeof(path), "/sys/class/infiniband/mlx5_0/device/net/%s/address", interface);
	read_line(path, line);
	parse(line);
	expect(path);
	snprintf(path, sizeof(path), "/sys/class/net/%s/address", interface);
	read_line(path, line);
	parse(line);
	expect(path);

	struct ifreq request = { 0 };
	snprintf(request.ifr_name, sizeof(request.ifr_name), "%.15s", interface);
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	if (ioctl(fd, SIOCGIFHWADDR, &request))
		return 1;
	memcpy(seen, request.ifr_hwaddr.sa_data, sizeof(seen));
	expect("SIOCGIFHWADDR");

	struct ifaddrs *list;
	if (getifaddrs(&list))
		return 1;
	for (struct ifaddrs *each = list; each; each = each->ifa_next)
		if (each->ifa_addr && each->ifa_addr->sa_family == AF_PACKET && !strcmp(each->ifa_name, interface))
			memcpy(seen, ((struct sockaddr_ll *)each->ifa_addr)->sll_addr, sizeof(seen));
	freeifaddrs(list);
	expect("getifaddrs");

	size_t room = 1000 * strlen(interface);
	by_netlink(RECV, "recv", room);
	by_netlink(RECVFROM, "recvfrom", room);
	by_netlink(RECVMSG, "recvmsg", room);
	by_netlink(RECVMMSG, "recvmmsg", room);
	by_netlink(READ, "read", room);
	return wrong;
}
