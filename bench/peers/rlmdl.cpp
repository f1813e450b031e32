// Times the kinematics and dynamics of the Robotics Library for one robot:
//
//	rlmdl dynamics ROBOT.urdf BATCHES    whole robot: forward kinematics, RNEA, ABA, mass matrix
//	rlmdl jacobian ARM.urdf BATCHES      the chain to a tool: its Jacobian
//	rlmdl inverse ARM.urdf POSES         the chain to a tool: iterative inverse kinematics, poses of random configurations
//
// It is one unit with the library's sources, so that nothing but a checkout is needed. Prints lines "name number": "algorithm ns",
// the least mean of the batches, and the results for one state, by which bench checks that both contenders have the same robot.
// That state has sin k for the k-th value of each joint, counted from 1 through the joints in the order of their names; a
// floating joint rests at the origin. Of inverse it prints how many poses it has "solved", and the median of the processor times:
// other programs may interrupt a search, which takes milliseconds.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <rl/mdl/Body.cpp>
#include <rl/mdl/Cylindrical.cpp>
#include <rl/mdl/Dynamic.cpp>
#include <rl/mdl/Element.cpp>
#include <rl/mdl/EulerCauchyIntegrator.cpp>
#include <rl/mdl/Exception.cpp>
#include <rl/mdl/Factory.cpp>
#include <rl/mdl/Fixed.cpp>
#include <rl/mdl/Frame.cpp>
#include <rl/mdl/Helical.cpp>
#include <rl/mdl/Integrator.cpp>
#include <rl/mdl/InverseKinematics.cpp>
#include <rl/mdl/IterativeInverseKinematics.cpp>
#include <rl/mdl/JacobianInverseKinematics.cpp>
#include <rl/mdl/Joint.cpp>
#include <rl/mdl/Kinematic.cpp>
#include <rl/mdl/Metric.cpp>
#include <rl/mdl/Model.cpp>
#include <rl/mdl/Prismatic.cpp>
#include <rl/mdl/Revolute.cpp>
#include <rl/mdl/RungeKuttaNystromIntegrator.cpp>
#include <rl/mdl/SixDof.cpp>
#include <rl/mdl/Spherical.cpp>
#include <rl/mdl/Transform.cpp>
#include <rl/mdl/UrdfFactory.cpp>
#include <rl/mdl/World.cpp>

#include "timing.h"

using rl::math::Vector;

static const int calls = 500;

// load reads a robot; the library's reader prints what it reads.
static std::shared_ptr<rl::mdl::Model> load(const char *file) {
	std::streambuf *out = std::cout.rdbuf(nullptr);
	rl::mdl::UrdfFactory factory;
	std::shared_ptr<rl::mdl::Model> model = factory.create(file);
	std::cout.rdbuf(out);
	model->setWorldGravity(rl::math::Vector3(0, 0, 9.81)); // the acceleration that stands for gravity
	return model;
}

// slots returns the joints with one axis by name, with their places in q and in the velocities.
static std::map<std::string, std::pair<int, int>> slots(rl::mdl::Model &model) {
	std::map<std::string, std::pair<int, int>> all;
	for (std::size_t i = 0, q = 0, v = 0; i < model.getJoints(); i++) {
		rl::mdl::Joint *joint = model.getJoint(i);
		if (joint->getDof() == 1) all[joint->getName()] = std::make_pair(q, v);
		q += joint->getDofPosition(), v += joint->getDof();
	}
	return all;
}

