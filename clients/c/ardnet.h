/* ardnet: blocks of a sinew system in C.
 *
 * A program makes its ports, connects them, and sends and receives:
 *
 *     struct ardnet_port *u = ardnet_create("u", ARDNET_IN, sizeof(double), 0);
 *     struct ardnet_port *y = ardnet_create("position", ARDNET_OUT, sizeof(double), 0);
 *     if (ardnet_init(&argc, argv) < 0) { fprintf(stderr, "%s\n", ardnet_error()); return 1; }
 *     while (ardnet_rec(u, &voltage, 1.0) > 0) { ...; ardnet_send(y, &position); }
 *
 * Which links the ports are comes from standard options on the command line, which sinew gives to the blocks that it starts:
 *
 *     -ardnet.system NAME      the system
 *     -ardnet.port PORT=LINK   the link of a port; without it that of the port's own name
 *
 * Ports of equal links are connected, in whatever order their processes come, die and return. A packet is the data of a port
 * in the layout of its type: `sinew schema FILE block.port --c` writes the struct. Linux only; C99, no dependencies.
 */
#ifndef ARDNET_H
#define ARDNET_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ardnet_port;

enum { ARDNET_IN, ARDNET_OUT };

/* Results. Numbers above 0 are successes. */
enum { ARDNET_TIMEOUT = 0, ARDNET_ERROR = -1 };

/* ardnet_create makes a port whose packets have size bytes. depth 0: the newest packet counts; else up to depth packets wait
 * (the oldest is dropped), as many as the link says in the system file. It returns NULL, with a text in ardnet_error, for a
 * name that is none or without memory. */
struct ardnet_port *ardnet_create(const char *port, int direction, size_t size, int depth);

/* ardnet_init reads the options, takes them out of argv, and opens all ports. The peers need not be there. It returns the
 * number of arguments left, or ARDNET_ERROR. */
int ardnet_init(int *argc, char **argv);

/* ardnet_send publishes a packet. It never waits. It returns 1, or ARDNET_ERROR where the link carries something else or has
 * another sender; it may be called again: the link is opened when that has changed. */
int ardnet_send(struct ardnet_port *port, const void *packet);

/* ardnet_rec waits for a packet at most timeout seconds, for ever where it is negative. It returns 1, ARDNET_TIMEOUT, or
 * ARDNET_ERROR where the link carries something else. */
int ardnet_rec(struct ardnet_port *port, void *packet, double timeout);

/* ardnet_tryrec takes a packet if there is a new one: 1, else ARDNET_TIMEOUT, or ARDNET_ERROR. It never waits. */
int ardnet_tryrec(struct ardnet_port *port, void *packet);

/* ardnet_error tells in words what went wrong last. */
const char *ardnet_error(void);

#ifdef __cplusplus
}
#endif
#endif
