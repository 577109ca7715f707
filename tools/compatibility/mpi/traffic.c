/*
 * Messages around a ring, all to all, reductions, and one-sided access, of several sizes, with every byte checked.
 * Prints one line, and ends with 1 when data was wrong.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 4

static const int SIZES[] = { 1, 64, 5000, 1 << 20 };

static int rank, ranks;
static long wrong;

static unsigned char mark(int from, int to, int at)
{
	return from * 31 + to * 7 + at * 13 + at / 251;
}

static void fill(unsigned char *bytes, int count, int from, int to)
{
	for (int i = 0; i < count; i++)
		bytes[i] = mark(from, to, i);
}

static void check(const unsigned char *bytes, int count, int from, int to)
{
	for (int i = 0; i < count; i++)
		wrong += bytes[i] != mark(from, to, i);
}

static void around_the_ring(unsigned char *out, unsigned char *in, int count)
{
	int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
	for (int round = 0; round < ROUNDS; round++) {
		fill(out, count, rank + round, next);
		memset(in, 0, count);
		MPI_Sendrecv(out, count, MPI_BYTE, next, round, in, count, MPI_BYTE, before, round, MPI_COMM_WORLD,
			     MPI_STATUS_IGNORE);
		check(in, count, before + round, rank);
	}
}

static void all_to_all(unsigned char *out, unsigned char *in, int count)
{
	for (int other = 0; other < ranks; other++)
		fill(out + (size_t)other * count, count, rank, other);
	memset(in, 0, (size_t)ranks * count);
	MPI_Alltoall(out, count, MPI_BYTE, in, count, MPI_BYTE, MPI_COMM_WORLD);
	for (int other = 0; other < ranks; other++)
		check(in + (size_t)other * count, count, other, rank);
}

static void reduce(int count)
{
	long *given = malloc(count * sizeof(long)), *sum = malloc(count * sizeof(long));
	for (int i = 0; i < count; i++)
		given[i] = (long)(rank + 1) * (i + 1);
	MPI_Allreduce(given, sum, count, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
	for (int i = 0; i < count; i++)
		wrong += sum[i] != (long)ranks * (ranks + 1) / 2 * (i + 1);
	free(given);
	free(sum);
}

static void one_sided(unsigned char *out, unsigned char *in, int count)
{
	unsigned char *window;
	MPI_Win win;
	int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
	MPI_Win_allocate(count, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
	memset(window, 0, count);
	fill(out, count, rank, next);
	MPI_Win_fence(0, win);
	MPI_Put(out, count, MPI_BYTE, next, 0, count, MPI_BYTE, win);
	MPI_Win_fence(0, win);
	check(window, count, before, rank);
	MPI_Get(in, count, MPI_BYTE, next, 0, count, MPI_BYTE, win);
	MPI_Win_fence(0, win);
	check(in, count, rank, next);
	MPI_Win_free(&win);
}

static void count_together(void)
{
	long *counter, one = 1, seen;
	MPI_Win win;
	MPI_Win_allocate(sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &win);
	*counter = 0;
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock_all(0, win);
	for (int i = 0; i < 100; i++) {
		MPI_Fetch_and_op(&one, &seen, MPI_LONG, 0, 0, MPI_SUM, win);
		MPI_Win_flush(0, win);
	}
	MPI_Win_unlock_all(win);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		wrong += *counter != 100L * ranks;
	MPI_Win_free(&win);
}

int main(int count, char **words)
{
	MPI_Init(&count, &words);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	for (size_t i = 0; i < sizeof(SIZES) / sizeof(SIZES[0]); i++) {
		unsigned char *out = malloc((size_t)ranks * SIZES[i]), *in = malloc((size_t)ranks * SIZES[i]);
		around_the_ring(out, in, SIZES[i]);
		all_to_all(out, in, SIZES[i]);
		reduce(SIZES[i] / sizeof(long) + 1);
		one_sided(out, in, SIZES[i]);
		free(out);
		free(in);
	}
	count_together();
	long all;
	MPI_Allreduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%d processes, %ld wrong bytes\n", ranks, all);
	MPI_Finalize();
	return all != 0;
}
