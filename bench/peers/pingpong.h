/* The measurement that the peers of `go run ./bench processes` share: one-way times of 1 kB between two processes, as half
 * of a round trip. A peer is called as
 *
 *     PEER ping SYSTEM ROUNDS spin|sleep     prints "p50 ns" and "p99 ns"
 *     PEER pong SYSTEM spin|sleep            answers
 *
 * spin: both ends look for packets all the time. sleep: they wait in the kernel, and the pause before a packet lets them fall
 * asleep.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PACKET = 1024, WARM_UP = 100, PAUSE = 200000, REPEAT = 10000000 }; /* bytes, rounds, ns, ns */

/* A peer fills these in: receive returns whether it got a packet; it waits at most some 10 ms where spin is 0. */
struct ends {
	void (*send)(const void *packet);
	int (*receive)(void *packet, int spin);
};

static int64_t now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int compare(const void *a, const void *b) {
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

static void pong(struct ends e, int spin) {
	static char packet[PACKET];
	while (packet[0] != 'e')
		if (e.receive(packet, spin) && packet[0] != 'e') e.send(packet);
}

static void ping(struct ends e, int spin, int rounds) {
	static char packet[PACKET], answer[PACKET];
	int64_t *times = (int64_t *)malloc(sizeof(int64_t) * (size_t)rounds);
	for (int i = -WARM_UP; i < rounds; i++) {
		if (!spin) {
			struct timespec nap = {0, PAUSE};
			nanosleep(&nap, NULL);
		}
		memcpy(packet + 4, &i, sizeof i);
		int64_t begin = now();
		e.send(packet);
		while (!e.receive(answer, spin) || memcmp(answer + 4, &i, sizeof i) != 0)
			if (i < 0 && now() - begin > REPEAT) e.send(packet), begin = now(); /* the peer was not there yet */
		if (i >= 0) times[i] = (now() - begin) / 2;
	}
	for (int i = 0; i < 3; i++) {
		struct timespec nap = {0, REPEAT};
		packet[0] = 'e';
		e.send(packet);
		nanosleep(&nap, NULL); /* some transports end with their process */
	}
	qsort(times, (size_t)rounds, sizeof *times, compare);
	printf("p50 %lld\np99 %lld\n", (long long)times[rounds / 2], (long long)times[rounds * 99LL / 100]);
}

static int pingpong(int argc, char **argv, struct ends e) {
	int spin = strcmp(argv[argc - 1], "spin") == 0;
	if (strcmp(argv[1], "ping") == 0)
		ping(e, spin, atoi(argv[3]));
	else
		pong(e, spin);
	return 0;
}
