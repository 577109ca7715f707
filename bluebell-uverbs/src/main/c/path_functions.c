/* The functions of the C library that take a path, or give one: all look where find_place says. */
#define _GNU_SOURCE
#include "shim.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <ftw.h>
#include <glob.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Both have one layout where pointers have 64 bits. */
_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "needs a 64-bit system");

/* ---- opening */

/* The name of a state, as the kernel's sysfs.c has it; NULL for a counter. */
static const char *name_of_state(const char *file, int64_t value)
{
	static const char *const logical[] = { "NOP", "DOWN", "INIT", "ARMED", "ACTIVE" };
	static const char *const physical[] = { "<unknown>", "Sleep", "Polling", "Disabled", "PortConfigurationTraining", "LinkUp" };
	if (!strcmp(file, "state"))
		return value < 5 ? logical[value] : "UNKNOWN";
	if (!strcmp(file, "phys_state"))
		return value < 6 ? physical[value] : "<unknown>";
	return NULL;
}

/* A file with what the counter or the state is now. */
static int open_counter(const struct place *place, int flags)
{
	int64_t value = read_counter(place->owner, place->port, place->counter);
	if (value < 0)
		return -1;
	int fd = memfd_create(place->counter, flags & O_CLOEXEC ? MFD_CLOEXEC : 0);
	if (fd < 0)
		return -1;
	char text[64];
	const char *name = name_of_state(place->counter, value);
	int length = snprintf(text, sizeof(text), "%lld%s%s\n", (long long)value, name ? ": " : "", name ? name : "");
	if (pwrite(fd, text, length, 0) == length)
		return fd;
	real_close(fd);
	errno = EIO;
	return -1;
}

static int is_read(const struct place *place, int flags)
{
	return place->counter && (flags & O_ACCMODE) == O_RDONLY && !(flags & (O_PATH | O_DIRECTORY));
}

/* A file that is not there, though a program that uses RDMA may look for it. A compiler looks for rdma/rdma_cma.h. */
static void note_missing(const char *path)
{
	if (errno != ENOENT || !path || *path != '/')
		return;
	if (strstr(path, "/dev/infiniband/umad") || strstr(path, "/class/infiniband_mad/"))
		tell_missing(MISSING_UMAD);
	errno = ENOENT;
}

#define OPEN_PLACE(folder, opens) \
	struct place place; \
	find_place(folder, path, &place); \
	if (place.device >= 0 && !(flags & (O_PATH | O_DIRECTORY))) \
		return open_device(place.device, flags); \
	if (is_read(&place, flags)) \
		return open_counter(&place, flags); \
	int fd = opens; \
	if (fd < 0) \
		note_missing(path); \
	return fd

#define MODE \
	mode_t mode = 0; \
	if (flags & (O_CREAT | __O_TMPFILE)) { \
		va_list arguments; \
		va_start(arguments, flags); \
		mode = va_arg(arguments, mode_t); \
		va_end(arguments); \
	}

#define OPEN(name) \
	INTERPOSED int name(const char *path, int flags, ...) \
	{ \
		MODE \
		REAL(name); \
		OPEN_PLACE(AT_FDCWD, real(place.path, flags, mode)); \
	}

#define OPENAT(name) \
	INTERPOSED int name(int folder, const char *path, int flags, ...) \
	{ \
		MODE \
		REAL(name); \
		OPEN_PLACE(folder, real(folder, place.path, flags, mode)); \
	}

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

/* What is compiled with _FORTIFY_SOURCE calls these. */
#define FORTIFIED_OPEN(name) \
	int name(const char *path, int flags); \
	INTERPOSED int name(const char *path, int flags) \
	{ \
		REAL(name); \
		OPEN_PLACE(AT_FDCWD, real(place.path, flags)); \
	}

