/* The technique of net/link/shm in C: the library of clients/c. */
#include "../../clients/c/ardnet.h"
#include "pingpong.h"

static struct ardnet_port *out, *in;

static void send_packet(const void *packet) { ardnet_send(out, packet); }

static int receive_packet(void *packet, int spin) { return (spin ? ardnet_tryrec(in, packet) : ardnet_rec(in, packet, 0.01)) > 0; }

int main(int argc, char **argv) {
	if (argc < 4) return 2;
	int is_ping = strcmp(argv[1], "ping") == 0;
	out = ardnet_create(is_ping ? "there" : "back", ARDNET_OUT, PACKET, 0);
	in = ardnet_create(is_ping ? "back" : "there", ARDNET_IN, PACKET, 0);
	char name[] = "-ardnet.system", *options[] = {argv[0], name, argv[2], NULL};
	int n = 3;
	if (ardnet_init(&n, options) < 0) return 1;
	struct ends e = {send_packet, receive_packet};
	return pingpong(argc, argv, e);
}
