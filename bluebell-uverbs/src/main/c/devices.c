/*
 * The device processes: how to connect to them, the messages, and what they are asked without opening a device. Messages
 * both ways have four 8-byte words {kind, a, b, c}.
 */
#define _GNU_SOURCE
#include "shim.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define CHARACTER_DEVICE(index) makedev(1, 3 + (index)) /* the numbers that the sysfs tree gives the device files */
#define CHARACTER_MANAGER makedev(10, 256)
#define MAX_NAME 64
#define END_SECONDS 5 /* in each of which a receive gives up once */

int has_device(int device)
{
	size_t length;
	return setting_part(SOCKETS, device, &length) != NULL;
}

int hold_off_cancellation(void)
{
	int before;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	return before;
}

void allow_cancellation(int before)
{
	int unused;
	pthread_setcancelstate(before, &unused);
}

void hold_off(struct held *held)
{
	sigset_t all;
	sigfillset(&all);
	held->cancellation = hold_off_cancellation();
	pthread_sigmask(SIG_SETMASK, &all, &held->signals);
}

void let_go(const struct held *held)
{
	int before = errno;
	pthread_sigmask(SIG_SETMASK, &held->signals, NULL);
	allow_cancellation(held->cancellation);
	errno = before;
}

/* Signals that wait here, and have no handler, act now, such as that of Ctrl-C. What the program blocks stays blocked. */
static void let_program_end(const struct held *held)
{
	sigset_t waiting, unhandled;
	struct sigaction action;
	sigpending(&waiting);
	sigemptyset(&unhandled);
	for (int each = 1; each < NSIG; each++)
		if (sigismember(&waiting, each) == 1 && !sigismember(&held->signals, each) && !sigaction(each, NULL, &action) && action.sa_handler == SIG_DFL)
			sigaddset(&unhandled, each);
	pthread_sigmask(SIG_UNBLOCK, &unhandled, NULL);
}

int send_message(int fd, const struct message *message)
{
	ssize_t sent;
	do
		sent = send(fd, message, sizeof(*message), MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	return sent == sizeof(*message) ? 0 : -1;
}

int receive_message(int fd, struct message *message, int *passed, const struct held *held)
{
	char control[CMSG_SPACE(sizeof(int))];
	struct iovec vector = { message, sizeof(*message) };
	struct msghdr header = { .msg_iov = &vector, .msg_iovlen = 1, .msg_control = control,
				 .msg_controllen = sizeof(control) };
	ssize_t received;
	while ((received = recvmsg(fd, &header, MSG_CMSG_CLOEXEC)) < 0 && (errno == EINTR || errno == EAGAIN))
		if (errno == EAGAIN && held)
			let_program_end(held);
	*passed = -1;
	if (received != sizeof(*message))
		return -1;
	struct cmsghdr *first = CMSG_FIRSTHDR(&header);
	if (first && first->cmsg_type == SCM_RIGHTS)
		memcpy(passed, CMSG_DATA(first), sizeof(int));
	return 0;
}

void end_session(int fd, const struct held *held)
{
	char nothing;
	shutdown(fd, SHUT_WR);
	for (int second = 0; second < END_SECONDS; second++) {
		if (recv(fd, &nothing, sizeof(nothing), 0) >= 0 || (errno != EAGAIN && errno != EINTR))
			return;
		let_program_end(held);
	}
}

/* As for the open of a file, a signal is no reason to fail while the device process has others to accept first. */
static int connect_socket(int fd, const struct sockaddr_un *address)
{
	int result;
	do
		result = connect(fd, (const struct sockaddr *)address, sizeof(*address));
	while (result < 0 && errno == EINTR);
	return result;
}

int connect_device(int device)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t path_length;
	const char *path = setting_part(SOCKETS, device, &path_length);
	if (!path || path_length >= sizeof(address.sun_path)) {
		errno = ENOENT;
		return -1;
	}
	memcpy(address.sun_path, path, path_length);
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd >= 0 && fd <= STDERR_FILENO) {
		int standard = fd;
		fd = hidden_copy(standard);
		real_close(standard);
	}
	if (fd < 0)
		return -1;
	struct ucred server;
	socklen_t length = sizeof(server);
	struct timeval patience = { .tv_sec = 1 };
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	if (connect_socket(fd, &address) ||
	    getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &server, &length)) {
		real_close(fd);
		errno = ENODEV;
		return -1;
	}
	if (server.uid != geteuid()) {
		/* whoever serves the device reads and writes the program's memory: no other user may */
		real_close(fd);
		errno = EACCES;
		return -1;
	}
	/* The kernel keeps one tracer, and there may be several device processes. Fails where nothing restricts tracing. */
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
	return fd;
}

/* ---- what is asked of a device without opening it */

struct question { struct message message; char name[MAX_NAME]; };

static int64_t ask(int device, const struct question *question, size_t length)
{
	int cancellation = hold_off_cancellation(), passed;
	int64_t result = -ENODEV;
	int socket = connect_device(device);
	if (socket >= 0) {
		struct message reply;
		if (send(socket, question, length, MSG_NOSIGNAL) == (ssize_t)length &&
		    !receive_message(socket, &reply, &passed, NULL) && reply.kind == RESULT)
			result = reply.a;
		real_close(socket);
	}
	allow_cancellation(cancellation);
	return result;
}

int64_t read_counter(int device, int port, const char *name)
{
	struct question question = { { COUNTER, port, 0, 0 }, { 0 } };
	size_t length = strlen(name);
	int64_t value = -ENOENT;
	if (length < sizeof(question.name)) {
		memcpy(question.name, name, length);
		value = ask(device, &question, sizeof(question));
	}
	if (value >= 0)
		return value;
	errno = -value;
	return -1;
}

void tell_missing(enum missing what)
{
	static int told[KINDS_OF_MISSING];
	size_t length;
	const char *observer = setting_part(OBSERVERS, 0, &length);
	if (!observer || __atomic_exchange_n(&told[what], 1, __ATOMIC_RELAXED))
		return;
	struct question question = { { MISSING, atoll(observer), what, 0 }, { 0 } };
	ask(0, &question, sizeof(question));
}

void describe_device(int device, struct stat *st)
{
	memset(st, 0, sizeof(*st));
	st->st_mode = S_IFCHR | 0666;
	st->st_rdev = device == CONNECTION_MANAGER ? CHARACTER_MANAGER : CHARACTER_DEVICE(device);
	st->st_nlink = 1;
}
