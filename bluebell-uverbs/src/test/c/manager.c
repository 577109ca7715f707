/*
 * The file of the connection manager as an application sees it: what it is, how it waits for events, and what happens
 * to threads, duplicates and children. Prints "ok".
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <rdma/rdma_user_cm.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define FILE_NAME "/dev/infiniband/rdma_cm"
#define EXPECT(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "line %d: %s (errno %d)\n", __LINE__, #condition, errno); \
			exit(1); \
		} \
	} while (0)

static ssize_t command(int fd, int number, const void *input, size_t in, size_t out)
{
	char bytes[512];
	struct rdma_ucm_cmd_hdr header = { .cmd = number, .in = in, .out = out };
	memcpy(bytes, &header, sizeof(header));
	memcpy(bytes + sizeof(header), input, in);
	return write(fd, bytes, sizeof(header) + in);
}

static uint32_t create(int fd)
{
	struct rdma_ucm_create_id_resp made;
	struct rdma_ucm_create_id input = { .uid = 42, .response = (uintptr_t)&made, .ps = RDMA_PS_TCP };
	EXPECT(command(fd, RDMA_USER_CM_CMD_CREATE_ID, &input, sizeof(input), sizeof(made)) == sizeof(input) + 8);
	return made.id;
}

/* Resolves an address of this machine, which is an event at once. */
static void resolve(int fd, uint32_t id)
{
	struct rdma_ucm_resolve_ip input = { .id = id, .timeout_ms = 1000 };
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	memcpy(&input.dst_addr, &to, sizeof(to));
	EXPECT(command(fd, RDMA_USER_CM_CMD_RESOLVE_IP, &input, sizeof(input), 0) > 0);
}

static ssize_t next_event(int fd, struct rdma_ucm_event_resp *event)
{
	struct rdma_ucm_get_event input = { .response = (uintptr_t)event };
	return command(fd, RDMA_USER_CM_CMD_GET_EVENT, &input, sizeof(input), sizeof(*event));
}

static uint32_t destroy(int fd, uint32_t id)
{
	struct rdma_ucm_destroy_id_resp gone;
	struct rdma_ucm_destroy_id input = { .response = (uintptr_t)&gone, .id = id };
	EXPECT(command(fd, RDMA_USER_CM_CMD_DESTROY_ID, &input, sizeof(input), sizeof(gone)) > 0);
	return gone.events_reported;
}

static int is_readable(int fd)
{
	struct pollfd polled = { .fd = fd, .events = POLLIN };
	EXPECT(poll(&polled, 1, 0) >= 0);
	return polled.revents == POLLIN;
}

static pid_t waiter;

static void *wait_for_event(void *argument)
{
	__atomic_store_n(&waiter, gettid(), __ATOMIC_RELEASE);
	struct rdma_ucm_event_resp event;
	ssize_t read = next_event(*(int *)argument, &event);
	return (void *)(intptr_t)(read > 0 && event.uid == 42 ? 1 : -errno);
}

static int is_waiting(pid_t thread)
{
	char path[64], state = 0;
	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", thread);
	FILE *file = fopen(path, "r");
	if (!file)
		return 0;
	int found = fscanf(file, "%*d (%*[^)]) %c", &state);
	fclose(file);
	return found == 1 && state == 'S';
}

/* Asleep many times in a row: it waits for no answer of the device process any more. */
static void await_sleep(void)
{
	for (int asleep = 0; asleep < 20; usleep(1000)) {
		pid_t thread = __atomic_load_n(&waiter, __ATOMIC_ACQUIRE);
		asleep = thread && is_waiting(thread) ? asleep + 1 : 0;
	}
}

static pthread_t start_waiting(int *fd)
{
	pthread_t thread;
	__atomic_store_n(&waiter, 0, __ATOMIC_RELEASE);
	EXPECT(!pthread_create(&thread, NULL, wait_for_event, fd));
	await_sleep();
	return thread;
}

static void handle(int number)
{
	(void)number;
}

