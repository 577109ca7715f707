/*
 * Stands between a program and the device files of uverbs and rdma_cm, which do not exist: forwards open, ioctl and
 * write of them to the device process, and does to the program's address space and descriptors what that asks for.
 * All decisions are made in the device process; it reads and writes the arguments in the program's memory itself.
 *
 *   BLUEBELL_SOCKET     where the device processes listen, that of uverbs0 first, separated by colons
 *   SYSFS_PATH          the tree that describes their devices
 *   BLUEBELL_OBSERVER   the tokens of who is told why requests fail, in the same order; may be unset
 *   BLUEBELL_MAP_MEMORY whether registered memory may be replaced by shared memory: 1 always, 0 never; where the program
 *                       can't notice, when it is unset and there is one device
 *   BLUEBELL_MEMLOCK    set when no more may be registered than the program may lock
 *
 * They count as they are when the program begins (settings.c).
 * The descriptor that the program gets is memory of the device process, so that it can be mapped even by programs that
 * put functions of their own in the place of mmap; the connection lies beside it, and closing it is the end of the
 * context. The Java side is ShimChannel. devices.c has the messages to it, shared_pages.c puts memory of the device process
 * in the place of the program's, and paths.c and path_functions.c stand between the program and the tree that describes
 * the devices.
 */
#define _GNU_SOURCE
#include "shim.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_FD 65536
#define PROTOCOL_VERSION 8
#define NETLINK_ROUTE 0
#define NETLINK_RDMA 20

/* What whoever started the program asks for. */
#define MAP_MEMORY 1
#define LOCK_MEMORY 2
#define MAP_UNNOTICED 4

/*
 * One for each open device file, which several descriptors may stand for. It is used again and never freed, so that a
 * late caller finds a lock. The inodes tell whether the numbers still are the device file and the connection, as there
 * are more ways to close a descriptor than can be seen here.
 */
struct context {
	pthread_mutex_t lock;
	pid_t pid;
	int device, socket, descriptors;
	int events; /* the descriptor of its asynchronous events, 0 for none */
	mode_t kind; /* of the file: memory for a device, a socket that is readable with events for the connection manager */
	ino_t file, connection;
	struct context *next;
};

static struct context *contexts[MAX_FD];
static struct context *connections[MAX_FD]; /* by the number of their sockets, of which the program does not know */
static struct context *unused_contexts;
static pthread_mutex_t contexts_lock = PTHREAD_MUTEX_INITIALIZER;

/*
 * The end of a descriptor of events when the device process is gone: an event of so many bytes, 0 for none, and then
 * EIO. The inodes of sockets tell whether the number is still that descriptor, and the context still has its connection.
 */
struct last_event { ino_t socket, peer; struct context *context; int bytes, told; int64_t words[2]; };

static struct last_event last_events[MAX_FD];

static struct context *noted(struct context **table, int fd)
{
	return fd >= 0 && fd < MAX_FD ? __atomic_load_n(&table[fd], __ATOMIC_ACQUIRE) : NULL;
}

static struct context *context_of(int fd)
{
	struct context *context = noted(contexts, fd);
	if (!context)
		return NULL;
	int before = errno;
	int is_file = context->file == inode_of(fd, context->kind);
	errno = before;
	return is_file ? context : NULL;
}

int device_at(int fd)
{
	struct context *context = context_of(fd);
	return context ? context->device : -1;
}

/* ---- children: one of fork has a copy of this memory, one of vfork has this memory itself, and must leave it alone */

/* The process whose memory this is, on a page that the kernel clears for a child with a copy, whatever call made it. */
static pid_t *owner;

/* True while a fork holds the locks, and in its child until that has its pages. */
static int is_forking;

