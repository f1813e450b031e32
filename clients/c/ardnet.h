/* ardnet: blocks of a sinew system in C.
 *
 * A program creates its ports, connects them, and sends and receives:
 *
 *     struct ardnet_port *u = ardnet_create("u", ARDNET_IN, sizeof(double), 0);
 *     struct ardnet_port *y = ardnet_create("position", ARDNET_OUT, sizeof(double), 0);
 *     if (ardnet_init(&argc, argv) < 0) { fprintf(stderr, "%s\n", ardnet_error()); return 1; }
 *     while (ardnet_rec(u, &voltage, 1.0) > 0) { ...; ardnet_send(y, &position); }
 *
 * Standard options on the command line map ports to links; sinew passes them to the programs that it starts:
 *
 *     -ardnet.system NAME      the system
 *     -ardnet.port PORT=LINK   the link of a port; default: the link with the name of the port
 *
 * Ports of the same link are connected, in whatever order their processes start, die and restart. A packet is the data of a
 * port in the layout of its type: `sinew schema FILE block.port --c` writes the struct. Linux only; C99, no dependencies.
 */
#ifndef ARDNET_H
#define ARDNET_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ardnet_port;

enum { ARDNET_IN, ARDNET_OUT };

/* ARDNET_VARIES is added to the direction of a port whose values have lengths of their own: a list T[<=N] with its count before
 * it. size is then that of the longest packet. */
enum { ARDNET_VARIES = 2 };

/* Results. Numbers above 0 are successes. */
enum { ARDNET_TIMEOUT = 0, ARDNET_ERROR = -1 };

/* ardnet_create creates a port whose packets have size bytes. depth 0 keeps only the newest packet; otherwise at most depth
 * packets wait (the oldest is dropped), as many as the link's buffer in the system file. A name has at most 200 letters,
 * digits, . _ and -, and a packet at most 64 MB. Otherwise, or without memory, it returns NULL; see ardnet_error. */
struct ardnet_port *ardnet_create(const char *port, int direction, size_t size, int depth);

/* ardnet_init reads the options, removes them from argv, and opens all ports. The peers need not exist yet. It returns the
 * number of arguments left, or ARDNET_ERROR. */
int ardnet_init(int *argc, char **argv);

/* ardnet_send publishes a packet. It never waits. It returns 1, or ARDNET_ERROR if the link carries other packets or has
 * another sender. Call it again later: it opens the link once that has changed. */
int ardnet_send(struct ardnet_port *port, const void *packet);

/* ardnet_send_part is ardnet_send for a port with ARDNET_VARIES: it publishes the first bytes of a packet, up to the end of
 * its last element: `sinew schema FILE block.port --c` writes macros for them, and for the size of the port. */
int ardnet_send_part(struct ardnet_port *port, const void *packet, size_t bytes);

/* ardnet_send_aged is ardnet_send_part for a value that was acquired age seconds ago, from 0: a measurement that took its time. A
 * port without ARDNET_VARIES takes its size as bytes. The age stays with the value: for time-outs, for In.Age of
 * a block in Go, for ardnet_age. */
int ardnet_send_aged(struct ardnet_port *port, const void *packet, size_t bytes, double age);

/* ardnet_rec waits for a packet at most timeout seconds, without limit if it is negative. It returns 1, ARDNET_TIMEOUT, or
 * ARDNET_ERROR if the link carries other packets. */
int ardnet_rec(struct ardnet_port *port, void *packet, double timeout);

/* ardnet_tryrec takes a packet if there is a new one; of a port with ARDNET_VARIES only what was sent, the rest of *packet stays. It returns 1, ARDNET_TIMEOUT, or ARDNET_ERROR. It never waits. Without a
 * new packet it leaves *packet as it is; the function of the same name in aRDnet returned the last data again. */
int ardnet_tryrec(struct ardnet_port *port, void *packet);

/* ardnet_age returns how old the packet is that was received last: the seconds since its value was acquired or else sent, also on
 * another host. Without a packet it is negative. */
double ardnet_age(const struct ardnet_port *port);

/* ardnet_error returns a description of the last error. */
const char *ardnet_error(void);

#ifdef __cplusplus
}
#endif
#endif
