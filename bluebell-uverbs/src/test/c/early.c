/* A library that opens the device before the libraries that are preloaded begin, and a program that uses it afterwards. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#ifdef LIBRARY

int opened_early = -1;

__attribute__((constructor)) static void open_early(void)
{
	opened_early = open("/dev/infiniband/uverbs0", O_RDWR);
}

#else

extern int opened_early;

int main(void)
{
	errno = 0;
	if (write(opened_early, "12345678", 8) < 0 && errno == EOPNOTSUPP)
		return close(opened_early);
	printf("what was opened early is no device: errno %d\n", errno);
	return 1;
}

#endif
