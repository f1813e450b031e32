// Times ruckig on the problems of a file: ruckig PROBLEMS BATCHES
//
// A problem is seven lines of nine numbers: start position, velocity, acceleration; the same of the target; the limits of
// velocity, acceleration and jerk. Prints a line "plan ns": the least mean of the batches.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <vector>

#include <ruckig/ruckig.hpp>

int main(int argc, char **argv) {
	if (argc != 3) return 1;
	std::ifstream file(argv[1]);
	std::vector<ruckig::InputParameter<7>> problems;
	for (ruckig::InputParameter<7> in;;) {
		for (int i = 0; i < 7; i++)
			file >> in.current_position[i] >> in.current_velocity[i] >> in.current_acceleration[i] >> in.target_position[i] >>
				in.target_velocity[i] >> in.target_acceleration[i] >> in.max_velocity[i] >> in.max_acceleration[i] >> in.max_jerk[i];
		if (!file) break;
		problems.push_back(in);
	}
	ruckig::Ruckig<7> generator;
	ruckig::Trajectory<7> motion;
	double least = 1e300;
	for (int b = std::atoi(argv[2]); b > 0; b--) {
		auto begin = std::chrono::steady_clock::now();
		for (auto &in : problems)
			if (generator.calculate(in, motion) < 0) return 2;
		std::chrono::duration<double, std::nano> d = std::chrono::steady_clock::now() - begin;
		least = std::min(least, d.count() / problems.size());
	}
	std::printf("plan %.1f\n", least);
	return 0;
}
