/*
 * Where things are: the one table by which every function that takes a path finds the tree of files that describes
 * the devices. The tree is a real folder at SYSFS_PATH, with real symbolic links, so that nothing but the beginning of
 * a path has to be exchanged, on its way in and on its way out.
 *
 * Nothing here locks, allocates or keeps a state that changes, so signal handlers and children of fork may call it.
 */
#define _GNU_SOURCE
#include "shim.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DEVICES "/dev/infiniband"
#define VERBS_FILE "/class/infiniband_verbs/uverbs"
#define DESCRIPTORS "/proc/self/fd/"
#define PCI_ROOTS "/sys/devices"
#define MAX_DIGITS 4

/* What programs look for, and where the tree has it. What the machine has there is not seen. */
static const struct { const char *sought, *kept; } places[] = {
	{ "/sys/class/infiniband", "/class/infiniband" },
	{ "/sys/class/infiniband_verbs", "/class/infiniband_verbs" },
	{ "/sys/class/misc/rdma_cm", "/class/misc/rdma_cm" },
	{ "/sys/bus/pci", "/bus/pci" },
	{ "/sys/class/net/lo/address", "/dev/net/lo/address" },
	{ DEVICES, DEVICES },
};

/* Folders that the tree has a part of, and links to what else the machine has there, which is found where it is. */
static const struct { const char *sought, *kept; } shared[] = {
	{ "/sys", "" }, { "/sys/class", "/class" }, { "/sys/class/misc", "/class/misc" },
	{ "/sys/bus", "/bus" }, { "/sys/devices", "/devices" },
};

/* Where the tree is; NULL when the program was not told, or where no path of it would fit. */
static const char *tree_folder(void)
{
	const char *tree = setting(TREE);
	return tree && *tree && strlen(tree) < PLACE_SPACE ? tree : NULL;
}

/* What follows the folder in the path, from its first name on; NULL when the path leads elsewhere. */
static const char *after(const char *path, const char *folder)
{
	for (;;) {
		while (*path == '/' || (*path == '.' && (path[1] == '/' || !path[1])))
			path++;
		while (*folder == '/')
			folder++;
		if (!*folder)
			return path;
		size_t length = strcspn(folder, "/");
		if (strncmp(path, folder, length) || (path[length] && path[length] != '/'))
			return NULL;
		path += length;
		folder += length;
	}
}

static int append(char *space, const char *text, size_t length)
{
	size_t used = strlen(space);
	if (used + length >= PLACE_SPACE)
		return 0;
	memcpy(space + used, text, length);
	space[used + length] = 0;
	return 1;
}

static int keep(struct place *place, const char *tree, const char *folder, const char *rest)
{
	place->kept[0] = 0;
	if (!append(place->kept, tree, strlen(tree)) || !append(place->kept, folder, strlen(folder)) ||
	    (*rest && !(append(place->kept, "/", 1) && append(place->kept, rest, strlen(rest)))))
		return 0;
	place->path = place->kept;
	return 1;
}

/* The number at the end of a name that begins with a word; -1 for another name. */
static int numbered(const char *name, const char *word)
{
	size_t length = strlen(word);
	if (strncmp(name, word, length))
		return -1;
	size_t digits = strspn(name + length, "0123456789");
	return digits > 0 && digits <= MAX_DIGITS && !name[length + digits] ? atoi(name + length) : -1;
}

static int is_folder(const char *path)
{
	struct stat st;
	return !system_fstatat(AT_FDCWD, path, &st, AT_SYMLINK_NOFOLLOW) && S_ISDIR(st.st_mode);
}

/* The root of the PCI bus that the devices are on is a folder; what leads to the machine's own are links. */
static int keep_pci(struct place *place, const char *tree, const char *rest)
{
	if (strncmp(rest, "pci", 3))
		return 0;
	size_t length = strcspn(rest, "/");
	place->kept[0] = 0;
	if (!append(place->kept, tree, strlen(tree)) || !append(place->kept, "/devices/", 9) ||
	    !append(place->kept, rest, length) || !is_folder(place->kept))
		return 0;
	if (!append(place->kept, rest + length, strlen(rest + length)))
		return 0;
	place->path = place->kept;
	return 1;
}

static int append_number(char *space, int number)
{
	char digits[12], *digit = digits + sizeof(digits);
	do
		*--digit = '0' + number % 10;
	while (number /= 10);
	return append(space, digit, digits + sizeof(digits) - digit);
}

/* The path of what is open at a descriptor, and its length; 0 or less for what has none. */
static long path_of(int fd, char *whole)
{
	char link[sizeof(DESCRIPTORS) + 12] = DESCRIPTORS;
	if (fd < 0 || !append_number(link, fd))
		return 0;
	long length = syscall(SYS_readlinkat, AT_FDCWD, link, whole, (long)PLACE_SPACE - 1);
	if (length > 0)
		whole[length] = 0;
	return length;
}

/* The device of a name, by what the tree says of the device files. */
static int device_named(const char *tree, const char *name, size_t length)
{
	for (int device = 0; has_device(device); device++) {
		char path[PLACE_SPACE] = "", text[PLACE_SPACE];
		if (!append(path, tree, strlen(tree)) ||
		    !append(path, VERBS_FILE, strlen(VERBS_FILE)) || !append_number(path, device) ||
		    !append(path, "/ibdev", 6))
			return -1;
		int fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
		ssize_t count = fd < 0 ? -1 : syscall(SYS_read, fd, text, sizeof(text));
		if (fd >= 0)
			syscall(SYS_close, fd);
		if (count == (ssize_t)length + 1 && !strncmp(text, name, length))
			return device;
	}
	return -1;
}

