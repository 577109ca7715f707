/*
 * What a bare sender and receiver of UDP datagrams reach on this machine: sendmmsg and recvmmsg with segmentation
 * offload (UDP_SEGMENT, UDP_GRO), between two processes over loopback. Nothing is looked at and nothing is answered;
 * datagrams that find no room are lost, and only those that were received count.
 *
 *   udp BYTES SECONDS     prints datagrams and bytes of payload received in a second
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { MESSAGES = 16, SEGMENTS = 64, MOST_RUN = 65000, SEGMENT_OPTION = 103, GRO_OPTION = 104, UDP_LEVEL = 17 };

static char room[MESSAGES][1 << 16];
static struct mmsghdr messages[MESSAGES];
static struct iovec pieces[MESSAGES];
static char control[MESSAGES][CMSG_SPACE(sizeof(int))];

static void check(int good, const char *what)
{
	if (!good) {
		perror(what);
		exit(1);
	}
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void send_forever(const struct sockaddr_in *to, int bytes)
{
	int fd = socket(AF_INET, SOCK_DGRAM, 0), run = MOST_RUN / bytes;
	check(fd >= 0, "socket");
	check(prctl(PR_SET_PDEATHSIG, SIGKILL) == 0, "prctl");
	if (run > SEGMENTS)
		run = SEGMENTS;
	for (int i = 0; i < MESSAGES; i++) {
		struct msghdr *header = &messages[i].msg_hdr;
		pieces[i] = (struct iovec) { room[i], (size_t) run * bytes };
		*header = (struct msghdr) { (void *) to, sizeof(*to), &pieces[i], 1, control[i], CMSG_SPACE(sizeof(short)), 0 };
		struct cmsghdr *cut = CMSG_FIRSTHDR(header);
		cut->cmsg_level = UDP_LEVEL;
		cut->cmsg_type = SEGMENT_OPTION;
		cut->cmsg_len = CMSG_LEN(sizeof(short));
		*(unsigned short *) CMSG_DATA(cut) = bytes;
	}
	for (;;)
		check(sendmmsg(fd, messages, MESSAGES, 0) > 0, "sendmmsg");
}

int main(int count, char **arguments)
{
	int bytes = count > 1 ? atoi(arguments[1]) : 0, on = 1, buffer = 4 << 20;
	double seconds = count > 2 ? atof(arguments[2]) : 1;
	struct sockaddr_in own = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t length = sizeof(own);
	struct timeval patience = { 0, 100000 };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	if (bytes < 1 || bytes > MOST_RUN || seconds <= 0) {
		fprintf(stderr, "usage: udp BYTES [SECONDS], of 1 to %d bytes\n", MOST_RUN);
		return 2;
	}
	check(fd >= 0 && bind(fd, (struct sockaddr *) &own, sizeof(own)) == 0, "bind");
	check(getsockname(fd, (struct sockaddr *) &own, &length) == 0, "getsockname");
	check(setsockopt(fd, UDP_LEVEL, GRO_OPTION, &on, sizeof(on)) == 0, "UDP_GRO");
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof(buffer));
	check(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) == 0, "SO_RCVTIMEO");
	pid_t sender = fork();
	check(sender >= 0, "fork");
	if (sender == 0)
		send_forever(&own, bytes);
	long received = 0;
	double start = now(), warm = start + 0.2, end = warm + seconds;
	for (double t = start; t < end; t = now()) {
		for (int i = 0; i < MESSAGES; i++) {
			pieces[i] = (struct iovec) { room[i], sizeof(room[i]) };
			messages[i].msg_hdr = (struct msghdr) { .msg_iov = &pieces[i], .msg_iovlen = 1 };
		}
		int got = recvmmsg(fd, messages, MESSAGES, MSG_WAITFORONE, NULL);
		for (int i = 0; i < got && t >= warm; i++)
			received += messages[i].msg_len;
	}
	kill(sender, SIGKILL);
	printf("%.0f %.0f\n", received / bytes / seconds, received / seconds);
	return 0;
}
