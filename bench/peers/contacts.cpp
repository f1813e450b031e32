// Simulates a scene with contacts in MuJoCo: contacts SCENE.xml SECONDS BATCHES
//
// Prints a line "qpos[i] value" for each coordinate after that time and, if BATCHES is not 0, "contacts n" and "step ns": the least mean
// time of a step over the batches.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <mujoco/mujoco.h>

int main(int argc, char **argv) {
	char error[1000] = "";
	mjModel *m = argc == 4 ? mj_loadXML(argv[1], nullptr, error, sizeof error) : nullptr;
	if (!m) {
		std::fprintf(stderr, "%s\n", error);
		return 1;
	}
	mjData *d = mj_makeData(m);
	if (m->nkey) mj_resetDataKeyframe(m, d, 0);
	while (d->time < std::atof(argv[2]) - m->opt.timestep / 2) mj_step(m, d);
	for (int i = 0; i < m->nq; i++) std::printf("qpos[%d] %.9f\n", i, d->qpos[i]);
	const int steps = 200, batches = std::atoi(argv[3]);
	double least = 1e300;
	for (int b = 0; b < batches; b++) {
		auto begin = std::chrono::steady_clock::now();
		for (int i = 0; i < steps; i++) mj_step(m, d);
		std::chrono::duration<double, std::nano> t = std::chrono::steady_clock::now() - begin;
		least = std::min(least, t.count() / steps);
	}
	if (batches > 0) std::printf("contacts %d\nstep %.1f\n", d->ncon, least);
	return 0;
}
