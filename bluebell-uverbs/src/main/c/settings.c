/*
 * What the program was told when it began. It may change its environment, or clear it, also while another thread looks
 * for a device; the devices of a machine stay what they are.
 */
#define _GNU_SOURCE
#include "shim.h"
#include <stdlib.h>
#include <string.h>

static const char *const names[SETTINGS] = {
	[SOCKETS] = "BLUEBELL_SOCKET",
	[TREE] = "SYSFS_PATH",
	[OBSERVERS] = "BLUEBELL_OBSERVER",
	[SHARE_MEMORY] = "BLUEBELL_MAP_MEMORY",
	[LIMIT_MEMORY] = "BLUEBELL_MEMLOCK",
};

static const char *kept[SETTINGS];
static int are_kept;

__attribute__((constructor)) static void keep_settings(void)
{
	for (int i = 0; i < SETTINGS; i++) {
		const char *value = getenv(names[i]);
		kept[i] = value ? strdup(value) : NULL;
	}
	__atomic_store_n(&are_kept, 1, __ATOMIC_RELEASE);
}

/* Libraries of the program may look for devices before this one begins. */
const char *setting(enum setting what)
{
	return __atomic_load_n(&are_kept, __ATOMIC_ACQUIRE) ? kept[what] : getenv(names[what]);
}

const char *setting_part(enum setting what, int index, size_t *length)
{
	const char *list = setting(what);
	for (; list && index > 0; index--) {
		list = strchr(list, ':');
		list = list ? list + 1 : NULL;
	}
	*length = list ? strcspn(list, ":") : 0;
	return list;
}
