/* The plant of examples/foreign: a mass of 1 kg on a spring of 4 N/m with friction, pushed by the force u. */
#include <stdio.h>
#include <stdlib.h>

#include "ardnet.h"

int main(int argc, char **argv) {
	struct ardnet_port *force = ardnet_create("u", ARDNET_IN, sizeof(double), 0);
	struct ardnet_port *position = ardnet_create("position", ARDNET_OUT, sizeof(double), 0);
	if (!force || !position || ardnet_init(&argc, argv) < 0) {
		fprintf(stderr, "%s\n", ardnet_error());
		return 1;
	}
	const double dt = 0.002;
	double x = 0, v = 0, u = 0;
	for (;;) { /* each force is one step; where none comes for 0.1 s the plant is left alone */
		if (ardnet_rec(force, &u, 0.1) <= 0) u = 0;
		v += dt * (u - 4 * x - 0.4 * v);
		x += dt * v;
		ardnet_send(position, &x);
	}
}