#define FORTIFIED_OPENAT(name) \
	int name(int folder, const char *path, int flags); \
	INTERPOSED int name(int folder, const char *path, int flags) \
	{ \
		REAL(name); \
		OPEN_PLACE(folder, real(folder, place.path, flags)); \
	}

FORTIFIED_OPEN(__open_2)
FORTIFIED_OPEN(__open64_2)
FORTIFIED_OPENAT(__openat_2)
FORTIFIED_OPENAT(__openat64_2)

static FILE *open_stream(const struct place *place, const char *mode)
{
	int fd = open_counter(place, strchr(mode, 'e') ? O_CLOEXEC : 0);
	return fd < 0 ? NULL : fdopen(fd, mode);
}

#define FOPEN(name) \
	INTERPOSED FILE *name(const char *restrict path, const char *restrict mode) \
	{ \
		REAL(name); \
		struct place place; \
		find_place(AT_FDCWD, path, &place); \
		if (place.counter && *mode == 'r' && !strchr(mode, '+')) \
			return open_stream(&place, mode); \
		FILE *file = real(place.path, mode); \
		if (!file) \
			note_missing(path); \
		return file; \
	}

FOPEN(fopen)
FOPEN(fopen64)

#define FREOPEN(name) \
	INTERPOSED FILE *name(const char *restrict path, const char *restrict mode, FILE *restrict file) \
	{ \
		REAL(name); \
		struct place place; \
		find_place(AT_FDCWD, path, &place); \
		if (!place.counter || *mode != 'r' || strchr(mode, '+')) \
			return real(place.path, mode, file); \
		int fd = open_counter(&place, O_CLOEXEC); \
		char opened[32]; \
		snprintf(opened, sizeof(opened), "/proc/self/fd/%d", fd); \
		FILE *result = fd < 0 ? NULL : real(opened, mode, file); \
		if (fd >= 0) \
			real_close(fd); \
		return result; \
	}

FREOPEN(freopen)
FREOPEN(freopen64)

/* ---- asking */

/* A device file may be read and written by all. */
static int may_access_device(int mode)
{
	if (!(mode & X_OK))
		return 0;
	errno = EACCES;
	return -1;
}

#define ACCESS(name) \
	INTERPOSED int name(const char *path, int mode) \
	{ \
		REAL(name); \
		struct place place; \
		find_place(AT_FDCWD, path, &place); \
		return place.device >= 0 ? may_access_device(mode) : real(place.path, mode); \
	}

ACCESS(access)
ACCESS(euidaccess)
ACCESS(eaccess)

INTERPOSED int faccessat(int folder, const char *path, int mode, int flags)
{
	REAL(faccessat);
	struct place place;
	find_place(folder, path, &place);
	return place.device >= 0 ? may_access_device(mode) : real(folder, place.path, mode, flags);
}

/*
 * The device file that a path or, where it is empty, a descriptor is. Does not look at the path: programs try with NULL
 * whether the kernel has statx, and the compiler takes the headers' word that nobody does.
 */
static int device_at_place(const struct place *place, int folder, int flags)
{
	return place->is_empty && (flags & AT_EMPTY_PATH) ? device_at(folder) : place->device;
}

#define STAT_PLACE(folder, flags, type, calls) \
	struct place place; \
	find_place(folder, path, &place); \
	int device = device_at_place(&place, folder, flags); \
	if (device < 0) \
		return real ? calls : system_fstatat(folder, place.path, (struct stat *)st, flags); \
	describe_device(device, (struct stat *)st); \
	return 0

#define STAT(name, type, flags) \
	INTERPOSED int name(const char *restrict path, type *restrict st) \
	{ \
		REAL(name); \
		STAT_PLACE(AT_FDCWD, flags, type, real(place.path, st)); \
	}

#define FSTATAT(name, type) \
	INTERPOSED int name(int folder, const char *restrict path, type *restrict st, int flags) \
	{ \
		REAL(name); \
		STAT_PLACE(folder, flags, type, real(folder, place.path, st, flags)); \
	}

