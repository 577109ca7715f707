/*
 * Walks the tree of files by every function that takes a path, and expects all to find the same: names, kinds,
 * contents, where links lead. Prints one line that says how much there was.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <ftw.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define CLASS "/sys/class/infiniband"
#define LAYOUT 1
#define MAX_ENTRIES 512
#define MAX_TEXT 4096
#define MAX_DEPTH 16

int __xstat(int version, const char *path, struct stat *st);
int __lxstat(int version, const char *path, struct stat *st);
int __lxstat64(int version, const char *path, struct stat64 *st);
int __open_2(const char *path, int flags);
char *__realpath_chk(const char *path, char *resolved, size_t space);

static int wrong, files, folders, links, counters;

static void expect(int condition, const char *path, const char *what)
{
	if (condition)
		return;
	printf("%s: %s (errno %d)\n", path, what, errno);
	wrong = 1;
}

static int by_name(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

static int takes_all(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
}

/* The names of a folder, sorted. */
static int list(const char *path, char **names, unsigned char *types)
{
	DIR *folder = opendir(path);
	int count = 0;
	expect(folder != NULL, path, "opendir");
	if (!folder)
		return 0;
	struct dirent *entry;
	while ((entry = readdir(folder)) && count < MAX_ENTRIES)
		if (takes_all(entry)) {
			types[count] = entry->d_type;
			names[count++] = strdup(entry->d_name);
		}
	closedir(folder);
	return count;
}

static void compare_lists(const char *path, char **names, int count)
{
	struct dirent **scanned;
	struct dirent64 **scanned64;
	char pattern[PATH_MAX];
	glob_t found;
	char *sorted[MAX_ENTRIES];
	memcpy(sorted, names, count * sizeof(*names));
	qsort(sorted, count, sizeof(*sorted), by_name);
	expect(scandir(path, &scanned, takes_all, NULL) == count, path, "scandir");
	expect(scandir64(path, &scanned64, NULL, NULL) == count + 2, path, "scandir64");
	snprintf(pattern, sizeof(pattern), "%s/*", path);
	int result = glob(pattern, 0, NULL, &found);
	expect(count == 0 ? result == GLOB_NOMATCH : result == 0 && (int)found.gl_pathc == count, path, "glob");
	for (int i = 0; result == 0 && i < count && i < (int)found.gl_pathc; i++) {
		char whole[PATH_MAX];
		snprintf(whole, sizeof(whole), "%s/%s", path, sorted[i]);
		expect(!strcmp(whole, found.gl_pathv[i]), found.gl_pathv[i], "glob finds the names of readdir");
	}
	if (result == 0)
		globfree(&found);
}

static int read_all(int fd, char *text)
{
	int count = fd < 0 ? -1 : (int)read(fd, text, MAX_TEXT - 1);
	if (fd >= 0)
		close(fd);
	if (count >= 0)
		text[count] = 0;
	return count;
}

static int read_stream(FILE *file, char *text)
{
	if (!file)
		return -1;
	int count = fread(text, 1, MAX_TEXT - 1, file);
	fclose(file);
	text[count] = 0;
	return count;
}

static void compare_texts(const char *path, int folder, const char *name)
{
	char text[MAX_TEXT], other[MAX_TEXT];
	int count = read_all(open(path, O_RDONLY), text);
	expect(count > 0, path, "open");
	expect(read_all(open64(path, O_RDONLY | O_CLOEXEC), other) == count && !strcmp(text, other), path, "open64");
	expect(read_all(__open_2(path, O_RDONLY), other) == count && !strcmp(text, other), path, "__open_2");
	expect(read_all(openat(folder, name, O_RDONLY), other) == count && !strcmp(text, other), path, "openat");
	expect(read_all(openat(AT_FDCWD, name, O_RDONLY), other) == count && !strcmp(text, other), path,
	       "openat, from where it is");
	expect(read_all(open(name, O_RDONLY), other) == count && !strcmp(text, other), path, "open, from where it is");
	expect(read_stream(fopen(path, "r"), other) == count && !strcmp(text, other), path, "fopen");
	expect(read_stream(fopen64(name, "re"), other) == count && !strcmp(text, other), path, "fopen64");
	expect(read_stream(freopen(path, "r", fopen("/dev/null", "r")), other) == count && !strcmp(text, other), path,
	       "freopen");
	counters += strstr(path, "counters/") != NULL;
	files++;
}

