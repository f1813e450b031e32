/* 1 kB by UDP, in plain text, from host to host: blocking system calls on a connected socket, as one writes it by hand. The
 * addresses are those of bench/hosts.go. */
#include <arpa/inet.h>
#include <sys/socket.h>
#include "pingpong.h"

static int fd;

static void send_packet(const void *packet) { send(fd, packet, PACKET, 0); }

static int receive_packet(void *packet, int spin) { return recv(fd, packet, PACKET, spin ? MSG_DONTWAIT : 0) == PACKET; }

static struct sockaddr_in address(const char *ip) {
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(7410)};
	inet_pton(AF_INET, ip, &a.sin_addr);
	return a;
}

int main(int argc, char **argv) {
	if (argc < 4) return 2;
	int is_ping = strcmp(argv[1], "ping") == 0;
	struct sockaddr_in own = address(is_ping ? "10.231.9.1" : "10.231.9.2"), other = address(is_ping ? "10.231.9.2" : "10.231.9.1");
	struct timeval wait = {0, 10000};
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
	if (bind(fd, (struct sockaddr *)&own, sizeof own) || connect(fd, (struct sockaddr *)&other, sizeof other)) return 1;
	struct ends e = {send_packet, receive_packet};
	return pingpong(argc, argv, e);
}
