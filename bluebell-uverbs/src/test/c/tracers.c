/* Expects that opening a device lets every process of the user reach this one's memory: there may be several devices. */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/prctl.h>

static int admissions, narrow;

/* Stands in the place of the C library's function. */
int prctl(int option, ...)
{
	va_list arguments;
	va_start(arguments, option);
	unsigned long tracer = va_arg(arguments, unsigned long);
	va_end(arguments);
	if (option == PR_SET_PTRACER) {
		admissions++;
		narrow += tracer != PR_SET_PTRACER_ANY;
	}
	return 0;
}

int main(void)
{
	if (open("/dev/infiniband/uverbs0", O_RDWR) < 0)
		return 2;
	printf("%d of %d calls admit one process alone\n", narrow, admissions);
	return admissions == 0 || narrow > 0;
}