static void compare_kinds(const char *path, int folder, const char *name, unsigned char type)
{
	struct stat st, other;
	struct stat64 st64;
	struct statx stx;
	expect(!lstat(path, &st), path, "lstat");
	expect((mode_t)DTTOIF(type) == (st.st_mode & S_IFMT), path, "readdir tells the kind that lstat tells");
	expect(!fstatat(folder, name, &other, AT_SYMLINK_NOFOLLOW) && st.st_mode == other.st_mode &&
		       st.st_ino == other.st_ino,
	       path, "fstatat");
	expect(!lstat64(path, &st64) && st64.st_mode == st.st_mode, path, "lstat64");
	expect(!__lxstat(LAYOUT, path, &other) && other.st_mode == st.st_mode, path, "__lxstat");
	expect(!__lxstat64(LAYOUT, path, &st64) && st64.st_mode == st.st_mode, path, "__lxstat64");
	expect(!statx(folder, name, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &stx) && stx.stx_mode == st.st_mode, path,
	       "statx");
	expect(!access(path, R_OK) && !faccessat(folder, name, R_OK, 0), path, "access");
	struct statfs system, inside;
	expect(!statfs(path, &system) && !statfs(name, &inside) && system.f_type == inside.f_type, path, "statfs");
	expect(!stat(path, &st) && !__xstat(LAYOUT, path, &other) && st.st_mode == other.st_mode &&
		       st.st_rdev == other.st_rdev,
	       path, "stat");
}

/* What a program sees of a path is a path by which it finds the same again. */
static void compare_places(const char *path)
{
	char resolved[PATH_MAX], checked[PATH_MAX];
	struct stat st, other;
	expect(realpath(path, resolved) != NULL, path, "realpath");
	expect(!strncmp(resolved, "/sys/", 5) || !strncmp(resolved, "/dev/", 5), resolved, "realpath shows /sys or /dev");
	expect(__realpath_chk(path, checked, sizeof(checked)) && !strcmp(resolved, checked), path, "__realpath_chk");
	char *canonical = canonicalize_file_name(path);
	expect(canonical && !strcmp(canonical, resolved), path, "canonicalize_file_name");
	free(canonical);
	expect(!stat(path, &st) && !stat(resolved, &other) && st.st_mode == other.st_mode && st.st_ino == other.st_ino,
	       resolved, "realpath leads to the same");
}

static void compare_links(const char *path, int folder, const char *name)
{
	char text[PATH_MAX], other[PATH_MAX], whole[2 * PATH_MAX], resolved[PATH_MAX], led[PATH_MAX];
	ssize_t count = readlink(path, text, sizeof(text) - 1);
	expect(count > 0 && readlinkat(folder, name, other, sizeof(other)) == count && !memcmp(text, other, count), path,
	       "readlink");
	if (count <= 0)
		return;
	text[count] = 0;
	expect(text[0] != '/', path, "a link of sysfs is relative");
	snprintf(whole, sizeof(whole), "%.*s/%s", (int)(strrchr(path, '/') - path), path, text);
	expect(realpath(path, resolved) && realpath(whole, led) && !strcmp(resolved, led), path, "the link's text leads there");
	links++;
}

static void walk(const char *path, int depth)
{
	char *names[MAX_ENTRIES], here[PATH_MAX], resolved[PATH_MAX];
	unsigned char types[MAX_ENTRIES];
	int count = list(path, names, types);
	compare_lists(path, names, count);
	int folder = open(path, O_RDONLY | O_DIRECTORY);
	expect(folder >= 0, path, "a folder opens");
	folders++;
	for (int i = 0; i < count; i++) {
		char whole[PATH_MAX];
		snprintf(whole, sizeof(whole), "%s/%s", path, names[i]);
		expect(!chdir(path) && getcwd(here, sizeof(here)) && realpath(path, resolved) && !strcmp(here, resolved), path,
		       "chdir and getcwd");
		compare_kinds(whole, folder, names[i], types[i]);
		compare_places(whole);
		if (types[i] == DT_REG)
			compare_texts(whole, folder, names[i]);
		else if (types[i] == DT_LNK)
			compare_links(whole, folder, names[i]);
		else if (types[i] == DT_DIR && depth < MAX_DEPTH)
			walk(whole, depth + 1);
		free(names[i]);
	}
	close(folder);
}

/* Walks of the C library find so many files, and each by a path by which it is found again. */
static int walked, wrongly;

static int walk_found(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	struct stat again;
	const char *slash = strrchr(path, '/');
	walked++;
	wrongly += strncmp(path, "/sys/", 5) && strncmp(path, "/dev/", 5);
	wrongly += lstat(path, &again) || again.st_mode != st->st_mode || again.st_ino != st->st_ino;
	wrongly += slash + 1 - path != at->base || (kind == FTW_SL) != !!S_ISLNK(st->st_mode);
	return 0;
}

