/* restart ends with 1 where the slot of a packet that a receiver copies gets its turn back with another packet, after its queue was damaged. */
#include "ardnet.c"

enum { DEPTH = 4, SIZE = 64 };

int main(void) {
	static uint64_t words[1 << 13];
	uint8_t *memory = (uint8_t *)words;
	uint8_t packet[SIZE + CDR + STAMP] = {0};
	struct ardnet_port *p = ardnet_create("restart", ARDNET_OUT, SIZE, DEPTH);
	if (!p) return 2;
	queue_reset(p, memory);
	uint64_t first = LOAD(WORD(memory, 0)), n = DEPTH + QUEUE_SPARE, *copied = queue_turn(p, memory, first % n);
	queue_push(p, memory, packet, sizeof packet);
	STORE(WORD(memory, 0), first + 1); /* a receiver takes the packet and copies it */
	STORE(WORD(memory, LINE), first + (1 << 20));
	for (uint64_t i = 0; i < 100 * n; i++) {
		queue_push(p, memory, packet, sizeof packet);
		if (LOAD(copied) == first + 1) return 1;
	}
	return 0;
}