/* Where the name begins, with its slash, that ends where another begins. */
static const char *name_before(const char *path, const char *end)
{
	return end ? memrchr(path, '/', end - path) : NULL;
}

static int is_between(const char *begin, const char *end, const char *text)
{
	return strlen(text) == (size_t)(end - begin) && !strncmp(begin, text, end - begin);
}

/* The path of what the kernel finds by a path; 0 when there is nothing. */
static long follow(const char *path, char *whole)
{
	int fd = syscall(SYS_openat, AT_FDCWD, path, O_PATH | O_CLOEXEC, 0);
	if (fd < 0)
		return 0;
	long length = path_of(fd, whole);
	syscall(SYS_close, fd);
	return length;
}

/*
 * Files that change, which are .../infiniband/NAME/ports/PORT/state or phys_state, .../counters/COUNTER or
 * .../hw_counters/COUNTER. A path may lead there by any way, so the kernel is asked where it does.
 */
static void find_counter(struct place *place, const char *tree)
{
	if ((!strstr(place->kept, "counters/") && !strstr(place->kept, "state")) || !follow(place->kept, place->whole))
		return;
	const char *path = place->whole;
	const char *name = name_before(path, path + strlen(path));
	const char *kind = name_before(path, name);
	int is_state = name && (!strcmp(name, "/state") || !strcmp(name, "/phys_state"));
	const char *port = is_state ? kind : name_before(path, kind);
	const char *ports = name_before(path, port);
	const char *device = name_before(path, ports);
	if (!device || !is_between(ports, port, "/ports") ||
	    (!is_state && !is_between(kind, name, "/counters") && !is_between(kind, name, "/hw_counters")))
		return;
	place->owner = device_named(tree, device + 1, ports - device - 1);
	if (place->owner < 0)
		return;
	place->counter = name + 1;
	place->port = atoi(port + 1);
}

/* Makes a path of one that begins at a folder; -1 if it can't, else whether the folder is one of the tree. */
static int join(int folder, const char *path, struct place *place)
{
	long length = folder == AT_FDCWD ? syscall(SYS_getcwd, place->whole, (long)PLACE_SPACE)
					 : path_of(folder, place->whole);
	if (length <= 0 || place->whole[0] != '/')
		return -1;
	int is_shown = show_path(place->whole);
	return append(place->whole, "/", 1) && append(place->whole, path, strlen(path)) ? is_shown : -1;
}

static int keep_shared(struct place *place, const char *tree, const char *path)
{
	for (size_t i = 0; i < sizeof(shared) / sizeof(shared[0]); i++) {
		const char *rest = after(path, shared[i].sought);
		if (rest && !*rest)
			return keep(place, tree, shared[i].kept, rest);
	}
	return 0;
}

static void look(int folder, const char *path, struct place *place)
{
	const char *tree = tree_folder();
	int is_left = *path == '/' ? 0 : join(folder, path, place);
	if (is_left < 0)
		return;
	if (*path != '/')
		path = place->whole;
	const char *rest = after(path, DEVICES);
	int device = rest ? numbered(rest, "uverbs") : -1;
	if (device >= 0 && has_device(device))
		place->device = device;
	else if (rest && !strcmp(rest, "rdma_cm") && has_device(0))
		place->device = CONNECTION_MANAGER;
	for (size_t i = 0; tree && i < sizeof(places) / sizeof(places[0]); i++)
		if ((rest = after(path, places[i].sought))) {
			if (keep(place, tree, places[i].kept, rest))
				find_counter(place, tree);
			return;
		}
	if (!tree || keep_shared(place, tree, path))
		return;
	if ((rest = after(path, PCI_ROOTS)) && keep_pci(place, tree, rest))
		find_counter(place, tree);
	else if (is_left)
		place->path = path; /* from a folder of the tree to what the tree has a link to */
}

void find_place(int folder, const char *path, struct place *place)
{
	place->path = path;
	place->device = -1;
	place->counter = NULL;
	place->is_empty = !path || !*path;
	if (place->is_empty)
		return;
	int before = errno;
	look(folder, path, place);
	errno = before;
}

int show_path(char *path)
{
	const char *tree = tree_folder();
	size_t length = tree ? strlen(tree) : 0;
	if (length < sizeof("/sys") || strncmp(path, tree, length) || (path[length] && path[length] != '/'))
		return 0;
	const char *rest = path + length;
	if (after(rest, DEVICES)) {
		memmove(path, rest, strlen(rest) + 1);
		return 1;
	}
	memmove(path + 4, rest, strlen(rest) + 1);
	memcpy(path, "/sys", 4);
	return 1;
}

int is_in_sysfs(const char *path)
{
	char shown[PLACE_SPACE] = "";
	return append(shown, path, strlen(path)) && show_path(shown) && !after(shown, DEVICES);
}

int is_open_in_sysfs(int fd)
{
	char path[PLACE_SPACE];
	int before = errno;
	int result = path_of(fd, path) > 0 && is_in_sysfs(path);
	errno = before;
	return result;
}

int lists_machine(int folder)
{
	char path[PLACE_SPACE];
	if (path_of(folder, path) <= 0 || !show_path(path))
		return 0;
	for (size_t i = 0; i < sizeof(shared) / sizeof(shared[0]); i++)
		if (!strcmp(path, shared[i].sought))
			return 1;
	return 0;
}
