/* puppet does what a test asks for on its standard input, with one port: puppet ROLE LINK SIZE DEPTH -ardnet.system NAME. ROLE is
 * send or receive or, for packets of their own sizes, send-varies or receive-varies.
 *
 *     send N B [A]   sends B bytes of a packet in which all words are N,   1, or -1 and why
 *                    acquired A seconds ago
 *     rec T          waits at most T seconds for a packet                  1 N B A, 0, or -1 and why
 *     try            takes a packet if there is a new one                  1 N B A, 0, or -1 and why
 *     age            returns the age of the packet received last           A
 *
 * It begins with the line "ready", or -1 and why. A packet with different words is "torn". */
#include "ardnet.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 15, UNTOUCHED = 0xeeeeeeee }; /* the 64 bytes of a packet without the 4 of its CDR header: halves of words, the upper one first */

static int failed(void) {
	printf("-1 %s\n", ardnet_error());
	fflush(stdout);
	return 1;
}

int main(int argc, char **argv) {
	uint32_t packet[WORDS];
	char line[100];
	if (argc < 5) return 3;
	int direction = strncmp(argv[1], "send", 4) == 0 ? ARDNET_OUT : ARDNET_IN, varies = strstr(argv[1], "-varies") != NULL;
	if (varies) direction |= ARDNET_VARIES;
	struct ardnet_port *port = ardnet_create(argv[2], direction, (size_t)atoi(argv[3]), atoi(argv[4]));
	if (!port || ardnet_init(&argc, argv) < 0) return failed();
	puts("ready");
	fflush(stdout);
	while (fgets(line, sizeof line, stdin)) {
		int got;
		if (strncmp(line, "send ", 5) == 0) {
			char *rest;
			uint64_t n = strtoull(line + 5, &rest, 10);
			size_t bytes = strtoull(rest, &rest, 10);
			int aged = *rest == ' ';
			for (int i = 0; i < WORDS; i++) packet[i] = (uint32_t)(i % 2 ? n : n >> 32);
			if ((aged ? ardnet_send_aged(port, packet, bytes, strtod(rest, NULL)) : varies ? ardnet_send_part(port, packet, bytes) : ardnet_send(port, packet)) < 0) failed();
			else puts("1");
		} else if (line[0] == 'a') {
			printf("%.9f\n", ardnet_age(port));
		} else {
			for (int i = 0; i < WORDS; i++) packet[i] = UNTOUCHED;
			got = line[0] == 'r' ? ardnet_rec(port, packet, strtod(line + 4, NULL)) : ardnet_tryrec(port, packet);
			int torn = 0, words = WORDS;
			while (words > 0 && packet[words - 1] == UNTOUCHED) words--; /* the library leaves what was not sent */
			for (int i = 2; i < words; i++) torn |= packet[i] != packet[i - 2];
			if (got < 0) failed();
			else if (got == 0) puts("0");
			else if (torn) puts("torn");
			else printf("1 %" PRIu64 " %d %.9f\n", (uint64_t)packet[0] << 32 | packet[1], words * 4, ardnet_age(port));
		}
		fflush(stdout);
	}
	return 0;
}
