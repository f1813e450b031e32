// Writes curves.csv: pairs of poses, and the lengths of their Dubins and Reeds-Shepp paths by the Open Motion Planning Library.
//
//   g++ -O1 curves.cpp -I/usr/include/ompl-1.5 -I/usr/include/eigen3 -lompl -o curves && ./curves > curves.csv
#include <cmath>
#include <cstdio>
#include <random>

#include <ompl/base/spaces/DubinsStateSpace.h>
#include <ompl/base/spaces/ReedsSheppStateSpace.h>

int main() {
	const double radius = 0.7;
	ompl::base::DubinsStateSpace dubins(radius);
	ompl::base::ReedsSheppStateSpace reedsShepp(radius);
	auto *a = dubins.allocState()->as<ompl::base::SE2StateSpace::StateType>();
	auto *b = dubins.allocState()->as<ompl::base::SE2StateSpace::StateType>();
	std::mt19937 source(1);
	std::printf("# x, y, heading of start and goal; lengths of the Dubins and of the Reeds-Shepp path, radius 0.7 (OMPL 1.5.2)\n");
	for (int i = 0; i < 400; i++) {
		const double size = i % 2 ? 4 : 1;
		std::uniform_real_distribution<double> place(-size, size), heading(-M_PI, M_PI);
		double v[6];
		for (int k = 0; k < 6; k++) v[k] = k % 3 < 2 ? place(source) : heading(source);
		a->setXY(v[0], v[1]); a->setYaw(v[2]);
		b->setXY(v[3], v[4]); b->setYaw(v[5]);
		for (double x : v) std::printf("%.17g,", x);
		std::printf("%.12g,%.12g\n", dubins.distance(a, b), reedsShepp.distance(a, b));
	}
}