#define FSTAT(name, type) \
	INTERPOSED int name(int fd, type *st) \
	{ \
		REAL(name); \
		int device = device_at(fd); \
		if (device < 0) \
			return real ? real(fd, st) : system_fstat(fd, (struct stat *)st); \
		describe_device(device, (struct stat *)st); \
		return 0; \
	}

STAT(stat, struct stat, 0)
STAT(stat64, struct stat64, 0)
STAT(lstat, struct stat, AT_SYMLINK_NOFOLLOW)
STAT(lstat64, struct stat64, AT_SYMLINK_NOFOLLOW)
FSTATAT(fstatat, struct stat)
FSTATAT(fstatat64, struct stat64)
FSTAT(fstat, struct stat)
FSTAT(fstat64, struct stat64)

/*
 * What programs call that were built with glibc before 2.33, whose stat was no function of the library. The version
 * says how the structure is laid out; where pointers have 64 bits, there is one layout.
 */
#define OLD_STAT(name, type, flags) \
	int name(int version, const char *path, type *st); \
	INTERPOSED int name(int version, const char *path, type *st) \
	{ \
		REAL(name); \
		STAT_PLACE(AT_FDCWD, flags, type, real(version, place.path, st)); \
	}

#define OLD_FSTAT(name, type) \
	int name(int version, int fd, type *st); \
	INTERPOSED int name(int version, int fd, type *st) \
	{ \
		REAL(name); \
		int device = device_at(fd); \
		if (device < 0) \
			return real(version, fd, st); \
		describe_device(device, (struct stat *)st); \
		return 0; \
	}

#define OLD_FSTATAT(name, type) \
	int name(int version, int folder, const char *path, type *st, int flags); \
	INTERPOSED int name(int version, int folder, const char *path, type *st, int flags) \
	{ \
		REAL(name); \
		STAT_PLACE(folder, flags, type, real(version, folder, place.path, st, flags)); \
	}

OLD_STAT(__xstat, struct stat, 0)
OLD_STAT(__xstat64, struct stat64, 0)
OLD_STAT(__lxstat, struct stat, AT_SYMLINK_NOFOLLOW)
OLD_STAT(__lxstat64, struct stat64, AT_SYMLINK_NOFOLLOW)
OLD_FSTAT(__fxstat, struct stat)
OLD_FSTAT(__fxstat64, struct stat64)
OLD_FSTATAT(__fxstatat, struct stat)
OLD_FSTATAT(__fxstatat64, struct stat64)

INTERPOSED int statx(int folder, const char *restrict path, int flags, unsigned mask, struct statx *restrict stx)
{
	REAL(statx);
	struct place place;
	find_place(folder, path, &place);
	int device = device_at_place(&place, folder, flags);
	if (device < 0)
		return real(folder, place.path, flags, mask, stx);
	struct stat st;
	describe_device(device, &st);
	memset(stx, 0, sizeof(*stx));
	stx->stx_mask = STATX_TYPE | STATX_MODE | STATX_NLINK;
	stx->stx_mode = st.st_mode;
	stx->stx_nlink = st.st_nlink;
	stx->stx_rdev_major = major(st.st_rdev);
	stx->stx_rdev_minor = minor(st.st_rdev);
	return 0;
}

/* ls asks for them, and takes a file for lost when it can't. */
#define GETXATTR(name) \
	INTERPOSED ssize_t name(const char *path, const char *attribute, void *value, size_t size) \
	{ \
		REAL(name); \
		struct place place; \
		find_place(AT_FDCWD, path, &place); \
		return real(place.path, attribute, value, size); \
	}

#define LISTXATTR(name) \
	INTERPOSED ssize_t name(const char *path, char *attributes, size_t size) \
	{ \
		REAL(name); \
		struct place place; \
		find_place(AT_FDCWD, path, &place); \
		return real(place.path, attributes, size); \
	}

