/* What other files need of descriptors, whatever they stand for. */
#define _GNU_SOURCE
#include "shim.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

int real_close(int fd)
{
	REAL(close);
	return real(fd);
}

int hidden_copy(int fd)
{
	return fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

int system_fstat(int fd, struct stat *st)
{
	return syscall(SYS_fstat, fd, st);
}

int system_fstatat(int folder, const char *path, struct stat *st, int flags)
{
	return syscall(SYS_newfstatat, folder, path, st, flags);
}

ino_t inode_of(int fd, mode_t kind)
{
	struct stat st;
	return system_fstat(fd, &st) || (st.st_mode & S_IFMT) != kind ? 0 : st.st_ino;
}

ino_t socket_of(int fd)
{
	return inode_of(fd, S_IFSOCK);
}

int note_socket(struct sockets *sockets, int fd)
{
	int before = errno;
	ino_t opened = fd >= 0 && fd < MAX_SOCKET ? socket_of(fd) : 0;
	errno = before;
	if (opened)
		__atomic_store_n(&sockets->inodes[fd], opened, __ATOMIC_RELEASE);
	return opened != 0;
}

int is_noted(const struct sockets *sockets, int fd)
{
	ino_t opened = fd >= 0 && fd < MAX_SOCKET ? __atomic_load_n(&sockets->inodes[fd], __ATOMIC_ACQUIRE) : 0;
	if (!opened)
		return 0;
	int before = errno;
	int result = opened == socket_of(fd);
	errno = before;
	return result;
}
