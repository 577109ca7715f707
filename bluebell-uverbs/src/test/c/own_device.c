/*
 * A program and the device process that it uses, which does at a call of the program what a real one does at no certain
 * time. The program starts itself anew, as it is told of the device when it begins.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define ANSWERS 7
#define EVENT_BYTES 16
#define MOST 64
#define SECONDS 20

enum request { PLAIN = 1000, SIGNAL, INSTALL_EVENTS, END, STAY_SILENT, ANSWER_LATE, KEEP, SIGNAL_AT_END };
enum request_kind { HELLO, IOCTL };
enum reply_kind { RESULT, INSTALL };

struct message { int64_t kind, a, b, c; };

static void expect(int condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "%s: errno %d\n", what, errno);
	_exit(1);
}

/* ---- the device process */

static void reply(int client, struct message message, int passed)
{
	char control[CMSG_SPACE(sizeof(int))] = { 0 };
	struct iovec vector = { &message, sizeof(message) };
	struct msghdr header = { .msg_iov = &vector, .msg_iovlen = 1 };
	if (passed >= 0) {
		header.msg_control = control;
		header.msg_controllen = sizeof(control);
		struct cmsghdr *first = CMSG_FIRSTHDR(&header);
		*first = (struct cmsghdr){ CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS };
		memcpy(CMSG_DATA(first), &passed, sizeof(int));
	}
	expect(sendmsg(client, &header, 0) == sizeof(message), "the device process answers");
}

/* What the device process does when the program hangs up. */
static enum request at_end;

/* The ends that the device process has; of the last pair for events. */
static int ends[2] = { -1, -1 };

static void answer_call(int client, enum request request, pid_t program)
{
	struct message done;
	switch (request) {
	case END:
		close(ends[0]);
		return;
	case STAY_SILENT:
		kill(program, SIGTERM);
		return;
	case ANSWER_LATE:
		kill(program, SIGTERM);
		sleep(2); /* longer than the library holds off signals that end a program */
		break;
	case SIGNAL:
		kill(program, SIGUSR1);
		break;
	case INSTALL_EVENTS:
		expect(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0, "a pair of sockets");
		reply(client, (struct message){ INSTALL, EVENT_BYTES, 1, 2 }, ends[1]);
		close(ends[1]);
		expect(recv(client, &done, sizeof(done), 0) == sizeof(done), "the program has the descriptor");
		reply(client, (struct message){ RESULT, done.b, 0, 0 }, -1);
		return;
	case KEEP:
		at_end = KEEP;
		break;
	case SIGNAL_AT_END:
		at_end = SIGNAL_AT_END;
		break;
	default:
		break;
	}
	reply(client, (struct message){ RESULT, ANSWERS, 0, 0 }, -1);
}

/* The first byte of the device file says whether the session has ended, which takes a while. */
static void end_session(int file, pid_t program)
{
	if (at_end == SIGNAL_AT_END)
		kill(program, SIGTERM);
	if (at_end)
		sleep(SECONDS);
	usleep(100000);
	close(ends[0]);
	usleep(20000);
	expect(pwrite(file, "!", 1, 0) == 1, "the device process ends the session");
}

static void serve(int listener, pid_t program)
{
	int client = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	struct message request = { 0 };
	int file = memfd_create("device", MFD_CLOEXEC);
	while (request.a != END && recv(client, &request, sizeof(request), 0) == sizeof(request)) {
		if (request.kind == HELLO)
			reply(client, (struct message){ RESULT, 0, 0, 0 }, file);
		else
			answer_call(client, request.a, program);
	}
	end_session(file, program);
	close(file);
	close(client);
}

/* ---- the program */

static int device, handled;

static void expect_device(void)
{
	expect(ioctl(device, PLAIN, NULL) == ANSWERS, "the device answers");
}

/* The number of the connection, of which the program should not know. */
static int connection(void)
{
	struct stat st;
	for (int fd = 0; fd < MOST; fd++)
		if (!syscall(SYS_fstat, fd, &st) && S_ISSOCK(st.st_mode))
			return fd;
	return -1;
}

static void use(int number)
{
	(void)number;
	expect_device();
	handled = 1;
}

static void used_by_handler(void)
{
	signal(SIGUSR1, use);
	expect(ioctl(device, SIGNAL, NULL) == ANSWERS && handled, "the call and the handler's call are answered");
	expect_device();
}

