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
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The part of a thread's stack that is written while its pages are replaced. */
#define STACK_ABOVE 256
#define STACK_BELOW 8192

/* Of the kernel's set of signals. */
#define SIGNAL_BYTES 8

#define PAYLOAD "/memfd:bluebell-payload"
#define LINE_SPACE 256
#define BUFFER_SPACE 4096

/* Where shared pages have ever been. */
static uintptr_t first = UINTPTR_MAX, end;

static void note_shared(uintptr_t from, uintptr_t to)
{
	uintptr_t before = __atomic_load_n(&first, __ATOMIC_RELAXED);
	while (from < before &&
	       !__atomic_compare_exchange_n(&first, &before, from, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
	before = __atomic_load_n(&end, __ATOMIC_RELAXED);
	while (to > before && !__atomic_compare_exchange_n(&end, &before, to, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
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
	int failed = fd < 0 ? give_back(address, length, protection, alone) :
			      exchange(address, address, length, MAP_SHARED, fd, protection);
	allow_signals(signals);
	if (!failed)
		note_shared(from, from + length);
	return failed;
}

/* ---- payload, as /proc/self/maps lists it */

typedef void visitor(void *pages, size_t length, int protection);

/* Such as "7f0000001000-7f0000003000 rw-s 00000000 00:01 42 /memfd:bluebell-payload (deleted)". */
static void visit_line(const char *line, uintptr_t from, uintptr_t to, visitor *visit)
{
	char *rest;
	uintptr_t start = strtoull(line, &rest, 16);
	uintptr_t stop = *rest == '-' ? strtoull(rest + 1, &rest, 16) : 0;
	const char *path = strchr(rest, '/');
	if (*rest != ' ' || strlen(rest) < 5 || !path || strncmp(path, PAYLOAD, strlen(PAYLOAD)))
		return;
	int protection = (rest[1] == 'r' ? PROT_READ : 0) | (rest[2] == 'w' ? PROT_WRITE : 0) |
			 (rest[3] == 'x' ? PROT_EXEC : 0);
	start = start < from ? from : start;
	stop = stop > to ? to : stop;
	if (start < stop)
		visit((void *)start, stop - start, protection);
}

/* Visits the payload between two addresses, in ascending order. */
static void each_payload(uintptr_t from, uintptr_t to, visitor *visit)
{
	char bytes[BUFFER_SPACE], line[LINE_SPACE];
	size_t length = 0;
	ssize_t count;
	int maps = syscall(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
	while ((count = syscall(SYS_read, maps, bytes, sizeof(bytes))) > 0 || (count < 0 && errno == EINTR))
		for (ssize_t i = 0; i < count; i++) {
			if (bytes[i] != '\n') {
				line[length] = bytes[i];
				length += length < sizeof(line) - 1;
				continue;
			}
			line[length] = 0;
			length = 0;
			visit_line(line, from, to, visit);
		}
	if (maps >= 0)
		syscall(SYS_close, maps);
}

/* ---- children of fork */

/* What the child closes when it has its copies; -1 when nothing is shared. */
static int copied[2] = { -1, -1 };

void before_pages_are_copied(void)
{
	if (!end || syscall(SYS_pipe2, copied, O_CLOEXEC))
		copied[0] = copied[1] = -1;
}

static void close_copied(int which)
{
	if (copied[which] >= 0)
		syscall(SYS_close, copied[which]);
	copied[which] = -1;
}

void await_copied_pages(void)
{
	char nothing;
	close_copied(1);
	while (copied[0] >= 0 && syscall(SYS_read, copied[0], &nothing, 1) < 0 && errno == EINTR)
		;
	close_copied(0);
}

/* What can't be copied, the child shares with its parent. */
static void copy(void *pages, size_t length, int protection)
{
	replace_pages(pages, length, -1, protection, 1);
}

void copy_pages(void)
{
	if (end)
		each_payload(first, end, copy);
	close_copied(0);
	close_copied(1);
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
	if (!result && advice == MADV_DONTNEED && from < end && from + length > first)
		each_payload(from, from + length, empty);
	return result;
}