static int owns_memory(void)
{
	if (!owner) {
		long size = sysconf(_SC_PAGESIZE);
		void *page = (void *)syscall(SYS_mmap, NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0L);
		if (page == MAP_FAILED)
			return 0;
		syscall(SYS_madvise, page, size, MADV_WIPEONFORK);
		owner = page;
	}
	if (!*owner) {
		*owner = getpid();
		/* the threads that may have held these are the parent's */
		pthread_mutex_init(&contexts_lock, NULL);
		if (!is_forking)
			forget_exchanges();
	}
	return *owner == getpid();
}

/* While a fork holds the lock. */
static struct held held_in_fork;

static void before_fork(void)
{
	struct held held;
	hold_off(&held);
	owns_memory();
	pthread_mutex_lock(&contexts_lock);
	held_in_fork = held;
	is_forking = 1;
	copy_shared_pages();
}

static void after_fork(void)
{
	give_copied_pages(0);
	is_forking = 0;
	struct held held = held_in_fork;
	pthread_mutex_unlock(&contexts_lock);
	let_go(&held);
}

static void in_child(void)
{
	give_copied_pages(1);
	is_forking = 0;
	if (owner)
		*owner = 0; /* before Linux 4.14, the kernel does not clear it */
	owns_memory();
	let_go(&held_in_fork);
}

__attribute__((constructor)) static void watch_forks(void)
{
	owns_memory();
	pthread_atfork(before_fork, after_fork, in_child);
}

static void install(int fd, struct context *context, const struct message *message)
{
	if (fd < 0 || fd >= MAX_FD)
		return;
	struct last_event *last = &last_events[fd];
	last->context = context;
	last->peer = context->connection;
	last->told = 0;
	last->words[0] = message->b;
	last->words[1] = message->c;
	if (message->a)
		context->events = fd;
	__atomic_store_n(&last->bytes, message->a, __ATOMIC_RELAXED);
	__atomic_store_n(&last->socket, socket_of(fd), __ATOMIC_RELEASE);
}

static struct last_event *last_event_of(int fd)
{
	struct last_event *last = fd >= 0 && fd < MAX_FD ? &last_events[fd] : NULL;
	ino_t socket = last ? __atomic_load_n(&last->socket, __ATOMIC_ACQUIRE) : 0;
	return socket && socket == socket_of(fd) ? last : NULL;
}

/* Another descriptor ends as the one that it is a duplicate of; each reports the event. */
static void share_last_event(int from, int to)
{
	struct last_event *last = last_event_of(from);
	if (!last || to < 0 || to >= MAX_FD || to == from)
		return;
	ino_t socket = last->socket;
	last_events[to] = *last;
	__atomic_store_n(&last_events[to].socket, socket, __ATOMIC_RELEASE);
}

/*
 * The kernel's poll finds nothing behind the last event; an end would be found for ever, and programs loop over it. Nobody
 * can send to a socket without a name.
 */
static void silence(int fd, struct last_event *last)
{
	int silent = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (silent < 0)
		return;
	fcntl(silent, F_SETFL, fcntl(fd, F_GETFL));
	dup3(silent, fd, O_CLOEXEC);
	real_close(silent);
	last->told = 1;
	__atomic_store_n(&last->socket, socket_of(fd), __ATOMIC_RELEASE);
}

/* The descriptor of asynchronous events outlives the device file for a while: libibverbs closes it next. */
static void silence_events(const struct context *context)
{
	struct last_event *last = last_event_of(context->events);
	if (last && last->context == context)
		silence(context->events, last);
}

/* Answers a read of a descriptor at its end, as the kernel does for a device that was removed. */
static ssize_t read_last_event(int fd, void *bytes, size_t count)
{
	struct last_event *last = count ? last_event_of(fd) : NULL;
	if (!last)
		return 0;
	if ((size_t)__atomic_load_n(&last->bytes, __ATOMIC_RELAXED) > count) {
		errno = EINVAL;
		return -1;
	}
	int left = __atomic_exchange_n(&last->bytes, 0, __ATOMIC_RELAXED);
	int is_open = __atomic_load_n(&last->context->descriptors, __ATOMIC_RELAXED) > 0;
	if (!left || !is_open || last->peer != socket_of(last->context->socket)) {
		errno = EIO;
		return -1;
	}
	memcpy(bytes, last->words, left);
	silence(fd, last);
	return left;
}