/* Those of libudev look whether the files of devices are the kernel's. */
#define STATFS(name, fname, type) \
	INTERPOSED int name(const char *path, type *st) \
	{ \
		REAL(name); \
		struct place place; \
		find_place(AT_FDCWD, path, &place); \
		int failed = real(place.path, st); \
		if (!failed && is_in_sysfs(place.path)) \
			st->f_type = SYSFS_MAGIC; \
		return failed; \
	} \
	INTERPOSED int fname(int fd, type *st) \
	{ \
		REAL(fname); \
		int failed = real(fd, st); \
		if (!failed && is_open_in_sysfs(fd)) \
			st->f_type = SYSFS_MAGIC; \
		return failed; \
	}

#define STATVFS(name, type) \
	INTERPOSED int name(const char *path, type *st) \
	{ \
		REAL(name); \
		struct place place; \
		find_place(AT_FDCWD, path, &place); \
		return real(place.path, st); \
	}

STATFS(statfs, fstatfs, struct statfs)
STATFS(statfs64, fstatfs64, struct statfs64)
STATVFS(statvfs, struct statvfs)
STATVFS(statvfs64, struct statvfs64)

GETXATTR(getxattr)
GETXATTR(lgetxattr)
LISTXATTR(listxattr)
LISTXATTR(llistxattr)

/* ---- folders */

INTERPOSED DIR *opendir(const char *path)
{
	REAL(opendir);
	struct place place;
	find_place(AT_FDCWD, path, &place);
	return real(place.path);
}

static int is_named_as_device(const char *name)
{
	return !strncmp(name, "uverbs", 6) || !strcmp(name, "rdma_cm");
}

/* The tree has files where the device files are, as those of devices are not for everybody to make. */
static int is_device(int folder, const char *name, unsigned char type)
{
	struct place place;
	if (type != DT_REG || !is_named_as_device(name))
		return 0;
	find_place(folder, name, &place);
	return place.device >= 0;
}

/* The type of an entry as the program sees it. */
static unsigned char shown_type(int folder, const char *name, unsigned char type)
{
	int before = errno;
	if (is_device(folder, name, type))
		type = DT_CHR;
	else if (type == DT_LNK && lists_machine(folder))
		type = DT_DIR;
	errno = before;
	return type;
}

#define READDIR(name, type) \
	INTERPOSED type *name(DIR *folder) \
	{ \
		REAL(name); \
		type *entry = real(folder); \
		if (entry) \
			entry->d_type = shown_type(dirfd(folder), entry->d_name, entry->d_type); \
		return entry; \
	}

READDIR(readdir, struct dirent)
READDIR(readdir64, struct dirent64)

#define SCANDIR(name, type) \
	INTERPOSED int name(const char *restrict path, type ***restrict entries, int (*takes)(const type *), \
			    int (*compares)(const type **, const type **)) \
	{ \
		REAL(name); \
		struct place place; \
		find_place(AT_FDCWD, path, &place); \
		int count = real(place.path, entries, takes, compares), opened = -1; \
		for (int i = 0; i < count; i++) { \
			type *entry = (*entries)[i]; \
			if (entry->d_type != DT_LNK && (entry->d_type != DT_REG || !is_named_as_device(entry->d_name))) \
				continue; \
			if (opened < 0) \
				opened = open(place.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC); \
			entry->d_type = shown_type(opened, entry->d_name, entry->d_type); \
		} \
		if (opened >= 0) \
			real_close(opened); \
		return count; \
	}

SCANDIR(scandir, struct dirent)
SCANDIR(scandir64, struct dirent64)

static void *open_folder(const char *path)
{
	return opendir(path);
}

static void close_folder(void *folder)
{
	closedir(folder);
}

static struct dirent *read_folder(void *folder)
{
	return readdir(folder);
}

static struct dirent64 *read_folder64(void *folder)
{
	return readdir64(folder);
}

