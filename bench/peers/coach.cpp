// Moves robots through the coach's port with the Robotics Library's own client: coach PORT STEPS STILL MOVED JOINTS
//
// STILL is the number of a robot that its system does not move, MOVED that of a simulator with a port for torques; both have JOINTS
// joints. Prints lines "name number":
//
//	step      median time of a step in ns: positions sent, positions received
//	step99    the same, 99 %
//	echo      median time of a round trip of as many bytes to a thread here that sends them back: the least that TCP takes
//	echo99    the same, 99 %
//	answered  steps whose answer is what they have set, to the six digits that the client sends
//	ignored   steps with velocities, which the port does not know, that are answered
//	driven    largest movement of a joint of MOVED in rad after half a second of torques
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <rl/hal/AxisController.cpp>
#include <rl/hal/Coach.cpp>
#include <rl/hal/Com.cpp>
#include <rl/hal/ComException.cpp>
#include <rl/hal/CyclicDevice.cpp>
#include <rl/hal/Device.cpp>
#include <rl/hal/DeviceException.cpp>
#include <rl/hal/Exception.cpp>
#include <rl/hal/JointPositionActuator.cpp>
#include <rl/hal/JointPositionSensor.cpp>
#include <rl/hal/JointTorqueActuator.cpp>
#include <rl/hal/JointVelocityActuator.cpp>
#include <rl/hal/Socket.cpp>
#include <rl/hal/TimeoutException.cpp>

typedef std::chrono::steady_clock Clock;

static bool same(const rl::math::Vector &a, const rl::math::Vector &b) { return (a - b).cwiseAbs().maxCoeff() < 1e-5; }

// quantile returns a quantile of times, which it sorts in part.
static double quantile(std::vector<double> &times, double q) {
	auto at = times.begin() + (std::size_t)(q * (times.size() - 1));
	std::nth_element(times.begin(), at, times.end());
	return *at;
}

// echo returns the times of round trips over TCP, in ns, to a thread that sends back what it receives.
static std::vector<double> echo(int trips) {
	std::vector<double> times;
	int listener = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
	sockaddr_in address = {};
	address.sin_family = AF_INET;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	socklen_t size = sizeof address;
	if (bind(listener, (sockaddr *)&address, size) || listen(listener, 1) || getsockname(listener, (sockaddr *)&address, &size)) return times;
	std::thread server([listener] {
		char line[32];
		int peer = accept(listener, nullptr, nullptr);
		for (ssize_t n; (n = recv(peer, line, sizeof line, 0)) > 0;) send(peer, line, n, 0);
		close(peer);
	});
	char line[32] = {};
	if (!connect(client, (sockaddr *)&address, size))
		for (int k = 0; k < trips; k++) {
			auto begin = Clock::now();
			send(client, line, sizeof line, 0);
			recv(client, line, sizeof line, MSG_WAITALL);
			times.push_back(std::chrono::duration<double, std::nano>(Clock::now() - begin).count());
		}
	close(client);
	shutdown(listener, SHUT_RDWR); // ends an accept without a client
	server.join();
	close(listener);
	return times;
}

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

	std::vector<double> bare = echo(steps);
	if (bare.empty()) return 1;
	std::printf("step %.0f\nstep99 %.0f\necho %.0f\necho99 %.0f\n", quantile(times, 0.5), quantile(times, 0.99), quantile(bare, 0.5), quantile(bare, 0.99));
	std::printf("answered %d\nignored %d\ndriven %.3f\n", answered, ignored, driven);
}
