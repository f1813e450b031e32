/* The card of a joint, as a program: here it simulates the motor and its encoder. A program for your own hardware reads and
 * writes the hardware in their place. The ports are those of card.yaml. */
#define _POSIX_C_SOURCE 199309L
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "ardnet.h"

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char **argv) {
	struct ardnet_port *voltage = ardnet_create("voltage", ARDNET_IN, sizeof(double), 0);
	struct ardnet_port *power = ardnet_create("power", ARDNET_IN, sizeof(uint8_t), 0);
	struct ardnet_port *counts = ardnet_create("counts", ARDNET_OUT, sizeof(int64_t), 0);
	if (!voltage || !power || !counts || ardnet_init(&argc, argv) < 0) {
		fprintf(stderr, "%s\n", ardnet_error());
		return 1;
	}
	const double gain = 40, lag = 0.02;        /* of the motor: rad/s for a volt, s */
	const double resolution = 2000 / 6.283185; /* of the encoder: counts for a radian of the motor */
	double turn = 0, speed = 0, volts = 0, last = now();
	uint8_t on = 0;
	for (;;) {
		ardnet_rec(voltage, &volts, 0.001);
		ardnet_tryrec(power, &on);
		double t = now(), dt = t - last;
		last = t;
		if (!on || ardnet_age(voltage) > 0.1) { /* the brake holds the motor, also where no commands come */
			volts = speed = 0;
		}
		speed += (gain * volts - speed) * dt / (lag + dt);
		turn += speed * dt;
		int64_t n = (int64_t)(turn * resolution);
		ardnet_send(counts, &n);
	}
}
