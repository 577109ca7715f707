/* Does to its descriptors what programs do, and expects the device file to stay one, and others to be none. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST 64
#define PAGE 4096
#define CANCELLATIONS 20

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

/* A number that the device file had, and another file has now; all from 3 on were closed. */
static void expect_file_at(int fd)
{
	char name[] = "/tmp/descriptorsXXXXXX";
	for (int below = 3; below < fd; below++)
		open("/dev/null", O_RDWR);
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

/* Children of calls that no handler of fork sees. */
static void cloned(int device)
{
	pid_t child = syscall(SYS_clone, (long)SIGCHLD, 0L, 0L, 0L, 0L);
	if (!child) {
		expect(close(device) == 0, "the child closes its parent's device file");
		int own = open("/dev/infiniband/uverbs0", O_RDWR);
		expect(own >= 0, "the child opens the device file");
		expect_device(own);
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

/* How many mappings the program has whose names contain a word; all for the empty word. */
static int mappings(const char *word)
{
	char line[512];
	int count = 0;
	FILE *maps = fopen("/proc/self/maps", "r");
	while (maps && fgets(line, sizeof(line), maps))
		count += strstr(line, word) != NULL;
	fclose(maps);
	return count;
}

static int shared_mappings(void)
{
	return mappings("memfd:bluebell-payload");
}

/* Memory that the program makes read-only, or takes from itself, while it is registered. */
static void protected(int device)
{
	(void)device;
	void *verbs = open_verbs();
	VERBS(void *, ibv_alloc_pd, void *);
	VERBS(void *, ibv_reg_mr, void *, void *, size_t, int);
	VERBS(int, ibv_dereg_mr, void *);
	void *domain = ibv_alloc_pd(open_context(verbs));
	int before = shared_mappings(), zeroes = open("/dev/zero", O_RDONLY), ends[2];
	char *memory = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	expect(memory != MAP_FAILED && zeroes >= 0 && pipe(ends) == 0, "the program has memory and files");
	for (int i = 0; i < 3; i++)
		memset(memory + i * PAGE, 'a' + i, PAGE);
	void *region = ibv_reg_mr(domain, memory, 3 * PAGE, 1);
	expect(region != NULL, "memory is registered");
	expect(shared_mappings() > before, "registered memory is shared");
	expect(mprotect(memory + PAGE, PAGE, PROT_READ) == 0, "a page is made read-only");
	expect(mprotect(memory + 2 * PAGE, PAGE, PROT_NONE) == 0, "a page is made unreadable");
	expect(ibv_dereg_mr(region) == 0, "memory is deregistered");
	expect(shared_mappings() == before, "nothing is shared any more");
	memory[0] = 'x';
	expect(memory[PAGE] == 'b', "a read-only page keeps its contents");
	expect(read(zeroes, memory + PAGE, 1) < 0 && errno == EFAULT, "a read-only page stays read-only");
	expect(write(ends[1], memory + 2 * PAGE, 1) < 0 && errno == EFAULT, "an unreadable page stays unreadable");
	expect(mprotect(memory + 2 * PAGE, PAGE, PROT_READ) == 0 && memory[2 * PAGE] == 'c' &&
		       memory[3 * PAGE - 1] == 'c',
	       "an unreadable page keeps its contents");
}

static char *new_pages(int count)
{
	char *memory = mmap(NULL, count * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	expect(memory != MAP_FAILED, "the program has memory");
	memset(memory, 'a', count * PAGE);
	return memory;
}

/* A child has a copy of registered memory, from the moment of fork; neither it nor its parent sees what the other writes. */
static void inherited(int device)
{
	(void)device;
	void *verbs = open_verbs();
	VERBS(void *, ibv_alloc_pd, void *);
	VERBS(void *, ibv_reg_mr, void *, void *, size_t, int);
	char *memory = new_pages(3);
	expect(ibv_reg_mr(ibv_alloc_pd(open_context(verbs)), memory, 3 * PAGE, 1) != NULL, "memory is registered");
	expect(shared_mappings() > 0, "registered memory is shared");
	expect(mprotect(memory + PAGE, PAGE, PROT_READ) == 0, "a page is made read-only");
	int to_child[2], zeroes = open("/dev/zero", O_RDONLY);
	expect(pipe(to_child) == 0, "a pipe");
	pid_t child = fork();
	if (!child) {
		char byte;
		expect(read(to_child[0], &byte, 1) == 1, "the parent has written");
		expect(memory[0] == 'a' && memory[PAGE] == 'a', "the child has what was there");
		expect(read(zeroes, memory + PAGE, 1) < 0 && errno == EFAULT, "a read-only page stays read-only");
		memory[2 * PAGE] = 'c';
		_exit(shared_mappings());
	}
	memory[0] = 'p';
	expect(write(to_child[1], "", 1) == 1, "the child is told");
	expect_success(child);
	expect(memory[2 * PAGE] == 'a', "the parent does not see what its child writes");
	expect(shared_mappings() > 0, "registered memory of the parent is still shared");
}

/* Pages that a program does not need are zero afterwards, and those beside them as they were. */
static void unneeded(int device)
{
	(void)device;
	void *verbs = open_verbs();
	VERBS(void *, ibv_alloc_pd, void *);
	VERBS(void *, ibv_reg_mr, void *, void *, size_t, int);
	char *memory = new_pages(4);
	expect(ibv_reg_mr(ibv_alloc_pd(open_context(verbs)), memory + PAGE, 3 * PAGE, 1) != NULL, "memory is registered");
	expect(shared_mappings() > 0, "registered memory is shared");
	expect(madvise(memory, 3 * PAGE, MADV_DONTNEED) == 0, "pages are not needed");
	expect(memory[0] == 0 && memory[PAGE] == 0 && memory[3 * PAGE - 1] == 0, "pages that are not needed are zero");
	expect(memory[3 * PAGE] == 'a', "others are not");
	expect(madvise(memory + PAGE, PAGE, MADV_FREE) < 0 && errno == EINVAL, "shared pages can't be freed lazily");
}

static void *waits(void *lock)
{
	pthread_mutex_lock(lock);
	return NULL;
}

static void expect_growth(char *memory, size_t bytes, int flags)
{
	char *grown = mremap(memory, bytes, 2 * bytes, flags);
	expect(grown != MAP_FAILED, "memory grows");
	expect(grown[0] == 'a' && grown[bytes - 1] == 'a', "memory that grows keeps its contents");
	expect(grown[bytes] == 0 && grown[2 * bytes - 1] == 0, "the new part is zero");
	memset(grown, 'b', 2 * bytes);
	expect(grown[bytes] == 'b', "the new part is written");
}

/* Memory that is or was registered can grow, whether the program or its allocator enlarges it. */
static void grown(int device)
{
	(void)device;
	void *verbs = open_verbs();
	VERBS(void *, ibv_alloc_pd, void *);
	VERBS(void *, ibv_reg_mr, void *, void *, size_t, int);
	VERBS(int, ibv_dereg_mr, void *);
	void *domain = ibv_alloc_pd(open_context(verbs));
	char *memory = new_pages(4);
	expect(munmap(memory + 2 * PAGE, 2 * PAGE) == 0, "there is room behind the memory");
	expect(ibv_reg_mr(domain, memory, 2 * PAGE, 1) && shared_mappings() == 1, "memory is shared");
	expect_growth(memory, 2 * PAGE, 0);
	memory = new_pages(2);
	expect(ibv_reg_mr(domain, memory, 2 * PAGE, 1) && shared_mappings() == 2, "memory is shared");
	expect_growth(memory, 2 * PAGE, MREMAP_MAYMOVE);
	/* the C library enlarges so large an area by mremap */
	memory = malloc(MOST * PAGE);
	memory[MOST * PAGE - 1] = 'a';
	expect(ibv_reg_mr(domain, memory, MOST * PAGE, 1) != NULL, "allocated memory is registered");
	memory = realloc(memory, 2 * MOST * PAGE);
	memset(memory + MOST * PAGE, 'b', MOST * PAGE);
	expect(memory[MOST * PAGE - 1] == 'a', "allocated memory that grows keeps its contents");
	memory = new_pages(2);
	void *region = ibv_reg_mr(domain, memory, 2 * PAGE, 1);
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	pthread_t thread;
	pthread_mutex_lock(&lock);
	expect(pthread_create(&thread, NULL, waits, &lock) == 0, "a thread starts");
	expect(ibv_dereg_mr(region) == 0, "memory is deregistered beside another thread");
	expect_growth(memory, 2 * PAGE, MREMAP_MAYMOVE);
	pthread_mutex_unlock(&lock);
	pthread_join(thread, NULL);
}

static void *goes_on(void *device)
{
	void *verbs = open_verbs();
	VERBS(void *, ibv_alloc_pd, void *);
	VERBS(void *, ibv_reg_mr, void *, void *, size_t, int);
	VERBS(void *, ibv_create_comp_channel, void *);
	VERBS(void *, ibv_create_cq, void *, int, void *, void *, int);
	char line[512] = "", *state = line;
	while (state[0] != 'Z') {
		int file = open("/proc/self/stat", O_RDONLY);
		expect(read(file, line, sizeof(line) - 1) > 0 && close(file) == 0, "the main thread has a state");
		state = strrchr(line, ')') + 2;
	}
	for (int i = 0; i < 2; i++) {
		void *context = i ? open_context(verbs) : device;
		void *domain = ibv_alloc_pd(context), *channel = ibv_create_comp_channel(context);
		expect(domain != NULL, "a call has arguments");
		expect(ibv_reg_mr(domain, new_pages(1), 100, 1) != NULL, "memory is registered");
		expect(channel && ibv_create_cq(context, 16, NULL, channel, 0), "a CQ has a channel");
	}
	_exit(0);
}

/* A main thread may end before the others, which go on with the device that it opened, or open another. */
static void headless(int device)
{
	(void)device;
	pthread_t thread;
	expect(pthread_create(&thread, NULL, goes_on, open_context(open_verbs())) == 0, "a thread starts");
	pthread_exit(NULL);
}

/* What is done to shared pages, even if the program has few descriptors left or none. */
static void crowded(int device)
{
	void *verbs = open_verbs();
	VERBS(void *, ibv_alloc_pd, void *);
	VERBS(void *, ibv_reg_mr, void *, void *, size_t, int);
	char *memory = new_pages(2);
	struct rlimit few = { MOST, MOST };
	int last;
	expect(ibv_reg_mr(ibv_alloc_pd(open_context(verbs)), memory, 2 * PAGE, 1) != NULL, "memory is registered");
	expect(shared_mappings() > 0, "registered memory is shared");
	expect(setrlimit(RLIMIT_NOFILE, &few) == 0, "descriptors are limited");
	while ((last = dup(0)) >= 0)
		;
	for (int left = 0; left < 4; close(MOST - 1 - left++)) {
		memset(memory, 'a', 2 * PAGE);
		pid_t child = fork();
		if (!child) {
			memory[0] = 'c';
			_exit(0);
		}
		expect_success(child);
		expect(memory[0] == 'a', "the parent does not see what its child writes");
		expect(madvise(memory, PAGE, MADV_DONTNEED) == 0, "a page is not needed");
		expect(memory[0] == 0 && memory[PAGE] == 'a', "a page that is not needed is zero");
		expect_device(device);
	}
	expect(waitpid(-1, NULL, 0) < 0 && errno == ECHILD, "the program has no other children");
}

/* What is shared unasked: whole pages, and only while nothing else runs that could write to them. */
static void unasked(int device)
{
	(void)device;
	void *verbs = open_verbs();
	VERBS(void *, ibv_alloc_pd, void *);
	VERBS(void *, ibv_reg_mr, void *, void *, size_t, int);
	VERBS(int, ibv_dereg_mr, void *);
	void *domain = ibv_alloc_pd(open_context(verbs));
	char *memory = new_pages(8);
	void *parts = ibv_reg_mr(domain, memory, 100, 1);
	expect(parts && shared_mappings() == 0, "a part of a page is not shared");
	void *whole = ibv_reg_mr(domain, memory + 2 * PAGE, PAGE, 1);
	expect(whole && shared_mappings() == 1, "whole pages are shared");
	expect(ibv_dereg_mr(whole) == 0 && shared_mappings() == 0, "nothing is shared any more");
	whole = ibv_reg_mr(domain, memory + 2 * PAGE, PAGE, 1);
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	pthread_t thread;
	pthread_mutex_lock(&lock);
	expect(pthread_create(&thread, NULL, waits, &lock) == 0, "a thread starts");
	expect(ibv_reg_mr(domain, memory + 4 * PAGE, PAGE, 1) && shared_mappings() == 1, "nothing is exchanged beside it");
	expect(ibv_dereg_mr(whole) == 0 && shared_mappings() == 1, "nothing is given back beside it");
	expect(memory[2 * PAGE] == 'a', "what stays shared keeps its contents");
	pthread_mutex_unlock(&lock);
	pthread_join(thread, NULL);
	whole = ibv_reg_mr(domain, memory + 2 * PAGE, PAGE, 1);
	expect(whole && ibv_dereg_mr(whole) == 0, "what stayed shared can be registered");
}

/* Pages that are the program's own again are one mapping with those beside them: it may have a limited number of these. */
static void merged(int device)
{
	(void)device;
	void *verbs = open_verbs();
	VERBS(void *, ibv_alloc_pd, void *);
	VERBS(void *, ibv_reg_mr, void *, void *, size_t, int);
	VERBS(int, ibv_dereg_mr, void *);
	void *domain = ibv_alloc_pd(open_context(verbs));
	char *memory = new_pages(2 * MOST);
	expect(ibv_dereg_mr(ibv_reg_mr(domain, new_pages(1), PAGE, 1)) == 0, "a first page is registered");
	int before = mappings("");
	for (int i = 0; i < MOST; i++) {
		void *region = ibv_reg_mr(domain, memory + 2 * i * PAGE, PAGE, 1);
		expect(region && shared_mappings() == 1, "a page is shared");
		expect(ibv_dereg_mr(region) == 0 && memory[2 * i * PAGE] == 'a', "a page keeps its contents");
	}
	expect(mappings("") < before + MOST / 4, "pages are mappings of their own no more");
}

/* With several devices, each may write to memory while another one shares it. */
static void several(int device)
{
	(void)device;
	void *verbs = open_verbs();
	VERBS(void *, ibv_alloc_pd, void *);
	VERBS(void *, ibv_reg_mr, void *, void *, size_t, int);
	expect(ibv_reg_mr(ibv_alloc_pd(open_context(verbs)), new_pages(1), PAGE, 1) != NULL, "memory is registered");
	expect(shared_mappings() == 0, "nothing is shared");
}

struct watch { int set, stop, events; };

static void *watches(void *argument)
{
	struct watch *watch = argument;
	struct epoll_event event;
	while (!__atomic_load_n(&watch->stop, __ATOMIC_ACQUIRE))
		if (epoll_wait(watch->set, &event, 1, 20) == 1)
			__atomic_add_fetch(&watch->events, 1, __ATOMIC_RELAXED);
	return NULL;
}

/* Programs rely on it that close takes a descriptor out of sets: an event may name what they freed with the descriptor. */
static void polled(int device)
{
	(void)device;
	void *verbs = open_verbs();
	VERBS(int *, ibv_create_comp_channel, void *); /* {context, descriptor, ...} */
	VERBS(int, ibv_destroy_comp_channel, void *);
	VERBS(int, ibv_close_device, void *);
	struct watch watch = { .set = epoll_create1(EPOLL_CLOEXEC) };
	struct epoll_event event = { .events = EPOLLIN };
	pthread_t thread;
	expect(pthread_create(&thread, NULL, watches, &watch) == 0, "a thread starts");
	void *context = open_context(verbs);
	for (int i = 0; i < 2 * MOST; i++) {
		int *channel = ibv_create_comp_channel(context);
		expect(channel && epoll_ctl(watch.set, EPOLL_CTL_ADD, channel[2], &event) == 0, "a channel is polled");
		expect(ibv_destroy_comp_channel(channel) == 0, "a channel is closed");
	}
	expect(ibv_close_device(context) == 0, "the device is closed");
	__atomic_store_n(&watch.stop, 1, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	expect(watch.events == 0, "no closed channel has events");
}

static void *calls_again_and_again(void *device)
{
	for (;;) {
		expect_device(*(int *)device);
		pthread_testcancel();
	}
	return NULL;
}

/* A call of a device file can't be cancelled; a thread that is cancelled in one ends after it. */
static void cancelled(int device)
{
	alarm(50);
	for (int i = 0; i < CANCELLATIONS; i++) {
		pthread_t thread;
		expect(pthread_create(&thread, NULL, calls_again_and_again, &device) == 0, "a thread starts");
		usleep(1000);
		expect(pthread_cancel(thread) == 0, "a thread is cancelled");
		expect(pthread_join(thread, NULL) == 0, "a thread ends");
		expect_device(device);
	}
}

static int hearer;

static void on_alarm(int number)
{
	(void)number;
	ssize_t unused = write(hearer, "!", 1);
	(void)unused;
}

/* Opens a device that does not let anybody in; a timer interrupts it, and who hears of that is a descriptor, -1 for none. */
static int open_refused(int expected, int told)
{
	struct sigaction action = { .sa_handler = on_alarm };
	struct itimerval again = { { 0, 10000 }, { 0, 10000 } };
	int opened = -1;
	hearer = told;
	expect(told < 0 || (sigaction(SIGALRM, &action, NULL) == 0 && setitimer(ITIMER_REAL, &again, NULL) == 0),
	       "a timer runs");
	do
		opened = open("/dev/infiniband/uverbs0", O_RDWR);
	while (opened < 0 && errno == ENODEV);
	expect(opened < 0 && errno == expected, "the device is not opened");
	return 0;
}

/* Starts this program anew, as one that was told of another socket. */
static void expect_refusal(const char *socket, int expected, int told)
{
	char number[12], descriptor[12];
	snprintf(number, sizeof(number), "%d", expected);
	snprintf(descriptor, sizeof(descriptor), "%d", told);
	pid_t child = fork();
	if (!child) {
		setenv("BLUEBELL_SOCKET", socket, 1);
		execl("/proc/self/exe", "descriptors", "refused", number, descriptor, NULL);
		_exit(1);
	}
	expect_success(child);
}

/* Another user's process listens where the program looks for the device. Only root can try. */
static void stranger(int device)
{
	(void)device;
	if (geteuid() != 0)
		return;
	char folder[] = "/tmp/strangerXXXXXX";
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	expect(mkdtemp(folder) != NULL && chmod(folder, 0777) == 0, "a folder for all is made");
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/socket", folder);
	pid_t child = fork();
	if (!child) {
		char message[64];
		int listener = socket(AF_UNIX, SOCK_SEQPACKET, 0);
		expect(setuid(65534) == 0, "the other user is another");
		expect(bind(listener, (struct sockaddr *)&address, sizeof(address)) == 0 && listen(listener, 1) == 0,
		       "the other user listens");
		int accepted = accept(listener, NULL, NULL);
		_exit(recv(accepted, message, sizeof(message), 0) > 0);
	}
	while (access(address.sun_path, F_OK))
		usleep(1000);
	usleep(20000); /* until it listens */
	expect_refusal(address.sun_path, EACCES, -1);
	expect_success(child);
	unlink(address.sun_path);
	rmdir(folder);
}

/* Refuses whoever connects, but nobody before the program was interrupted. */
static void refuse_late(int listener, int interruptions)
{
	int64_t refusal[4] = { 0, -EBUSY, 0, 0 };
	char byte;
	expect(read(interruptions, &byte, 1) == 1, "the program is interrupted");
	for (;;)
		send(accept(listener, NULL, NULL), refusal, sizeof(refusal), 0);
}

/* A signal comes while the device process has no room for one more who wants to connect. */
static void interrupted(int device)
{
	(void)device;
	char folder[] = "/tmp/interruptedXXXXXX";
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int listener = socket(AF_UNIX, SOCK_SEQPACKET, 0), full, ends[2];
	expect(mkdtemp(folder) != NULL, "a folder is made");
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/socket", folder);
	expect(bind(listener, (struct sockaddr *)&address, sizeof(address)) == 0 && listen(listener, 0) == 0 &&
		       pipe(ends) == 0,
	       "something listens");
	do
		full = connect(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0), (struct sockaddr *)&address,
			       sizeof(address));
	while (full == 0);
	expect(errno == EAGAIN, "it has no room for more");
	pid_t child = fork();
	if (!child)
		refuse_late(listener, ends[0]);
	expect_refusal(address.sun_path, EBUSY, ends[1]);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	unlink(address.sun_path);
	rmdir(folder);
}

int main(int count, char **words)
{
	static const struct { const char *name; void (*run)(int device); } cases[] = {
		{ "vfork", vforked },
		{ "fork", forked },
		{ "cloned", cloned },
		{ "overwritten", overwritten },
		{ "closed", closed_unseen },
		{ "stack", stack },
		{ "exhausted", exhausted },
		{ "protected", protected },
		{ "inherited", inherited },
		{ "unneeded", unneeded },
		{ "grown", grown },
		{ "headless", headless },
		{ "crowded", crowded },
		{ "unasked", unasked },
		{ "merged", merged },
		{ "several", several },
		{ "polled", polled },
		{ "cancelled", cancelled },
		{ "stranger", stranger },
		{ "interrupted", interrupted },
	};
	if (count > 3 && !strcmp(words[1], "refused"))
		return open_refused(atoi(words[2]), atoi(words[3]));
	int device = open("/dev/infiniband/uverbs0", O_RDWR);
	expect(device >= 0, "the device file opens");
	for (size_t i = 0; count > 1 && i < sizeof(cases) / sizeof(cases[0]); i++)
		if (!strcmp(words[1], cases[i].name)) {
			cases[i].run(device);
			return 0;
		}
	return 2;
}