int main(void)
{
	struct stat st;
	EXPECT(!stat(FILE_NAME, &st) && S_ISCHR(st.st_mode));
	EXPECT(!access(FILE_NAME, R_OK | W_OK));
	int fd = open(FILE_NAME, O_RDWR | O_NONBLOCK);
	EXPECT(fd >= 0 && fcntl(fd, F_GETFL) & O_NONBLOCK && !fcntl(fd, F_GETFD));
	EXPECT(!close(fd));
	fd = open(FILE_NAME, O_RDWR | O_CLOEXEC);
	EXPECT(fd >= 0 && !(fcntl(fd, F_GETFL) & O_NONBLOCK) && fcntl(fd, F_GETFD) == FD_CLOEXEC);
	EXPECT(!fstat(fd, &st) && S_ISCHR(st.st_mode));
	EXPECT(ioctl(fd, 0xc0181b01, &st) < 0 && errno == ENOTTY);

	EXPECT(read(fd, &st, sizeof(st)) < 0 && errno == EINVAL);

	/* Without events. */
	struct rdma_ucm_event_resp event;
	EXPECT(!is_readable(fd));
	EXPECT(!fcntl(fd, F_SETFL, O_NONBLOCK));
	EXPECT(next_event(fd, &event) < 0 && errno == EAGAIN);

	/* What the kernel does for every file. */
	int on = 1, off = 0;
	EXPECT(!ioctl(fd, FIONBIO, &off) && !(fcntl(fd, F_GETFL) & O_NONBLOCK));
	EXPECT(!ioctl(fd, FIONBIO, &on) && fcntl(fd, F_GETFL) & O_NONBLOCK);
	EXPECT(!ioctl(fd, FIONCLEX) && !fcntl(fd, F_GETFD));
	EXPECT(!ioctl(fd, FIOCLEX) && fcntl(fd, F_GETFD) == FD_CLOEXEC);

	/* With one. */
	uint32_t id = create(fd);
	int epoll = epoll_create1(0);
	struct epoll_event edge = { .events = EPOLLIN | EPOLLET };
	EXPECT(!epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &edge));
	EXPECT(epoll_wait(epoll, &edge, 1, 0) == 0);
	resolve(fd, id);
	EXPECT(is_readable(fd));
	EXPECT(epoll_wait(epoll, &edge, 1, 0) == 1);
	EXPECT(next_event(fd, &event) > 0 && event.uid == 42 && event.id == id && event.event == 0);
	EXPECT(!is_readable(fd));
	EXPECT(destroy(fd, id) == 1);

	/* A duplicate is the same file. */
	int copy = dup(fd);
	id = create(copy);
	EXPECT(!close(copy));
	resolve(fd, id);
	EXPECT(destroy(fd, id) == 0);
	EXPECT(!is_readable(fd));

	/* A thread waits while another one makes the event that it waits for. */
	EXPECT(!fcntl(fd, F_SETFL, 0));
	pthread_t waiting = start_waiting(&fd);
	id = create(fd);
	resolve(fd, id);
	void *result;
	EXPECT(!pthread_join(waiting, &result) && result == (void *)1);

	/* A signal ends the wait. */
	struct sigaction action = { .sa_handler = handle };
	sigaction(SIGUSR1, &action, NULL);
	waiting = start_waiting(&fd);
	pthread_kill(waiting, SIGUSR1);
	EXPECT(!pthread_join(waiting, &result) && result == (void *)-EINTR);

	/* So does a cancellation, and then nothing is locked. */
	waiting = start_waiting(&fd);
	pthread_cancel(waiting);
	EXPECT(!pthread_join(waiting, &result) && result == PTHREAD_CANCELED);
	EXPECT(destroy(fd, id) == 1);

	/* A child has no part of it. */
	if (!fork()) {
		struct rdma_ucm_create_id input = { .ps = RDMA_PS_TCP };
		_exit(command(fd, RDMA_USER_CM_CMD_CREATE_ID, &input, sizeof(input), 4) < 0 && errno == EACCES ? 0 : 1);
	}
	int status;
	EXPECT(wait(&status) > 0 && !status);

	/* Two files; an id moves with its event. */
	int other = open(FILE_NAME, O_RDWR);
	id = create(fd);
	resolve(fd, id);
	struct rdma_ucm_migrate_resp moved;
	struct rdma_ucm_migrate_id input = { .response = (uintptr_t)&moved, .id = id, .fd = fd };
	EXPECT(command(other, RDMA_USER_CM_CMD_MIGRATE_ID, &input, sizeof(input), sizeof(moved)) > 0);
	EXPECT(moved.events_reported == 0 && is_readable(other) && !is_readable(fd));
	input.fd = 0;
	EXPECT(command(other, RDMA_USER_CM_CMD_MIGRATE_ID, &input, sizeof(input), sizeof(moved)) < 0 && errno == EINVAL);
	EXPECT(next_event(other, &event) > 0 && event.id == id);

	/* A thread that waits for a file that is closed goes on waiting, until the end of the process. */
	int kept = fd;
	waiting = start_waiting(&kept);
	EXPECT(!close(fd));
	await_sleep();
	EXPECT(pthread_tryjoin_np(waiting, &result) == EBUSY);
	puts("ok");
	return 0;
}
