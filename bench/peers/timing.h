// Times algorithms as bench/robots does: the least mean of some batches of calls, each call with the next of 64 states.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>

static const int states = 64;

// time_it prints the line "name ns". Each of the batches has so many calls; a call gets the number of its state, from 0.
static void time_it(const char *name, int batches, int calls, const std::function<void(int)> &call) {
	double least = 1e300;
	for (int b = 0; b < batches; b++) {
		auto begin = std::chrono::steady_clock::now();
		for (int i = 0; i < calls; i++) call(i % states);
		std::chrono::duration<double, std::nano> d = std::chrono::steady_clock::now() - begin;
		least = std::min(least, d.count() / calls);
	}
	std::printf("%s %.1f\n", name, least);
}
