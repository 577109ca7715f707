/*
 * Pages of the program that the device process has mapped too: buffers of queues and, under a name of its own, registered
 * memory (payload). Payload behaves like memory of the program's own: children of fork get copies, and pages that it says
 * it does not need are zero afterwards. By system calls: the functions may be the program's own (those of UCX 1.13 lose
 * the last argument of mremap).
 */
#define _GNU_SOURCE
#include "shim.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The part of a thread's stack that is written while its pages are replaced. */
#define STACK_ABOVE 256
#define STACK_BELOW 8192

/* Of the kernel's set of signals. */
#define SIGNAL_BYTES 8

#define PAYLOAD "/memfd:bluebell-payload"
#define LINE_SPACE 256
#define BUFFER_SPACE 4096
#define STACK_SPACE 65536

/* Held while pages are exchanged, and from before a fork until after it. */
static pthread_mutex_t exchanges = PTHREAD_MUTEX_INITIALIZER;

/* Where shared pages have ever been. */
static uintptr_t first = UINTPTR_MAX, end;

/* With the lock held. */
static void note_shared(uintptr_t from, uintptr_t to)
{
	if (from < first)
		__atomic_store_n(&first, from, __ATOMIC_RELAXED);
	if (to > end)
		__atomic_store_n(&end, to, __ATOMIC_RELAXED);
}

static void *map_pages(void *address, size_t length, int flags, int fd)
{
	return (void *)syscall(SYS_mmap, address, length, PROT_READ | PROT_WRITE, flags, fd, 0L);
}

/* Another mapping of shared pages, which the program may have made unreadable; MAP_FAILED and errno. */
static void *view_of(void *shared, size_t length)
{
	void *view = (void *)syscall(SYS_mremap, shared, 0L, length, MREMAP_MAYMOVE, 0L);
	if (view == MAP_FAILED || !syscall(SYS_mprotect, view, length, PROT_READ))
		return view;
	syscall(SYS_munmap, view, length);
	return MAP_FAILED;
}

/* 0 or errno. */
static int fill(void *pages, const void *contents, size_t length, int protection)
{
	memcpy(pages, contents, length);
	return protection != (PROT_READ | PROT_WRITE) && syscall(SYS_mprotect, pages, length, protection) ? errno : 0;
}

static int move(void *pages, size_t length, void *to)
{
	return syscall(SYS_mremap, pages, length, length, MREMAP_MAYMOVE | MREMAP_FIXED, to) < 0 ? errno : 0;
}

static int exchange(void *address, const void *contents, size_t length, int flags, int fd, int protection)
{
	void *fresh = map_pages(NULL, length, flags, fd);
	if (fresh == MAP_FAILED)
		return errno;
	int failed = fill(fresh, contents, length, protection);
	if (!failed)
		failed = move(fresh, length, address);
	if (failed)
		syscall(SYS_munmap, fresh, length);
	return failed;
}

/*
 * Pages that were filled elsewhere stay a mapping of their own, of which a process may have a limited number. So private
 * pages are filled in their place if no other thread, nor another device, can see that.
 */
static int give_back(void *address, size_t length, int protection, int alone)
{
	int failed, private = MAP_PRIVATE | MAP_ANONYMOUS;
	void *view = view_of(address, length);
	if (view == MAP_FAILED)
		return errno;
	if (!alone) {
		failed = exchange(address, view, length, private, -1, protection);
	} else if (map_pages(address, length, private | MAP_FIXED, -1) != MAP_FAILED) {
		failed = fill(address, view, length, protection);
	} else {
		failed = errno;
		syscall(SYS_mprotect, view, length, protection);
		move(view, length, address); /* before Linux 6.12, nothing may be left there */
	}
	syscall(SYS_munmap, view, length);
	return failed;
}

static uint64_t hold_off_signals(void)
{
	uint64_t all = ~0ULL, before;
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, &before, SIGNAL_BYTES);
	return before;
}

static void allow_signals(uint64_t before)
{
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, SIGNAL_BYTES);
}

int replace_pages(void *address, size_t length, int fd, int protection, int alone)
{
	uintptr_t stack = (uintptr_t)__builtin_frame_address(0), from = (uintptr_t)address;
	if (stack + STACK_ABOVE > from && stack - STACK_BELOW < from + length)
		return EFAULT; /* what is written between the copy and the exchange would be lost */
	uint64_t signals = hold_off_signals();
	pthread_mutex_lock(&exchanges);
	note_shared(from, from + length);
	int failed = fd < 0 ? give_back(address, length, protection, alone) :
			      exchange(address, address, length, MAP_SHARED, fd, protection);
	pthread_mutex_unlock(&exchanges);
	allow_signals(signals);
	return failed;
}

/* ---- payload, as /proc/thread-self/maps lists it: the main thread may have ended */

struct search {
	uintptr_t from, to;
	void (*visit)(void *pages, size_t length, int protection);
};

