/*
 * What the files of the preloaded library know of each other. Files call only files of later rows:
 *
 *   path_functions.c
 *   shim.c
 *   netlink.c, link_address.c, paths.c, shared_pages.c
 *   devices.c
 *   descriptors.c, settings.c
 *
 * Calls of C library functions do not count, though they may reach this library's own function of that name.
 */
#ifndef SHIM_H
#define SHIM_H

#include <dlfcn.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

/* A function that stands in the place of one of the C library; all others are nobody's but this library's. */
#define INTERPOSED __attribute__((visibility("default")))

#define REAL(name) \
	static __typeof__(name) *real; \
	if (!real) \
		real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

/* What programs look for and do not find; the numbers are those of MissingService. */
enum missing { MISSING_UMAD, MISSING_CONTEXT, KINDS_OF_MISSING };

/* ---- settings.c: what the program was told when it began */

enum setting { SOCKETS, TREE, OBSERVERS, SHARE_MEMORY, LIMIT_MEMORY, SETTINGS };

/* NULL for what it was not told. */
const char *setting(enum setting what);

/* One of the parts of a setting with colons between them; NULL when it has not so many. */
const char *setting_part(enum setting what, int index, size_t *length);

/* ---- descriptors.c: what is asked of any descriptor */

int real_close(int fd);

/* A copy of which the program does not know, and that is not its standard input, output or errors; -1 and errno. */
int hidden_copy(int fd);

/* By system calls: a C library before 2.33 has these functions in its headers alone. */
int system_fstat(int fd, struct stat *st);
int system_fstatat(int folder, const char *path, struct stat *st, int flags);

/* The inode of a file of this kind; 0 for any other. */
ino_t inode_of(int fd, mode_t kind);

ino_t socket_of(int fd);

#define MAX_SOCKET 1024

/* Sockets of a kind, by their inodes, as numbers are used again. */
struct sockets {
	ino_t inodes[MAX_SOCKET];
};

/* Whether there was room for it; errno stays. */
int note_socket(struct sockets *sockets, int fd);

/* errno stays. */
int is_noted(const struct sockets *sockets, int fd);

/* ---- devices.c: the device processes */

/* Stands for the file of the connection manager where the others are for devices. */
#define CONNECTION_MANAGER 10000

enum request_kind { HELLO, IOCTL, WRITE, DONE, COUNTER, MISSING, MANAGER };
enum reply_kind { RESULT, INSTALL, MAP, UNMAP, UNMAP_ALONE };

struct message { int64_t kind, a, b, c; };

/* Whether the program may open a device with this number. */
int has_device(int device);

/* The socket of a new connection; -1 and errno. */
int connect_device(int device);

int send_message(int fd, const struct message *message);

/*
 * Calls of a device file have no cancellation point, and what stands for them here has some: a thread that ended there
 * would keep a lock for ever.
 */
int hold_off_cancellation(void);
void allow_cancellation(int before);

/*
 * What holds a lock can't be interrupted either: a signal handler that came to the same lock would wait for ever. Only
 * what ends or stops the program acts after a while, as a device process may not answer.
 */
struct held { int cancellation; sigset_t signals; };
void hold_off(struct held *held);
void let_go(const struct held *held);

/* The descriptor that came with the message goes to *passed, -1 for none. What is held off is NULL for nothing. */
int receive_message(int fd, struct message *message, int *passed, const struct held *held);

/*
 * Hangs up, and waits until the device process has hung up too, which it does when it has freed what the context had. If
 * it does not, some seconds are enough. For all who have a copy of the descriptor.
 */
void end_session(int fd, const struct held *held);

void describe_device(int device, struct stat *st);

/*
 * The value of a counter or of a state of the device's port, or with port 0 the number of its objects of a kind; -1 and
 * errno when there is none.
 */
int64_t read_counter(int device, int port, const char *name);

/* Lets whoever explains to the user know, once for each. */
void tell_missing(enum missing what);

/* ---- shim.c: the device files */

/* Which of the device files is open at the descriptor; -1 for none. */
int device_at(int fd);

/* With the flags of open. */
int open_device(int device, int flags);

/* ---- shared_pages.c: pages of the program that the device process has mapped too */

/*
 * Puts shared memory, or with fd -1 memory of the program's own, in the place of pages, with their contents; 0 or errno.
 * No other thread may write to them meanwhile; signals wait. If nothing else reads them, private pages are empty for a
 * moment and then one mapping with those beside them.
 */
int replace_pages(void *address, size_t length, int fd, int protection, int alone);

/*
 * A child of fork gets a copy of the program's memory, and of shared payload only by its own doing. The first is called
 * before fork, and the other one after it in both processes; one fork at a time.
 */
void copy_shared_pages(void);
void give_copied_pages(int is_child);

/* In a child of which the C library knows nothing, whose parent may have been exchanging pages. */
void forget_exchanges(void);

/* ---- netlink.c: the kernel's answers about devices */

/* A socket to ask by; -1 when the machine has none for this. */
int open_netlink(int type);

int is_netlink(int fd);

/* Puts the answer into the socket; the length of the request, or -1 and errno. */
ssize_t ask_netlink(int fd, const void *request, size_t length);

/* ---- link_address.c: the Ethernet address of the port's network device */

/* Remembers that the kernel's answers about network devices arrive here; the descriptor. */
int note_link_socket(int fd);

/* Puts the port's address into what was received, if such answers arrive here; what was received. */
ssize_t show_link_addresses(int fd, void *bytes, size_t room, ssize_t received);

/* Puts the port's address into the answer to SIOCGIFHWADDR. */
void show_link_address(void *request);

/* ---- paths.c: where things are */

#define PLACE_SPACE 1024

/* Where a path leads to; what is longer than a path of the tree can be is elsewhere. */
struct place {
	const char *path;    /* for the C library; absolute, when it is not the one that was asked for */
	int is_empty;        /* the path has no name, or there is none: it may stand for a descriptor */
	int device;          /* the device file that it is, -1 for none */
	const char *counter; /* the counter or the state that it is, NULL for none */
	int port;            /* whose it is */
	int owner;           /* the device that has the port */
	char kept[PLACE_SPACE];
	char whole[PLACE_SPACE];
};

/* Finds out where a path leads to, from a folder that is a descriptor or AT_FDCWD. Keeps errno. */
void find_place(int folder, const char *path, struct place *place);

/* Puts what a program shall see in the place of a path that the C library found; whether it is one of the tree. */
int show_path(char *path);

/* Whether a path that the C library found is one of the tree that stands for the kernel's file system of devices. */
int is_in_sysfs(const char *path);

/* The same of what is open at a descriptor. */
int is_open_in_sysfs(int fd);

/* Whether links of this folder stand for folders of the machine. */
int lists_machine(int folder);

#endif