static void dynamics(rl::mdl::Dynamic &model, int batches) {
	const int n = model.getDof();
	model.seed(7);
	std::mt19937 random(7);
	std::uniform_real_distribution<double> uniform(-1.5, 1.5);
	std::vector<Vector> q(states), v(states), x(states);
	for (int s = 0; s < states; s++) {
		q[s] = Vector(model.getDofPosition()), v[s] = Vector(n), x[s] = Vector(n);
		for (int i = 0; i < q[s].size(); i++) q[s](i) = uniform(random);
		for (int i = 0; i < n; i++) v[s](i) = uniform(random), x[s](i) = uniform(random);
		model.normalize(q[s]);
	}
	time_it("fk", batches, calls, [&](int i) {
		model.setPosition(q[i]);
		model.forwardPosition();
	});
	time_it("rnea", batches, calls, [&](int i) {
		model.setPosition(q[i]), model.setVelocity(v[i]), model.setAcceleration(x[i]);
		model.inverseDynamics();
	});
	time_it("aba", batches, calls, [&](int i) {
		model.setPosition(q[i]), model.setVelocity(v[i]), model.setTorque(x[i]);
		model.forwardDynamics();
	});
	time_it("crba", batches, calls, [&](int i) { // the library computes inverse dynamics for each column
		model.setPosition(q[i]);
		model.calculateMassMatrix();
	});

	auto at = slots(model);
	Vector q0 = Vector::Zero(model.getDofPosition()), v0 = Vector::Zero(n), x0 = Vector::Zero(n);
	if ((int)q0.size() > n) q0(6) = 1; // the quaternion of the floating joint, which comes first
	int k = 0;
	for (auto &joint : at) q0(joint.second.first) = v0(joint.second.second) = x0(joint.second.second) = std::sin(++k);
	model.setPosition(q0), model.setVelocity(v0), model.setAcceleration(x0);
	model.inverseDynamics();
	Vector tau = model.getTorque();
	model.setTorque(x0);
	model.forwardDynamics();
	Vector a = model.getAcceleration();
	model.calculateMassMatrix();
	for (auto &joint : at) {
		const int i = joint.second.second;
		std::printf("tau.%s %.12g\na.%s %.12g\nM.%s %.12g\n", joint.first.c_str(), tau(i), joint.first.c_str(), a(i), joint.first.c_str(), model.getMassMatrix()(i, i));
	}
}

static void jacobian(rl::mdl::Dynamic &model, int batches) {
	std::mt19937 random(7);
	std::uniform_real_distribution<double> uniform(-1.5, 1.5);
	std::vector<Vector> q(states, Vector(model.getDofPosition()));
	for (auto &x : q) {
		for (int i = 0; i < x.size(); i++) x(i) = uniform(random);
		model.normalize(x);
	}
	time_it("jacobian", batches, calls, [&](int i) {
		model.setPosition(q[i]);
		model.forwardPosition();
		model.calculateJacobian();
	});
}

// inverse solves for poses of random configurations, from others, all within the limits.
static void inverse(rl::mdl::Dynamic &model, int poses) {
	model.seed(7);
	int solved = 0;
	std::vector<double> times;
	for (int i = 0; i < poses; i++) {
		model.setPosition(model.generatePositionUniform());
		model.forwardPosition();
		rl::math::Transform goal = model.getOperationalPosition(0);
		model.setPosition(model.generatePositionUniform());
		rl::mdl::JacobianInverseKinematics ik(&model);
		ik.seed(7);
		ik.setEpsilon(1e-7);
		ik.setDuration(std::chrono::minutes(1)); // its 10,000 iterations end it, so that what is solved does not depend on the machine
		ik.addGoal(goal, 0);
		std::clock_t begin = std::clock();
		solved += ik.solve();
		times.push_back(1e9 * (std::clock() - begin) / CLOCKS_PER_SEC);
	}
	std::nth_element(times.begin(), times.begin() + poses / 2, times.end());
	std::printf("inverse %.0f\nsolved %d\n", times[poses / 2], solved);
}

int main(int argc, char **argv) {
	if (argc != 4) return 2;
	std::shared_ptr<rl::mdl::Model> loaded = load(argv[2]);
	rl::mdl::Dynamic &model = dynamic_cast<rl::mdl::Dynamic &>(*loaded);
	const int count = std::atoi(argv[3]);
	if (!std::strcmp(argv[1], "dynamics")) dynamics(model, count);
	else if (!std::strcmp(argv[1], "jacobian")) jacobian(model, count);
	else if (!std::strcmp(argv[1], "inverse")) inverse(model, count);
	else return 2;
	return 0;
}