static int would_wait_for_ever(int fd)
{
	struct last_event *last = fd >= 0 && fd < MAX_FD && last_events[fd].told ? last_event_of(fd) : NULL;
	return last && !(fcntl(fd, F_GETFL) & O_NONBLOCK);
}

/*
 * The result, or minus errno. A descriptor that is the result's goes to *passed. A greeting has no context yet, and holds
 * off nothing.
 */
static int64_t call(int fd, struct context *context, const struct held *held, struct message request, int *passed)
{
	struct message reply;
	if (send_message(fd, &request))
		return -EIO;
	for (;;) {
		if (receive_message(fd, &reply, passed, held))
			return -EIO;
		struct message done = { DONE, 0, 0, 0 };
		switch (reply.kind) {
		case RESULT:
			return reply.a;
		case INSTALL:
			if (!context)
				return -EIO;
			install(*passed, context, &reply);
			done.a = *passed < 0 ? EMFILE : 0;
			done.b = *passed;
			break;
		case MAP:
			done.a = *passed < 0 ? EMFILE : replace_pages((void *)reply.b, reply.c, *passed,
									     PROT_READ | PROT_WRITE, 0);
			if (*passed >= 0)
				real_close(*passed);
			break;
		case UNMAP:
		case UNMAP_ALONE:
			done.a = replace_pages((void *)reply.b, reply.c, -1, reply.a,
					       reply.kind == UNMAP_ALONE && !has_device(1));
			break;
		default:
			return -EIO;
		}
		if (send_message(fd, &done))
			return -EIO;
	}
}

static int64_t locked_call(struct context *context, struct message request)
{
	int passed;
	if (context->pid != getpid()) {
		tell_missing(MISSING_CONTEXT);
		errno = EACCES; /* as for a device file that another process opened */
		return -1;
	}
	struct held held;
	hold_off(&held);
	pthread_mutex_lock(&context->lock);
	int64_t result = -EIO;
	if (socket_of(context->socket) == context->connection)
		result = call(context->socket, context, &held, request, &passed);
	pthread_mutex_unlock(&context->lock);
	let_go(&held);
	if (result < 0) {
		errno = -result;
		return -1;
	}
	return result;
}

/* ---- the device file */

