/* Does to its descriptors what programs do, and expects the device file to stay one, and others to be none. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST 64

static void expect(int condition, const char *what)
{
	if (condition)
		return;
	printf("%s: errno %d\n", what, errno);
	fflush(stdout);
	_exit(1);
}

/* The device knows no such command; nothing else refuses it so. */
static void expect_device(int fd)
{
	errno = 0;
	expect(write(fd, "12345678", 8) < 0 && errno == EOPNOTSUPP, "the device file answers");
}

/* A number that the device file had, and another file has now. */
static void expect_file_at(int fd)
{
	char name[] = "/tmp/descriptorsXXXXXX";
	while (open("/dev/null", O_RDWR) < fd - 1)
		;
	int file = mkstemp(name);
	unlink(name);
	expect(file == fd, "the number is used again");
	errno = 0;
	expect(write(file, "12345678", 8) == 8 && lseek(file, 0, SEEK_END) == 8, "a file is written");
}

static void expect_success(pid_t child)
{
	int status;
	expect(waitpid(child, &status, 0) == child && status == 0, "the child succeeds");
}

static void vforked(int device)
{
	pid_t child = vfork();
	if (!child) {
		for (int fd = 3; fd < MOST; fd++)
			close(fd);
		execl("/bin/true", "true", NULL);
		_exit(1);
	}
	expect_success(child);
	expect_device(device);
	child = vfork();
	if (!child) {
		dup2(device, 1);
		execl("/bin/true", "true", NULL);
		_exit(1);
	}
	expect_success(child);
	expect(write(1, "", 0) == 0, "the standard output is no device file");
}

static void forked(int device)
{
	pid_t child = fork();
	if (!child) {
		syscall(SYS_close_range, 3, ~0U, 0);
		expect_file_at(device);
		_exit(0);
	}
	expect_success(child);
	expect_device(device);
}

/* As a program may that does not know of the connection. */
static void overwritten(int device)
{
	int null = open("/dev/null", O_RDWR);
	for (int fd = 3; fd < MOST; fd++)
		if (fd != device && fd != null)
			expect(dup2(null, fd) == fd, "dup2 gives the number that was asked for");
	expect_device(device);
	for (int fd = 3; fd < 2 * MOST; fd++)
		if (fd != device)
			close(fd);
	expect_device(device);
}

static void closed_unseen(int device)
{
	syscall(SYS_close_range, 3, ~0U, 0);
	expect_file_at(device);
	int again = open("/dev/infiniband/uverbs0", O_RDWR);
	expect(again >= 0, "the device file opens again");
	expect_device(again);
}

#define VERBS(type, name, ...) type (*name)(__VA_ARGS__) = (type (*)(__VA_ARGS__))dlsym(verbs, #name)

static void *open_verbs(void)
{
	void *verbs = dlopen("libibverbs.so.1", RTLD_NOW | RTLD_GLOBAL);
	expect(verbs != NULL, "libibverbs is there");
	return verbs;
}

static void *open_context(void *verbs)
{
	VERBS(void **, ibv_get_device_list, int *);
	VERBS(void *, ibv_open_device, void *);
	void **devices = ibv_get_device_list(NULL);
	void *context = devices && devices[0] ? ibv_open_device(devices[0]) : NULL;
	expect(context != NULL, "the device opens");
	return context;
}

static void *registers_its_stack(void *domain)
{
	void *verbs = open_verbs();
	VERBS(void *, ibv_reg_mr, void *, void *, size_t, int);
	VERBS(int, ibv_dereg_mr, void *);
	char buffer[64] = { 0 };
	void *region = ibv_reg_mr(domain, buffer, sizeof(buffer), 1);
	expect(region != NULL, "memory of a stack is registered");
	expect(ibv_dereg_mr(region) == 0, "memory of a stack is deregistered");
	return NULL;
}

static void stack(int device)
{
	(void)device;
	void *verbs = open_verbs();
	VERBS(void *, ibv_alloc_pd, void *);
	pthread_t thread;
	expect(pthread_create(&thread, NULL, registers_its_stack, ibv_alloc_pd(open_context(verbs))) == 0,
	       "a thread starts");
	pthread_join(thread, NULL);
}

static void exhausted(int device)
{
	(void)device;
	void *verbs = open_verbs();
	VERBS(void *, ibv_create_cq, void *, int, void *, void *, int);
	VERBS(void *, ibv_create_comp_channel, void *);
	void *context = open_context(verbs);
	int first = dup(0);
	struct rlimit none = { first, first };
	close(first);
	expect(setrlimit(RLIMIT_NOFILE, &none) == 0, "descriptors are limited");
	expect(!ibv_create_comp_channel(context) && errno == EMFILE, "a channel needs a descriptor");
	expect(!ibv_create_cq(context, 16, NULL, NULL, 0) && errno == EMFILE, "shared pages need a descriptor");
}

int main(int count, char **words)
{
	static const struct { const char *name; void (*run)(int device); } cases[] = {
		{ "vfork", vforked },
		{ "fork", forked },
		{ "overwritten", overwritten },
		{ "closed", closed_unseen },
		{ "stack", stack },
		{ "exhausted", exhausted },
	};
	int device = open("/dev/infiniband/uverbs0", O_RDWR);
	expect(device >= 0, "the device file opens");
	for (size_t i = 0; count > 1 && i < sizeof(cases) / sizeof(cases[0]); i++)
		if (!strcmp(words[1], cases[i].name)) {
			cases[i].run(device);
			return 0;
		}
	return 2;
}