/* The C library has this way for such a case. */
#define GLOB(name, kind, reads, lstat, stat) \
	INTERPOSED int name(const char *restrict pattern, int flags, int (*fails)(const char *, int), \
			    kind *restrict found) \
	{ \
		REAL(name); \
		if (flags & GLOB_ALTDIRFUNC) \
			return real(pattern, flags, fails, found); \
		found->gl_closedir = close_folder; \
		found->gl_readdir = reads; \
		found->gl_opendir = open_folder; \
		found->gl_lstat = lstat; \
		found->gl_stat = stat; \
		int result = real(pattern, flags | GLOB_ALTDIRFUNC, fails, found); \
		found->gl_flags &= ~GLOB_ALTDIRFUNC; \
		return result; \
	}

GLOB(glob, glob_t, read_folder, lstat, stat)
GLOB(glob64, glob64_t, read_folder64, lstat64, stat64)

/* ---- walks: the C library's look at the tree itself, and what they find is shown */

/* What a thread's walk calls; one may begin within another. */
static __thread int (*walk_calls)(const char *path, const struct stat *st, int kind, struct FTW *at);
static __thread int (*plain_walk_calls)(const char *path, const struct stat *st, int kind);

struct shown { char path[PATH_MAX]; struct stat st; };

static void show_entry(struct shown *shown, const char *path, const struct stat *st)
{
	struct place place;
	snprintf(shown->path, sizeof(shown->path), "%s", path);
	show_path(shown->path);
	shown->st = *st;
	find_place(AT_FDCWD, shown->path, &place);
	if (place.device >= 0)
		describe_device(place.device, &shown->st);
}

static int walk_entry(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	struct shown shown;
	show_entry(&shown, path, st);
	struct FTW place = *at;
	const char *slash = strrchr(shown.path, '/');
	place.base = slash ? slash + 1 - shown.path : 0;
	return walk_calls(shown.path, &shown.st, kind, &place);
}

static int plain_walk_entry(const char *path, const struct stat *st, int kind)
{
	struct shown shown;
	show_entry(&shown, path, st);
	return plain_walk_calls(shown.path, &shown.st, kind);
}

#define WALK(name, function, variable, entry, arguments, ...) \
	INTERPOSED int name(const char *path, function calls, __VA_ARGS__) \
	{ \
		REAL(name); \
		struct place place; \
		find_place(AT_FDCWD, path, &place); \
		__typeof__(variable) before = variable; \
		variable = (__typeof__(variable))calls; \
		int result = place.path == path ? real arguments(path, calls) : real arguments(place.path, (function)entry); \
		variable = before; \
		return result; \
	}

#define NFTW_ARGUMENTS(path, calls) (path, calls, descriptors, flags)
#define FTW_ARGUMENTS(path, calls) (path, calls, descriptors)

WALK(nftw, __nftw_func_t, walk_calls, walk_entry, NFTW_ARGUMENTS, int descriptors, int flags)
WALK(nftw64, __nftw64_func_t, walk_calls, walk_entry, NFTW_ARGUMENTS, int descriptors, int flags)
WALK(ftw, __ftw_func_t, plain_walk_calls, plain_walk_entry, FTW_ARGUMENTS, int descriptors)
WALK(ftw64, __ftw64_func_t, plain_walk_calls, plain_walk_entry, FTW_ARGUMENTS, int descriptors)

/* What it finds has the paths of the tree itself, as the library goes on from them. */
#define FTS_OPEN(name, walk, entry) \
	INTERPOSED walk *name(char *const *paths, int options, int (*compares)(const entry **, const entry **)) \
	{ \
		REAL(name); \
		size_t count = 0; \
		while (paths[count]) \
			count++; \
		struct place *places = calloc(count + 1, sizeof(*places)); \
		char **found = calloc(count + 1, sizeof(*found)); \
		for (size_t i = 0; places && found && i < count; i++) { \
			find_place(AT_FDCWD, paths[i], &places[i]); \
			found[i] = (char *)places[i].path; \
		} \
		walk *result = places && found ? real(found, options, compares) : NULL; \
		free(found); \
		free(places); \
		return result; \
	}