static struct context *new_context(int device, int socket, int fd)
{
	struct held held;
	hold_off(&held);
	pthread_mutex_lock(&contexts_lock);
	struct context *context = unused_contexts;
	if (context)
		unused_contexts = context->next;
	else if ((context = calloc(1, sizeof(*context))))
		pthread_mutex_init(&context->lock, NULL);
	if (context) {
		context->pid = getpid();
		context->device = device;
		context->socket = socket;
		context->events = 0;
		context->connection = socket_of(socket);
		context->kind = device == CONNECTION_MANAGER ? S_IFSOCK : S_IFREG;
		context->file = inode_of(fd, context->kind);
		__atomic_store_n(&connections[socket], context, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&contexts_lock);
	let_go(&held);
	return context;
}

/*
 * When no descriptor stands for a context any more; NULL for none. Ends the session, except in a child, whose parent has
 * it: afterwards, the device process does not reach the program's memory any more. Other threads may fork meanwhile.
 */
static void retire(struct context *context)
{
	if (!context)
		return;
	struct held held;
	hold_off(&held);
	if (context->pid == getpid()) {
		pthread_mutex_lock(&context->lock); /* waits for the call of another thread */
		if (socket_of(context->socket) == context->connection) {
			silence_events(context);
			end_session(context->socket, &held);
		}
		pthread_mutex_unlock(&context->lock);
	} else {
		pthread_mutex_init(&context->lock, NULL); /* the thread that may have held it is the parent's */
	}
	pthread_mutex_lock(&contexts_lock);
	pthread_mutex_lock(&context->lock);
	if (connections[context->socket] == context)
		__atomic_store_n(&connections[context->socket], NULL, __ATOMIC_RELEASE);
	if (socket_of(context->socket) == context->connection)
		real_close(context->socket);
	context->socket = -1;
	pthread_mutex_unlock(&context->lock);
	context->next = unused_contexts;
	unused_contexts = context;
	pthread_mutex_unlock(&contexts_lock);
	let_go(&held);
}

/*
 * Lets a descriptor stand for a context from now on; NULL for none. The result is the context that no descriptor stands
 * for any more, which is to be retired; NULL for none.
 */
static struct context *attach(int fd, struct context *context)
{
	if (!owns_memory())
		return NULL;
	struct held held;
	hold_off(&held);
	pthread_mutex_lock(&contexts_lock);
	struct context *before = contexts[fd];
	if (context)
		context->descriptors++;
	__atomic_store_n(&contexts[fd], context, __ATOMIC_RELEASE);
	int is_last = before && --before->descriptors == 0;
	pthread_mutex_unlock(&contexts_lock);
	let_go(&held);
	return is_last ? before : NULL;
}

/* Before the descriptor is closed, as another thread may get its number at once. The result is that of attach. */
static struct context *detach(int fd)
{
	return noted(contexts, fd) ? attach(fd, NULL) : NULL;
}

/* The connection that a descriptor is, of which the program does not know; NULL for all others. */
static struct context *connection_at(int fd)
{
	struct context *context = noted(connections, fd);
	return context && context->pid == getpid() && context->connection == socket_of(fd) ? context : NULL;
}

/* Gives up the number of a connection, which the program wants for a descriptor of its own; whether it was one. */
static int make_room(int fd)
{
	struct context *context = connection_at(fd);
	if (!context)
		return 0;
	struct held held;
	hold_off(&held);
	pthread_mutex_lock(&contexts_lock);
	pthread_mutex_lock(&context->lock);
	int moved = context->socket == fd ? hidden_copy(fd) : -1, is_moved = moved >= 0 && moved < MAX_FD;
	if (is_moved) {
		context->socket = moved;
		__atomic_store_n(&connections[moved], context, __ATOMIC_RELEASE);
		__atomic_store_n(&connections[fd], NULL, __ATOMIC_RELEASE);
	} else if (moved >= 0) {
		real_close(moved);
	}
	pthread_mutex_unlock(&context->lock);
	pthread_mutex_unlock(&contexts_lock);
	let_go(&held);
	return is_moved;
}

/* Answers a call that made another descriptor of a file. */
static int duplicated(int from, int to)
{
	share_last_event(from, to);
	struct context *context = context_of(from);
	if (!context || to < 0 || to == from)
		return to;
	if (to >= MAX_FD) {
		real_close(to);
		errno = EMFILE;
		return -1;
	}
	retire(attach(to, context));
	return to;
}

/* Answers a call of dup2. A number that made room for nothing is closed, as the program knows of no file there. */
static int replaced(int from, int to, int had_room, int result)
{
	int failed = errno;
	if (result < 0 && had_room)
		real_close(to);
	if (result >= 0 && to != from)
		retire(detach(to));
	errno = failed;
	return duplicated(from, result);
}

/*
 * What the device process may do with memory that the program registers. With several device processes, nothing is shared
 * unasked: what one of them wrote while pages are exchanged for another would be lost.
 */
static int64_t memory_settings(void)
{
	const char *share = setting(SHARE_MEMORY);
	int64_t unasked = has_device(1) ? 0 : MAP_UNNOTICED;
	int64_t bits = !share ? unasked : strcmp(share, "0") ? MAP_MEMORY : 0;
	return bits | (setting(LIMIT_MEMORY) ? LOCK_MEMORY : 0);
}

static int open_file(int device)
{
	if (!owns_memory()) {
		errno = EACCES; /* a child of vfork, whose parent would be left with the context */
		return -1;
	}
	/* One connection manager is for all devices; that of the first device process is taken. */
	int is_manager = device == CONNECTION_MANAGER, process = is_manager ? 0 : device;
	int socket = connect_device(process);
	if (socket < 0)
		return -1;
	int fd = -1;
	size_t observer_length;
	const char *observer = setting_part(OBSERVERS, process, &observer_length);
	struct message hello = { is_manager ? MANAGER : HELLO, PROTOCOL_VERSION, observer ? atoll(observer) : 0,
				 memory_settings() };
	int64_t greeted = call(socket, NULL, NULL, hello, &fd);
	int failed = greeted < 0 ? -greeted : fd < 0 || fd >= MAX_FD || socket >= MAX_FD ? EMFILE : 0;
	struct context *context = failed ? NULL : new_context(device, socket, fd);
	if (!context) {
		if (fd >= 0)
			real_close(fd);
		real_close(socket);
		errno = failed ? failed : ENOMEM;
		return -1;
	}
	retire(attach(fd, context));
	return fd;
}

int open_device(int device, int flags)
{
	int cancellation = hold_off_cancellation();
	int fd = open_file(device);
	if (fd >= 0 && flags & O_NONBLOCK)
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	if (fd >= 0 && !(flags & O_CLOEXEC))
		fcntl(fd, F_SETFD, 0);
	allow_cancellation(cancellation);
	return fd;
}

/* ---- interposed functions */

INTERPOSED int socket(int domain, int type, int protocol)
{
	REAL(socket);
	if (domain == AF_NETLINK && protocol == NETLINK_RDMA)
		return open_netlink(type);
	int fd = real(domain, type, protocol);
	return domain == AF_NETLINK && protocol == NETLINK_ROUTE ? note_link_socket(fd) : fd;
}

INTERPOSED ssize_t sendto(int fd, const void *bytes, size_t count, int flags, const struct sockaddr *to,
			  socklen_t length)
{
	REAL(sendto);
	return is_netlink(fd) ? ask_netlink(fd, bytes, count) : real(fd, bytes, count, flags, to, length);
}

INTERPOSED ssize_t send(int fd, const void *bytes, size_t count, int flags)
{
	REAL(send);
	return is_netlink(fd) ? ask_netlink(fd, bytes, count) : real(fd, bytes, count, flags);
}

INTERPOSED ssize_t sendmsg(int fd, const struct msghdr *header, int flags)
{
	REAL(sendmsg);
	if (!is_netlink(fd) || header->msg_iovlen != 1)
		return real(fd, header, flags);
	return ask_netlink(fd, header->msg_iov->iov_base, header->msg_iov->iov_len);
}

INTERPOSED int close(int fd)
{
	if (connection_at(fd)) {
		errno = EBADF;
		return -1;
	}
	struct context *ended = detach(fd);
	int result = real_close(fd), failed = errno;
	retire(ended);
	errno = failed;
	return result;
}

INTERPOSED int dup(int from)
{
	REAL(dup);
	return duplicated(from, real(from));
}

INTERPOSED int dup2(int from, int to)
{
	REAL(dup2);
	int has_room = to != from && make_room(to);
	return replaced(from, to, has_room, real(from, to));
}

INTERPOSED int dup3(int from, int to, int flags)
{
	REAL(dup3);
	int has_room = to != from && make_room(to);
	return replaced(from, to, has_room, real(from, to, flags));
}

/* The argument is an int, a pointer or absent, and as wide as a pointer in every case. */
#define FCNTL(name) \
	INTERPOSED int name(int fd, int command, ...) \
	{ \
		va_list arguments; \
		va_start(arguments, command); \
		void *argument = va_arg(arguments, void *); \
		va_end(arguments); \
		REAL(name); \
		int result = real(fd, command, argument); \
		return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? duplicated(fd, result) : result; \
	}

FCNTL(fcntl)
FCNTL(fcntl64)

/* What the kernel does itself, whatever file it is. */
static int is_of_any_file(unsigned long request)
{
	return request == FIONBIO || request == FIOCLEX || request == FIONCLEX || request == FIOASYNC;
}

INTERPOSED int ioctl(int fd, unsigned long request, ...)
{
	va_list arguments;
	va_start(arguments, request);
	void *argument = va_arg(arguments, void *);
	va_end(arguments);
	struct context *context = context_of(fd);
	if (context && !is_of_any_file(request))
		return locked_call(context, (struct message){ IOCTL, request, (intptr_t)argument, 0 });
	REAL(ioctl);
	int result = real(fd, request, argument);
	if (request == SIOCGIFHWADDR && !result)
		show_link_address(argument);
	return result;
}

/* Until a signal or a cancellation ends the wait. */
static ssize_t wait_for_ever(void)
{
	int pair[2];
	char nothing;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return -1;
	ssize_t waited = recv(pair[0], &nothing, sizeof(nothing), 0);
	real_close(pair[0]);
	real_close(pair[1]);
	return waited;
}

/*
 * A command of the connection manager that asks for an event waits for one, for as long as the descriptor, signals and
 * cancellation allow; other commands may go on meanwhile. A thread that waits when the program closes the file goes on
 * waiting, as it does in the kernel, which keeps the file for it.
 */
static ssize_t write_manager(int fd, struct context *context, const void *bytes, size_t count)
{
	ino_t file = context->file;
	for (int waited = 0;; waited = 1) {
		if (waited && context->file != file)
			return wait_for_ever();
		ssize_t written = locked_call(context, (struct message){ WRITE, 0, (intptr_t)bytes, count });
		if (written >= 0)
			return written;
		int failed = errno;
		if (context_of(fd) != context || context->file != file) {
			if (waited)
				return wait_for_ever();
			errno = EBADF; /* closed before the command had its turn */
			return -1;
		}
		errno = failed;
		if (failed != EAGAIN)
			return -1;
		char event;
		ssize_t seen = recv(fd, &event, sizeof(event), MSG_PEEK);
		if (seen < 0)
			return -1;
		if (!seen && context_of(fd) == context && context->file == file) {
			errno = EIO; /* the device process has ended */
			return -1;
		}
	}
}

INTERPOSED ssize_t write(int fd, const void *bytes, size_t count)
{
	struct context *context = context_of(fd);
	if (context && context->kind == S_IFSOCK)
		return write_manager(fd, context, bytes, count);
	if (context)
		return locked_call(context, (struct message){ WRITE, 0, (intptr_t)bytes, count });
	REAL(write);
	return real(fd, bytes, count);
}

/* Refuses, with -1 and errno, what the descriptor that stands for a file would not refuse; else 0. */
static int refuse_read(int fd)
{
	struct context *context = context_of(fd);
	if (context && context->kind == S_IFSOCK) {
		errno = EINVAL; /* the file of the connection manager can't be read */
		return -1;
	}
	if (would_wait_for_ever(fd)) {
		errno = EIO;
		return -1;
	}
	return 0;
}

static ssize_t show_taken(int fd, void *bytes, size_t count, ssize_t taken)
{
	return taken ? show_link_addresses(fd, bytes, count, taken) : read_last_event(fd, bytes, count);
}

INTERPOSED ssize_t read(int fd, void *bytes, size_t count)
{
	REAL(read);
	return refuse_read(fd) ? -1 : show_taken(fd, bytes, count, real(fd, bytes, count));
}

/* What is compiled with _FORTIFY_SOURCE calls this. */
ssize_t __read_chk(int fd, void *bytes, size_t count, size_t space);
INTERPOSED ssize_t __read_chk(int fd, void *bytes, size_t count, size_t space)
{
	REAL(__read_chk);
	return refuse_read(fd) ? -1 : show_taken(fd, bytes, count, real(fd, bytes, count, space));
}
