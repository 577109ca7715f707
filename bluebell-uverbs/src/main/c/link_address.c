/*
 * Shows the port's Ethernet address where the program asks for that of its network device. That is the machine's "lo",
 * which has none, and programs take the destination address of their packets from it. Everything else about "lo" is
 * the machine's.
 */
#define _GNU_SOURCE
#include "shim.h"
#include <ifaddrs.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <netpacket/packet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#define ADDRESS_FILE "/sys/class/infiniband_verbs/uverbs0/device/net/lo/address"
#define ADDRESS_BYTES 6

/* Those that ask the kernel for network devices. */
static struct sockets link_sockets;

int note_link_socket(int fd)
{
	note_socket(&link_sockets, fd);
	return fd;
}

/* Replaces an address by the port's, if there is a port that has one. */
static void replace(void *address)
{
	unsigned char bytes[ADDRESS_BYTES];
	FILE *file = fopen(ADDRESS_FILE, "re");
	if (!file)
		return;
	if (fscanf(file, "%2hhx:%2hhx:%2hhx:%2hhx:%2hhx:%2hhx", &bytes[0], &bytes[1], &bytes[2], &bytes[3], &bytes[4],
		   &bytes[5]) == ADDRESS_BYTES)
		memcpy(address, bytes, ADDRESS_BYTES);
	fclose(file);
}

void show_link_address(void *request)
{
	struct ifreq *interface = request;
	if (interface->ifr_hwaddr.sa_family == ARPHRD_LOOPBACK)
		replace(interface->ifr_hwaddr.sa_data);
}

static void show_in_link(struct nlmsghdr *message)
{
	struct ifinfomsg *link = NLMSG_DATA(message);
	if (message->nlmsg_type != RTM_NEWLINK || message->nlmsg_len < NLMSG_LENGTH(sizeof(*link)) ||
	    link->ifi_type != ARPHRD_LOOPBACK)
		return;
	int left = IFLA_PAYLOAD(message);
	for (struct rtattr *attribute = IFLA_RTA(link); RTA_OK(attribute, left); attribute = RTA_NEXT(attribute, left))
		if (attribute->rta_type == IFLA_ADDRESS && RTA_PAYLOAD(attribute) == ADDRESS_BYTES)
			replace(RTA_DATA(attribute));
}

/* What was received may be longer than the room for it. */
ssize_t show_link_addresses(int fd, void *bytes, size_t room, ssize_t received)
{
	if (received <= 0 || !is_noted(&link_sockets, fd))
		return received;
	/* Signed: behind the last message of a length that is not aligned, nothing is left or less. */
	int left = (int)((size_t)received < room ? (size_t)received : room);
	for (struct nlmsghdr *message = bytes; NLMSG_OK(message, left); message = NLMSG_NEXT(message, left))
		show_in_link(message);
	return received;
}

INTERPOSED ssize_t recv(int fd, void *bytes, size_t room, int flags)
{
	REAL(recv);
	return show_link_addresses(fd, bytes, room, real(fd, bytes, room, flags));
}

INTERPOSED ssize_t recvfrom(int fd, void *bytes, size_t room, int flags, struct sockaddr *from, socklen_t *length)
{
	REAL(recvfrom);
	return show_link_addresses(fd, bytes, room, real(fd, bytes, room, flags, from, length));
}

INTERPOSED ssize_t recvmsg(int fd, struct msghdr *header, int flags)
{
	REAL(recvmsg);
	ssize_t received = real(fd, header, flags);
	return header && header->msg_iovlen == 1
		       ? show_link_addresses(fd, header->msg_iov->iov_base, header->msg_iov->iov_len, received)
		       : received;
}

INTERPOSED int recvmmsg(int fd, struct mmsghdr *headers, unsigned count, int flags, struct timespec *timeout)
{
	REAL(recvmmsg);
	int received = real(fd, headers, count, flags, timeout);
	for (int i = 0; i < received; i++) {
		struct msghdr *header = &headers[i].msg_hdr;
		if (header->msg_iovlen == 1)
			show_link_addresses(fd, header->msg_iov->iov_base, header->msg_iov->iov_len, headers[i].msg_len);
	}
	return received;
}

/* What is compiled with _FORTIFY_SOURCE calls these. */
ssize_t __recv_chk(int fd, void *bytes, size_t room, size_t space, int flags);
INTERPOSED ssize_t __recv_chk(int fd, void *bytes, size_t room, size_t space, int flags)
{
	REAL(__recv_chk);
	return show_link_addresses(fd, bytes, room, real(fd, bytes, room, space, flags));
}

ssize_t __recvfrom_chk(int fd, void *bytes, size_t room, size_t space, int flags, struct sockaddr *from,
		       socklen_t *length);
INTERPOSED ssize_t __recvfrom_chk(int fd, void *bytes, size_t room, size_t space, int flags, struct sockaddr *from,
				  socklen_t *length)
{
	REAL(__recvfrom_chk);
	return show_link_addresses(fd, bytes, room, real(fd, bytes, room, space, flags, from, length));
}

/* The C library asks by functions of its own. */
INTERPOSED int getifaddrs(struct ifaddrs **list)
{
	REAL(getifaddrs);
	int failed = real(list);
	for (struct ifaddrs *each = failed ? NULL : *list; each; each = each->ifa_next) {
		struct sockaddr_ll *link = (struct sockaddr_ll *)each->ifa_addr;
		if (link && link->sll_family == AF_PACKET && link->sll_hatype == ARPHRD_LOOPBACK)
			replace(link->sll_addr);
	}
	return failed;
}
