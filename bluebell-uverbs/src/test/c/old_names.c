/* Looks at the device file as programs do that were built with glibc before 2.33, where stat was no function. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEVICE "/dev/infiniband/uverbs0"
#define LAYOUT 1

int __xstat(int version, const char *path, struct stat *st);
int __lxstat(int version, const char *path, struct stat *st);
int __fxstat(int version, int fd, struct stat *st);
int __fxstatat(int version, int folder, const char *path, struct stat *st, int flags);
int __xstat64(int version, const char *path, struct stat64 *st);
int __lxstat64(int version, const char *path, struct stat64 *st);
int __fxstat64(int version, int fd, struct stat64 *st);
int __fxstatat64(int version, int folder, const char *path, struct stat64 *st, int flags);

static int wrong;

static void expect(const char *what, int failed, const struct stat *st, mode_t kind)
{
	if (!failed && (st->st_mode & S_IFMT) == kind && (kind != S_IFCHR || st->st_rdev != 0))
		return;
	printf("%s says %d, mode %o\n", what, failed, st->st_mode);
	wrong = 1;
}

#define EXPECT(kind, name, ...) \
	do { \
		struct stat st; \
		struct stat64 st64; \
		memset(&st, 0, sizeof(st)); \
		memset(&st64, 0, sizeof(st64)); \
		expect(#name, name(LAYOUT, __VA_ARGS__ AT(&st)), &st, kind); \
		expect(#name "64", name##64(LAYOUT, __VA_ARGS__ AT(&st64)), (struct stat *)&st64, kind); \
	} while (0)

int main(void)
{
	int device = open(DEVICE, O_RDWR), null = open("/dev/null", O_RDWR), folder = open("/", O_RDONLY);
	if (device < 0 || null < 0 || folder < 0) {
		perror(DEVICE);
		return 1;
	}
#define AT(st) st
	EXPECT(S_IFCHR, __xstat, DEVICE, );
	EXPECT(S_IFCHR, __lxstat, DEVICE, );
	EXPECT(S_IFCHR, __fxstat, device, );
	EXPECT(S_IFDIR, __xstat, "/", );
	EXPECT(S_IFDIR, __lxstat, "/", );
	EXPECT(S_IFCHR, __fxstat, null, );
	EXPECT(S_IFDIR, __fxstat, folder, );
#undef AT
#define AT(st) st, 0
	EXPECT(S_IFCHR, __fxstatat, folder, DEVICE, );
	EXPECT(S_IFDIR, __fxstatat, folder, "dev", );
	return wrong;
}
