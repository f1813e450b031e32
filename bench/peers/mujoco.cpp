// Times the kinematics and dynamics of MuJoCo for one robot: mujoco ROBOT.urdf TOOL BATCHES
//
// Prints a line "algorithm ns" for each algorithm: the least mean of the batches. Each time is that of all the stages of
// MuJoCo's pipeline which the result needs, from q on.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <vector>

#include <mujoco/mujoco.h>

static const int states = 64, calls = 2000;

int main(int argc, char **argv) {
	char error[1000] = "";
	mjModel *m = argc == 4 ? mj_loadXML(argv[1], nullptr, error, sizeof error) : nullptr;
	if (!m) {
		std::fprintf(stderr, "%s\n", error);
		return 1;
	}
	m->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CONTACT | mjDSBL_PASSIVE;
	mjData *d = mj_makeData(m);
	int batches = std::atoi(argv[3]);
	int tool = mj_name2id(m, mjOBJ_BODY, argv[2]);
	if (tool < 0) tool = m->nbody - 1;

	std::mt19937 random(7);
	std::uniform_real_distribution<double> uniform(-1.5, 1.5);
	std::vector<std::vector<double>> q(states), v(states), x(states);
	for (int s = 0; s < states; s++) {
		for (int i = 0; i < m->nq; i++) q[s].push_back(uniform(random));
		for (int i = 0; i < m->nv; i++) v[s].push_back(uniform(random)), x[s].push_back(uniform(random));
		mj_normalizeQuat(m, q[s].data());
	}
	std::vector<double> out(m->nv), J(6 * m->nv), M(m->nv * m->nv);
	auto time_it = [&](const char *name, const std::function<void()> &call) {
		double least = 1e300;
		for (int b = 0; b < batches; b++) {
			auto begin = std::chrono::steady_clock::now();
			for (int i = 0; i < calls; i++) {
				int s = i % states;
				mju_copy(d->qpos, q[s].data(), m->nq);
				mju_copy(d->qvel, v[s].data(), m->nv);
				mju_copy(d->qacc, x[s].data(), m->nv);
				call();
			}
			std::chrono::duration<double, std::nano> t = std::chrono::steady_clock::now() - begin;
			least = std::min(least, t.count() / calls);
		}
		std::printf("%s %.1f\n", name, least);
	};
	time_it("fk", [&] { mj_kinematics(m, d); });
	time_it("jacobian", [&] {
		mj_kinematics(m, d);
		mj_comPos(m, d);
		mj_jacBody(m, d, J.data(), J.data() + 3 * m->nv, tool);
	});
	time_it("rnea", [&] {
		mj_kinematics(m, d);
		mj_comPos(m, d);
		mj_comVel(m, d);
		mj_rne(m, d, 1, out.data());
	});
	time_it("aba", [&] { // MuJoCo factorizes the mass matrix
		mj_kinematics(m, d);
		mj_comPos(m, d);
		mj_crb(m, d);
		mj_factorM(m, d);
		mj_comVel(m, d);
		mj_rne(m, d, 0, out.data());
		mju_sub(out.data(), d->qacc, out.data(), m->nv);
		mj_solveM(m, d, d->qacc, out.data(), 1);
	});
	time_it("crba", [&] {
		mj_kinematics(m, d);
		mj_comPos(m, d);
		mj_crb(m, d);
	});
	return 0;
}
