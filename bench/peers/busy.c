/* The thread of `go run ./bench load` in C: busy for 900 of 1000 µs, for so many seconds.
 *
 *     busy SECONDS     prints "steps", "slips" (periods left out), "p99" and "max" of the lateness in ns
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

static const int64_t PERIOD = 1000000, BUSY = 900000;

static int64_t now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int compare(const void *a, const void *b) {
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

int main(int argc, char **argv) {
	if (argc != 2) return 2;
	int64_t most = atoi(argv[1]) * 1000000000LL / PERIOD, steps = 0, slips = 0;
	int64_t *late = calloc((size_t)most + 1, sizeof *late);
	struct sched_param urgent = {.sched_priority = 80};
	if (sched_setscheduler(0, SCHED_FIFO, &urgent) < 0 || mlockall(MCL_CURRENT | MCL_FUTURE) < 0) perror("busy");
	int64_t base = now() + PERIOD;
	for (int64_t tick = 0; tick < most; tick++) {
		int64_t due = base + tick * PERIOD;
		struct timespec until = {due / 1000000000, due % 1000000000};
		while (now() < due) clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
		int64_t begin = now(), missed = (begin - due) / PERIOD;
		late[steps++] = begin - due;
		slips += missed, tick += missed;
		while (now() < begin + BUSY)
			;
	}
	qsort(late, (size_t)steps, sizeof *late, compare);
	printf("steps %lld\nslips %lld\np99 %lld\nmax %lld\n", (long long)steps, (long long)slips, (long long)late[steps * 99 / 100], (long long)late[steps - 1]);
	return 0;
}