static void close_device(int number)
{
	(void)number;
	handled = close(device) == 0;
}

static void closed_by_handler(void)
{
	signal(SIGUSR1, close_device);
	expect(ioctl(device, SIGNAL, NULL) == ANSWERS && handled, "the call is answered, and the device closed");
	expect(ioctl(device, PLAIN, NULL) < 0 && errno == EBADF, "the device is closed");
}

static void failed_dup2(void)
{
	int hidden = connection();
	struct stat st;
	expect(dup2(-1, hidden) < 0 && errno == EBADF, "nothing can't be duplicated");
	expect(syscall(SYS_fstat, hidden, &st) < 0 && errno == EBADF, "the number is closed, as it was for the program");
	expect_device();
	expect(close(device) == 0 && connection() < 0, "the connection ends with the device file");
}

static void moved(void)
{
	int64_t event[2] = { 0 };
	int events = ioctl(device, INSTALL_EVENTS, NULL), hidden = connection();
	expect(events >= 0 && hidden != events, "the program has a descriptor of events");
	expect(dup2(open("/dev/null", O_RDWR), hidden) == hidden, "the program uses the number of the connection");
	expect_device();
	expect(ioctl(device, END, NULL) < 0 && errno == EIO, "the device process ends");
	expect(read(events, event, sizeof(event)) == EVENT_BYTES && event[0] == 1 && event[1] == 2, "the last event");
	expect(read(events, event, sizeof(event)) < 0 && errno == EIO, "nothing follows");
}

static void duplicated(void)
{
	int64_t event[2] = { 0 };
	int first = ioctl(device, INSTALL_EVENTS, NULL), events = fcntl(first, F_DUPFD_CLOEXEC, MOST);
	expect(events >= MOST && close(first) == 0, "the program moves a descriptor of events");
	expect(ioctl(device, END, NULL) < 0 && errno == EIO, "the device process ends");
	expect(read(events, event, sizeof(event)) == EVENT_BYTES && event[0] == 1 && event[1] == 2, "the last event");
	expect(read(events, event, sizeof(event)) < 0 && errno == EIO, "nothing follows");
}

static void low_numbers(void)
{
	expect(close(device) == 0 && close(0) == 0, "the standard input is closed");
	device = open("/dev/infiniband/uverbs0", O_RDWR);
	expect(device == 0, "the device gets the lowest number");
	expect(connection() > 2, "the connection has a number that nobody uses by heart");
}

static void unanswered(void)
{
	ioctl(device, STAY_SILENT, NULL);
	expect(0, "the signal ends the program");
}

static void late(void)
{
	sigset_t own;
	int number;
	sigemptyset(&own);
	sigaddset(&own, SIGTERM);
	expect(sigprocmask(SIG_BLOCK, &own, NULL) == 0, "the program blocks a signal");
	expect(ioctl(device, ANSWER_LATE, NULL) == ANSWERS, "the device answers late");
	expect(sigwait(&own, &number) == 0 && number == SIGTERM, "the program waits for the signal");
}

/* A byte that changes when the device process has ended the session. */
static const volatile char *session_end(void)
{
	expect(ftruncate(device, 1) == 0, "the device file has a byte");
	const volatile char *ended = mmap(NULL, 1, PROT_READ, MAP_SHARED, device, 0);
	expect(ended != MAP_FAILED && !*ended, "the session is open");
	return ended;
}

static void closed(void)
{
	const volatile char *ended = session_end();
	int same = dup(device);
	expect(close(device) == 0 && !*ended, "a duplicate is left");
	device = same;
	expect_device();
	expect(close(device) == 0 && *ended, "the session has ended when the last descriptor is closed");
}

static void replaced(void)
{
	const volatile char *ended = session_end();
	expect(dup2(open("/dev/null", O_RDWR), device) == device && *ended, "the session has ended with its descriptor");
}

static void closed_by_child(void)
{
	const volatile char *ended = session_end();
	pid_t child = fork();
	int status;
	if (!child)
		_exit(close(device) || *ended);
	expect(waitpid(child, &status, 0) == child && !status && !*ended, "a child closes its copy");
	expect_device();
	child = fork();
	if (!child) {
		pause();
		_exit(1);
	}
	expect(close(device) == 0 && *ended, "the session ends, though a child has copies");
	kill(child, SIGKILL);
}

