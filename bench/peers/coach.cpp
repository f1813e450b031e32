// Moves robots through the coach's port with the Robotics Library's own client: coach PORT STEPS STILL MOVED JOINTS
//
// STILL is the number of a robot that its system does not move, MOVED that of a simulator with a port for torques; both have JOINTS
// joints. Prints lines "name number":
//
//	step      median time of a step in ns: positions sent, positions received
//	answered  steps whose answer is what they have set, to the six digits that the client sends
//	ignored   steps with velocities, which the port does not know, that are answered
//	driven    largest movement of a joint of MOVED in rad after half a second of torques
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <rl/hal/Coach.h>

typedef std::chrono::steady_clock Clock;

static bool same(const rl::math::Vector &a, const rl::math::Vector &b) { return (a - b).cwiseAbs().maxCoeff() < 1e-5; }

int main(int argc, char **argv) {
	if (argc != 6) return 2;
	const int port = atoi(argv[1]), steps = atoi(argv[2]), joints = atoi(argv[5]);
	rl::hal::Coach still(joints, std::chrono::nanoseconds(0), atoi(argv[3]), "127.0.0.1", port);
	rl::hal::Coach moved(joints, std::chrono::milliseconds(10), atoi(argv[4]), "127.0.0.1", port);

	still.open();
	still.start();
	std::vector<double> times;
	int answered = 0, ignored = 0;
	rl::math::Vector q(joints);
	for (int k = 0; k < steps; k++) {
		for (int i = 0; i < joints; i++) q(i) = std::sin(0.01 * k + i);
		auto begin = Clock::now();
		still.setJointPosition(q);
		still.step();
		times.push_back(std::chrono::duration<double, std::nano>(Clock::now() - begin).count());
		answered += same(still.getJointPosition(), q);
	}
	for (int k = 0; k < steps; k++) {
		still.setJointVelocity(q);
		still.step();
		ignored += same(still.getJointPosition(), q);
	}
	still.stop();
	still.close();

	moved.open();
	moved.start();
	moved.step();
	rl::math::Vector first = moved.getJointPosition();
	for (int k = 0; k < 50; k++) {
		moved.setJointTorque(rl::math::Vector::Constant(joints, 5));
		moved.step();
	}
	double driven = (moved.getJointPosition() - first).cwiseAbs().maxCoeff();
	moved.stop();
	moved.close();

	std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
	std::printf("step %.0f\nanswered %d\nignored %d\ndriven %.3f\n", times[times.size() / 2], answered, ignored, driven);
}