/* Such as "7f0000001000-7f0000003000 rw-s 00000000 00:01 42 /memfd:bluebell-payload (deleted)". */
static void visit_line(const char *line, const struct search *search)
{
	char *rest;
	uintptr_t start = strtoull(line, &rest, 16);
	uintptr_t stop = *rest == '-' ? strtoull(rest + 1, &rest, 16) : 0;
	const char *path = strchr(rest, '/');
	if (*rest != ' ' || strlen(rest) < 5 || !path || strncmp(path, PAYLOAD, strlen(PAYLOAD)))
		return;
	int protection = (rest[1] == 'r' ? PROT_READ : 0) | (rest[2] == 'w' ? PROT_WRITE : 0) |
			 (rest[3] == 'x' ? PROT_EXEC : 0);
	start = start < search->from ? search->from : start;
	stop = stop > search->to ? search->to : stop;
	if (start < stop)
		search->visit((void *)start, stop - start, protection);
}

/* Visits the payload between two addresses, in ascending order; whether there was a descriptor for this. */
static int search_payload(const struct search *search)
{
	char bytes[BUFFER_SPACE], line[LINE_SPACE];
	size_t length = 0;
	ssize_t count;
	int maps = syscall(SYS_openat, AT_FDCWD, "/proc/thread-self/maps", O_RDONLY | O_CLOEXEC);
	if (maps < 0)
		return 0;
	while ((count = syscall(SYS_read, maps, bytes, sizeof(bytes))) > 0 || (count < 0 && errno == EINTR))
		for (ssize_t i = 0; i < count; i++) {
			if (bytes[i] != '\n') {
				line[length] = bytes[i];
				length += length < sizeof(line) - 1;
				continue;
			}
			line[length] = 0;
			length = 0;
			visit_line(line, search);
		}
	syscall(SYS_close, maps);
	return 1;
}

/* In a child with this memory and copies of the descriptors, of which it can close one. */
static int search_in_child(void *search)
{
	syscall(SYS_close, 0);
	return !search_payload(search);
}

static void each_payload(uintptr_t from, uintptr_t to, void (*visit)(void *pages, size_t length, int protection))
{
	struct search search = { from, to, visit };
	if (search_payload(&search))
		return;
	uint64_t signals = hold_off_signals();
	char *stack = map_pages(NULL, STACK_SPACE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	if (stack != MAP_FAILED) {
		pid_t child = clone(search_in_child, stack + STACK_SPACE, CLONE_VM | CLONE_VFORK, &search);
		if (child > 0)
			syscall(SYS_wait4, child, NULL, __WCLONE, NULL);
		syscall(SYS_munmap, stack, STACK_SPACE);
	}
	allow_signals(signals);
}

/* ---- children of fork */

/* Behind the pages that a child will have in the place of shared ones. */
static struct copy { struct copy *next; void *bytes, *shared; size_t length; } *copies;

/* What can't be copied, the child shares with its parent. */
static void copy(void *shared, size_t length, int protection)
{
	char *bytes = map_pages(NULL, length + sizeof(struct copy), MAP_PRIVATE | MAP_ANONYMOUS, -1);
	if (bytes == MAP_FAILED)
		return;
	void *view = view_of(shared, length);
	int failed = view == MAP_FAILED || fill(bytes, view, length, protection);
	if (view != MAP_FAILED)
		syscall(SYS_munmap, view, length);
	if (failed) {
		syscall(SYS_munmap, bytes, length + sizeof(struct copy));
		return;
	}
	struct copy *copy = (struct copy *)(bytes + length);
	*copy = (struct copy){ copies, bytes, shared, length };
	copies = copy;
}

void copy_shared_pages(void)
{
	pthread_mutex_lock(&exchanges);
	if (end)
		each_payload(first, end, copy);
}

/* Another thread may have given up shared pages before the fork. */
static int is_shared(void *pages, size_t length)
{
	void *view = view_of(pages, length);
	if (view != MAP_FAILED)
		syscall(SYS_munmap, view, length);
	return view != MAP_FAILED;
}

void give_copied_pages(int is_child)
{
	while (copies) {
		struct copy copy = *copies;
		syscall(SYS_munmap, copies, sizeof(copy));
		copies = copy.next;
		if (!is_child || !is_shared(copy.shared, copy.length) || move(copy.bytes, copy.length, copy.shared))
			syscall(SYS_munmap, copy.bytes, copy.length);
	}
	pthread_mutex_unlock(&exchanges);
}

void forget_exchanges(void)
{
	pthread_mutex_init(&exchanges, NULL);
	copies = NULL;
}

/* ---- interposed functions */

static void empty(void *pages, size_t length, int protection)
{
	(void)protection;
	syscall(SYS_madvise, pages, length, MADV_REMOVE);
}

/* Allocators rely on it that private pages, which they don't need any more, are zero; shared ones would stay. */
INTERPOSED int madvise(void *address, size_t length, int advice)
{
	REAL(madvise);
	int result = real(address, length, advice);
	uintptr_t from = (uintptr_t)address;
	if (!result && advice == MADV_DONTNEED && from < __atomic_load_n(&end, __ATOMIC_RELAXED) &&
	    from + length > __atomic_load_n(&first, __ATOMIC_RELAXED))
		each_payload(from, from + length, empty);
	return result;
}
