/* busy sends or receives packets as fast as it can while a test damages the memory: busy ROLE DEPTH MILLISECONDS -ardnet.system NAME.
 * It ends with 1 where a packet is torn, with 2 where none came in the last third of the time. */
#include "ardnet.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WORDS = 512 };

static int64_t now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int main(int argc, char **argv) {
	static uint64_t packet[WORDS];
	if (argc < 4) return 3;
	int sends = strcmp(argv[1], "send") == 0, depth = atoi(argv[2]), late = 0;
	int64_t begin = now(), lasts = atoi(argv[3]);
	struct ardnet_port *port = ardnet_create("hostile", sends ? ARDNET_OUT : ARDNET_IN, sizeof packet, depth);
	if (!port || ardnet_init(&argc, argv) < 0) {
		fprintf(stderr, "%s\n", ardnet_error());
		return 3;
	}
	for (uint64_t n = 0; now() - begin < lasts; n++) {
		if (sends) {
			for (int i = 0; i < WORDS; i++) packet[i] = n;
			ardnet_send(port, packet);
			continue;
		}
		if (ardnet_rec(port, packet, 0.001) <= 0) continue;
		for (int i = 1; i < WORDS; i++)
			if (packet[i] != packet[0]) return 1;
		if (now() - begin > lasts - lasts / 3) late = 1;
	}
	return sends || late ? 0 : 2;
}
