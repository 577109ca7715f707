/*
 * A preload library that writes down every ioctl of uverbs before it is made: a line for each call,
 * with the numbers of object, method and driver, and a line for each of its attributes, with number,
 * flags, length and either the 8 bytes of the attribute or, of longer ones, what its address points
 * at. The file is named by BLUEBELL_RECORD.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void put_bytes(FILE *file, const void *bytes, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		fprintf(file, "%02x", ((const uint8_t *)bytes)[i]);
}

static void record(const struct ib_uverbs_ioctl_hdr *call)
{
	const char *path = getenv("BLUEBELL_RECORD");
	FILE *file = path ? fopen(path, "ae") : NULL;
	if (!file)
		return;
	fprintf(file, "call %u %u %u\n", call->object_id, call->method_id, call->driver_id);
	for (int i = 0; i < call->num_attrs; i++) {
		const struct ib_uverbs_attr *attr = &call->attrs[i];
		fprintf(file, "attr %u %u %u ", attr->attr_id, attr->flags, attr->len);
		if (attr->len > sizeof(attr->data))
			put_bytes(file, (const void *)(uintptr_t)attr->data, attr->len);
		else
			put_bytes(file, &attr->data, sizeof(attr->data));
		fputc('\n', file);
	}
	fclose(file);
}

int ioctl(int fd, unsigned long request, ...)
{
	static int (*next)(int, unsigned long, void *);
	va_list arguments;
	va_start(arguments, request);
	void *argument = va_arg(arguments, void *);
	va_end(arguments);
	if (!next)
		next = (int (*)(int, unsigned long, void *))dlsym(RTLD_NEXT, "ioctl");
	if (request == RDMA_VERBS_IOCTL)
		record(argument);
	return next(fd, request, argument);
}
