/* The technique of net/link/shm in C, with clients/c: one-way times of 1 kB between two processes.
 *
 *     shm ping SYSTEM ROUNDS spin|sleep     prints "p50 ns" and "p99 ns" of half a round trip
 *     shm pong SYSTEM spin|sleep            answers
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../clients/c/ardnet.h"

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
	if (argc < 4) return 2;
	int ping = strcmp(argv[1], "ping") == 0, spin = strcmp(argv[argc - 1], "spin") == 0;
	struct ardnet_port *out = ardnet_create(ping ? "there" : "back", ARDNET_OUT, 1024, 0);
	struct ardnet_port *in = ardnet_create(ping ? "back" : "there", ARDNET_IN, 1024, 0);
	char *options[] = {argv[0], "-ardnet.system", argv[2], NULL};
	int n = 3;
	if (ardnet_init(&n, options) < 0) return 1;
	static char packet[1024];
	if (!ping)
		for (;;) {
			while ((spin ? ardnet_tryrec(in, packet) : ardnet_rec(in, packet, 1)) <= 0)
				;
			if (packet[0] == 'e') return 0;
			ardnet_send(out, packet);
		}
	int rounds = atoi(argv[3]);
	int64_t *times = malloc(sizeof(int64_t) * (size_t)rounds);
	for (int i = -100; i < rounds; i++) {
		if (!spin) { /* let the peer fall asleep */
			struct timespec nap = {0, 200000};
			nanosleep(&nap, NULL);
		}
		int64_t begin = now();
		packet[1] = (char)i;
		ardnet_send(out, packet);
		while ((spin ? ardnet_tryrec(in, packet) : ardnet_rec(in, packet, 0.01)) <= 0)
			if (i < 0 && now() - begin > 10000000) ardnet_send(out, packet), begin = now();
		if (i >= 0) times[i] = (now() - begin) / 2;
	}
	packet[0] = 'e';
	ardnet_send(out, packet);
	qsort(times, (size_t)rounds, sizeof *times, compare);
	printf("p50 %lld\np99 %lld\n", (long long)times[rounds / 2], (long long)times[rounds * 99 / 100]);
	return 0;
}