/* As libibverbs does, which closes the device first. */
static void closed_before_its_events(void)
{
	struct pollfd events = { .fd = ioctl(device, INSTALL_EVENTS, NULL), .events = POLLIN };
	expect(events.fd >= 0 && close(device) == 0, "the device is closed");
	expect(poll(&events, 1, 0) == 0, "its asynchronous events do not end");
	expect(close(events.fd) == 0, "they are closed, too");
}

static void *reads(void *events)
{
	int64_t event[2];
	return read(*(int *)events, event, sizeof(event)) < 0 && errno == EIO ? events : NULL;
}

static void closed_beside_a_reader(void)
{
	int events = ioctl(device, INSTALL_EVENTS, NULL);
	pthread_t reader;
	void *refused;
	expect(events >= 0 && pthread_create(&reader, NULL, reads, &events) == 0, "a thread waits for an event");
	usleep(50000);
	expect(close(device) == 0, "the device is closed");
	expect(pthread_join(reader, &refused) == 0 && refused, "the thread hears of no failure of the device");
}

static void kept(void)
{
	expect(ioctl(device, KEEP, NULL) == ANSWERS, "the device answers");
	expect(close(device) == 0 && connection() < 0, "the device is closed");
}

static void ended_by_signal(void)
{
	expect(ioctl(device, SIGNAL_AT_END, NULL) == ANSWERS, "the device answers");
	close(device);
	expect(0, "the signal ends the program");
}

static const struct { const char *name; void (*run)(void); int end; } cases[] = {
	{ "a signal handler uses the device during a call", used_by_handler, 0 },
	{ "a signal handler closes the device during a call", closed_by_handler, 0 },
	{ "a dup2 that fails closes the number", failed_dup2, 0 },
	{ "an event arrives at the end after the connection moved", moved, 0 },
	{ "an event arrives at the end at a duplicate", duplicated, 0 },
	{ "the device gets the lowest number and the connection none of 0 to 2", low_numbers, 0 },
	{ "a signal ends an application whose device does not answer", unanswered, SIGTERM },
	{ "a signal that an application blocks waits for it", late, 0 },
	{ "closing the last descriptor waits for the end of the session", closed, 0 },
	{ "a dup2 onto the last descriptor waits for the end of the session", replaced, 0 },
	{ "a child that closes the device does not end the session", closed_by_child, 0 },
	{ "asynchronous events do not end when the device is closed", closed_before_its_events, 0 },
	{ "a thread that waits for an event when the device is closed gets none", closed_beside_a_reader, 0 },
	{ "a device process that does not end the session is not waited for long", kept, 0 },
	{ "a signal ends an application that waits for the end of the session", ended_by_signal, SIGTERM },
};

static int run(size_t index, const char *path)
{
	char folder[] = "/tmp/ownXXXXXX", number[12];
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), status;
	expect(mkdtemp(folder) != NULL, "a folder is made");
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/socket", folder);
	expect(!bind(listener, (struct sockaddr *)&address, sizeof(address)) && !listen(listener, 4), "something listens");
	pid_t program = fork();
	if (!program) {
		snprintf(number, sizeof(number), "%zu", index);
		setenv("BLUEBELL_SOCKET", address.sun_path, 1);
		execl(path, path, "case", number, NULL);
		_exit(1);
	}
	pid_t server = fork();
	if (!server) {
		for (;;)
			serve(listener, program);
	}
	expect(waitpid(program, &status, 0) == program, "the program ends");
	kill(server, SIGKILL);
	waitpid(server, NULL, 0);
	unlink(address.sun_path);
	rmdir(folder);
	return status != cases[index].end;
}

int main(int count, char **words)
{
	if (count == 3) {
		alarm(SECONDS);
		device = open("/dev/infiniband/uverbs0", O_RDWR);
		expect(device >= 0, "the device opens");
		cases[atoi(words[2])].run();
		return 0;
	}
	for (size_t i = 0; count == 2 && i < sizeof(cases) / sizeof(cases[0]); i++)
		if (!strcmp(words[1], cases[i].name))
			return run(i, "/proc/self/exe");
	return 2;
}