static int plain_walk_found(const char *path, const struct stat *st, int kind)
{
	struct stat again;
	wrongly += stat(path, &again) || again.st_mode != st->st_mode || (kind == FTW_D) != !!S_ISDIR(st->st_mode);
	return 0;
}

static int walk_by_library(const char *path)
{
	walked = wrongly = 0;
	expect(!nftw(path, walk_found, 8, FTW_PHYS) && walked > 1 && !wrongly, path, "nftw");
	expect(!ftw(path, plain_walk_found, 8) && !wrongly, path, "ftw");
	return walked;
}

static int walk_by_fts(const char *path)
{
	char *paths[] = { (char *)path, NULL };
	FTS *walk = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *entry;
	int count = 0;
	expect(walk != NULL, path, "fts_open");
	while (walk && (entry = fts_read(walk)))
		if (entry->fts_info != FTS_DP) {
			expect(entry->fts_info != FTS_ERR && !access(entry->fts_path, F_OK), entry->fts_path, "fts_read");
			count++;
		}
	if (walk)
		fts_close(walk);
	return count;
}

/* A folder that the machine has, too: the entries, and not what is in them. */
static void look_at(const char *path, const char *sought)
{
	char *names[MAX_ENTRIES];
	unsigned char types[MAX_ENTRIES];
	int count = list(path, names, types), found = 0;
	for (int i = 0; i < count; i++) {
		found += !strcmp(names[i], sought);
		free(names[i]);
	}
	expect(found == 1, path, sought);
	walk(path, MAX_DEPTH);
}

/* As Mooncake, NCCL and UCX find where a device is. */
static const char *place_of(const char *device)
{
	static char resolved[PATH_MAX];
	char path[PATH_MAX], other[PATH_MAX];
	snprintf(path, sizeof(path), CLASS "/%s/../..", device);
	expect(realpath(path, resolved) != NULL, path, "realpath");
	snprintf(path, sizeof(path), CLASS "//./%s/device", device);
	expect(realpath(path, other) && !strcmp(resolved, other), path, "both ways lead to the PCI device");
	return resolved;
}

int main(void)
{
	char *names[MAX_ENTRIES];
	unsigned char types[MAX_ENTRIES];
	int root = open("/", O_RDONLY | O_DIRECTORY), folder = openat(root, "sys/class/infiniband", O_RDONLY | O_DIRECTORY);
	expect(folder >= 0, CLASS, "openat from the root, as hwloc does");
	expect(!faccessat(folder, "../infiniband_verbs/abi_version", R_OK, 0), CLASS, "..");
	expect(!access(CLASS "/../net/lo", F_OK), CLASS, "what else the machine has is beside it");
	expect(access(CLASS "/none", F_OK) && errno == ENOENT, CLASS, "what is not there is not there");
	int count = list(CLASS, names, types);
	for (int i = 0; i < count; i++) {
		const char *place = place_of(names[i]);
		printf("%s at %s\n", names[i], place);
		char port[PATH_MAX], *slash;
		strcpy(port, place);
		slash = strrchr(port, '/');
		expect(!access("/sys/bus/pci/devices", F_OK), slash + 1, "the bus");
		char bus[PATH_MAX], resolved[PATH_MAX];
		snprintf(bus, sizeof(bus), "/sys/bus/pci/devices/%s", slash + 1);
		expect(realpath(bus, resolved) && !strcmp(resolved, place), bus, "the bus knows the device");
		*slash = 0;
		walk(port, 0);
	}
	walk(CLASS, 0);
	walk("/sys/class/infiniband_verbs", 0);
	walk("/dev/infiniband", 0);
	static const char *const roots[] = { CLASS, "/sys/class/infiniband_verbs", "/dev/infiniband" };
	for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++) {
		int found = walk_by_library(roots[i]);
		expect(walk_by_fts(roots[i]) == found, roots[i], "fts finds what nftw finds");
	}
	look_at("/sys", "class");
	look_at("/sys/class", "infiniband");
	look_at("/sys/class/", "infiniband_verbs");
	look_at("/sys/bus", "pci");
	char *where = chdir("/sys/class/infiniband") ? NULL : get_current_dir_name();
	expect(where && !strcmp(where, "/sys/class/infiniband"), CLASS, "get_current_dir_name");
	free(where);
	printf("%d folders, %d files, %d links, %d counters\n", folders, files, links, counters);
	return wrong;
}