FTS_OPEN(fts_open, FTS, FTSENT)
FTS_OPEN(fts64_open, FTS64, FTSENT64)

/* ---- where a program is */

INTERPOSED int chdir(const char *path)
{
	REAL(chdir);
	struct place place;
	find_place(AT_FDCWD, path, &place);
	return real(place.path);
}

static char *shown(char *path)
{
	if (path)
		show_path(path);
	return path;
}

INTERPOSED char *getcwd(char *path, size_t size)
{
	REAL(getcwd);
	return shown(real(path, size));
}

INTERPOSED char *get_current_dir_name(void)
{
	REAL(get_current_dir_name);
	return shown(real());
}

char *__getcwd_chk(char *path, size_t size, size_t space);
INTERPOSED char *__getcwd_chk(char *path, size_t size, size_t space)
{
	REAL(__getcwd_chk);
	return shown(real(path, size, space));
}

/* ---- links */

/* What a link leads to is a path of the tree where it is a link of the kernel's, as those in /proc/self/fd are. */
static ssize_t show_link(int folder, const char *path, char *text, size_t size, ssize_t length)
{
	if (length <= 0 || *text != '/')
		return length;
	char whole[PLACE_SPACE];
	REAL(readlinkat);
	ssize_t count = real(folder, path, whole, sizeof(whole) - 1);
	if (count <= 0 || count >= (ssize_t)sizeof(whole) - 1)
		return length;
	whole[count] = 0;
	show_path(whole);
	count = strlen(whole);
	if (count > (ssize_t)size)
		count = size;
	memcpy(text, whole, count);
	return count;
}

#define READLINK_PLACE(folder, calls) \
	struct place place; \
	find_place(folder, path, &place); \
	return show_link(folder, place.path, text, size, calls)

INTERPOSED ssize_t readlink(const char *restrict path, char *restrict text, size_t size)
{
	REAL(readlink);
	READLINK_PLACE(AT_FDCWD, real(place.path, text, size));
}

INTERPOSED ssize_t readlinkat(int folder, const char *restrict path, char *restrict text, size_t size)
{
	REAL(readlinkat);
	READLINK_PLACE(folder, real(folder, place.path, text, size));
}

ssize_t __readlink_chk(const char *path, char *text, size_t size, size_t space);
INTERPOSED ssize_t __readlink_chk(const char *path, char *text, size_t size, size_t space)
{
	REAL(__readlink_chk);
	READLINK_PLACE(AT_FDCWD, real(place.path, text, size, space));
}

ssize_t __readlinkat_chk(int folder, const char *path, char *text, size_t size, size_t space);
INTERPOSED ssize_t __readlinkat_chk(int folder, const char *path, char *text, size_t size, size_t space)
{
	REAL(__readlinkat_chk);
	READLINK_PLACE(folder, real(folder, place.path, text, size, space));
}

INTERPOSED char *realpath(const char *restrict path, char *restrict resolved)
{
	REAL(realpath);
	struct place place;
	find_place(AT_FDCWD, path, &place);
	return shown(real(place.path, resolved));
}

char *__realpath_chk(const char *path, char *resolved, size_t space);
INTERPOSED char *__realpath_chk(const char *path, char *resolved, size_t space)
{
	REAL(__realpath_chk);
	struct place place;
	find_place(AT_FDCWD, path, &place);
	return shown(real(place.path, resolved, space));
}

INTERPOSED char *canonicalize_file_name(const char *path)
{
	REAL(canonicalize_file_name);
	struct place place;
	find_place(AT_FDCWD, path, &place);
	return shown(real(place.path));
}
