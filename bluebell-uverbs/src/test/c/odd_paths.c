/* Asks for files as few programs do, and expects what the kernel answers on a machine with a card. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define NODE "/sys/class/infiniband/mlx5_0/node_guid"
#define COUNTERS "/sys/class/infiniband/mlx5_0/ports/1/counters"

#define EXPECT_FAULT(call) (errno = 0, expect((call) == -1 && errno == EFAULT, #call))

static void expect(int condition, const char *what)
{
	if (condition)
		return;
	printf("%s: errno %d\n", what, errno);
	fflush(stdout);
	_exit(1);
}

/* Rust's standard library does the first, to see whether there is a statx. */
static void no_path(void)
{
	char *volatile none = NULL;
	struct statx *volatile nowhere = NULL;
	struct stat st;
	EXPECT_FAULT(statx(0, none, 0, STATX_BASIC_STATS, nowhere));
	EXPECT_FAULT(fstatat(AT_FDCWD, none, &st, 0));
	EXPECT_FAULT(stat(none, &st));
	EXPECT_FAULT(open(none, O_RDONLY));
	EXPECT_FAULT(openat(AT_FDCWD, none, O_RDONLY));
	EXPECT_FAULT(access(none, R_OK));
	EXPECT_FAULT(readlink(none, (char *)&st, sizeof(st)));
	EXPECT_FAULT(chdir(none));
	expect(!realpath(none, NULL) && errno == EINVAL, "realpath of nothing");
	expect(open("", O_RDONLY) < 0 && errno == ENOENT, "the path without a name");
}

/* An empty path stands for the descriptor. */
static void device_by_descriptor(void)
{
	struct stat st;
	struct statx stx;
	int device = open("/dev/infiniband/uverbs0", O_RDWR);
	expect(device >= 0 && !fstatat(device, "", &st, AT_EMPTY_PATH) && S_ISCHR(st.st_mode), "fstatat of a descriptor");
	expect(!statx(device, "", AT_EMPTY_PATH, STATX_TYPE, &stx) && S_ISCHR(stx.stx_mode), "statx of a descriptor");
	close(device);
}

static void folder_of_counters(void)
{
	static const char *const paths[] = { COUNTERS, COUNTERS "/", COUNTERS "/.", COUNTERS "//" };
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		char byte;
		int folder = open(paths[i], O_RDONLY);
		expect(folder >= 0 && read(folder, &byte, 1) < 0 && errno == EISDIR, paths[i]);
		close(folder);
	}
}

/* As daemons do; the files of a machine stay where they are. */
static void without_environment(void)
{
	clearenv();
	expect(!access(NODE, R_OK), "a program without environment sees the device");
	int device = open("/dev/infiniband/uverbs0", O_RDWR);
	expect(device >= 0, "a program without environment opens the device");
	close(device);
}

int main(void)
{
	no_path();
	device_by_descriptor();
	folder_of_counters();
	without_environment();
	return 0;
}
