// Times OMPL's RRT-Connect with its simplification on links that FCL checks, as MoveIt plans, and OMPL's GNAT.
//
// ompl plan ROBOT FILE SECONDS plans each problem of FILE (that of vamp.cpp) for at most this time. It prints "plan.I ns", "total.I ns" and "length.I rad" for each that it solves,
// and "invalid.I 1" where an end collides. ompl near POINTS BATCHES prints "near ns": the least time of the nearest of random points in a unit cube of seven dimensions.
//
// ROBOT holds doubles as shapes.h: the number of shapes, the shapes; the number of frames, of each its parent (-1: the world), its joint (-1: fixed), its placement in the parent and its axis;
// the number of parts, of each its frame, its shape and its pose there; the number of pairs of parts that are checked, and these; the number of joints, of each its least and
// greatest position; and how many checks there are per unit of distance.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>

#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/datastructures/NearestNeighborsGNAT.h>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>

#include "shapes.h"

namespace ob = ompl::base;
namespace og = ompl::geometric;
using Object = fcl::CollisionObjectd;

struct Frame {
	int parent, joint;
	Pose placement;
	fcl::Vector3d axis;
};

struct Placed {
	size_t frame;
	Pose pose;
	std::unique_ptr<Object> object;
};

// Robot is the arm and the obstacles around it.
struct Robot {
	std::vector<Frame> frames;
	std::vector<Placed> parts;
	std::vector<std::pair<size_t, size_t>> pairs;
	std::vector<double> lower, upper;
	double checks;
	std::vector<Pose> poses;
	std::vector<std::unique_ptr<Object>> obstacles;
	fcl::DynamicAABBTreeCollisionManagerd world;

	explicit Robot(const char *path) {
		std::vector<double> all = numbers(path);
		const double *p = all.data();
		std::vector<Shape> shapes;
		for (int n = (int)*p++; n > 0; n--) shapes.push_back(shape(p, shapes));
		for (int n = (int)*p++; n > 0; n--) {
			int parent = (int)*p++, joint = (int)*p++;
			Pose at = pose(p);
			frames.push_back({parent, joint, at, {p[0], p[1], p[2]}});
			p += 3;
		}
		for (int n = (int)*p++; n > 0; n--) {
			auto frame = (size_t)*p++;
			const Shape &s = shapes[(size_t)*p++];
			parts.push_back({frame, pose(p), std::make_unique<Object>(s.surface ? s.surface : s.parts[0].geometry)});
		}
		for (int n = (int)*p++; n > 0; n--, p += 2) pairs.push_back({(size_t)p[0], (size_t)p[1]});
		for (int n = (int)*p++; n > 0; n--, p += 2) lower.push_back(p[0]), upper.push_back(p[1]);
		checks = *p;
		poses.resize(frames.size());
	}

	void among(std::vector<std::unique_ptr<Object>> list) {
		world.clear();
		obstacles = std::move(list);
		for (auto &o : obstacles) world.registerObject(o.get());
		world.setup();
	}

	static bool touch(Object *a, Object *b, void *hit) {
		fcl::CollisionResultd result;
		*(bool *)hit = fcl::collide(a, b, fcl::CollisionRequestd(), result) > 0;
		return *(bool *)hit;
	}

	bool free(const double *q) {
		for (size_t i = 0; i < frames.size(); i++) {
			auto &f = frames[i];
			poses[i] = f.parent < 0 ? f.placement : poses[(size_t)f.parent] * f.placement;
			if (f.joint >= 0) poses[i].rotate(Eigen::AngleAxisd(q[f.joint], f.axis));
		}
		for (auto &x : parts) {
			x.object->setTransform(poses[x.frame] * x.pose);
			x.object->computeAABB();
		}
		bool hit = false;
		for (auto &x : pairs) {
			Object *a = parts[x.first].object.get(), *b = parts[x.second].object.get();
			if (a->getAABB().overlap(b->getAABB()) && touch(a, b, &hit)) return false;
		}
		for (auto &x : parts) {
			world.collide(x.object.get(), &hit, touch);
			if (hit) return false;
		}
		return true;
	}
};

static int plan(const char *robotFile, const char *file, double seconds) {
	ompl::msg::setLogLevel(ompl::msg::LOG_ERROR);
	ompl::RNG::setSeed(1);
	Robot robot(robotFile);
	std::vector<double> all = numbers(file);
	const double *p = all.data();
	auto n = (size_t)*p++;
	auto space = std::make_shared<ob::RealVectorStateSpace>((unsigned)n);
	for (size_t i = 0; i < n; i++) {
		ob::RealVectorBounds b = space->getBounds();
		b.setLow((unsigned)i, robot.lower[i]), b.setHigh((unsigned)i, robot.upper[i]);
		space->setBounds(b);
	}
	int problems = (int)*p++;
	for (int i = 0; i < problems; i++) {
		const double *start = p, *goal = p + n;
		p += 2 * n;
		std::vector<std::unique_ptr<Object>> obstacles;
		for (int k = (int)*p++; k > 0; k--) {
			Shape s = shape(p, {});
			obstacles.push_back(std::make_unique<Object>(s.parts[0].geometry, pose(p)));
		}
		robot.among(std::move(obstacles));
		if (!robot.free(start) || !robot.free(goal)) {
			std::printf("invalid.%d 1\n", i);
			continue;
		}
		og::SimpleSetup setup(space);
		setup.setStateValidityChecker([&](const ob::State *s) { return robot.free(s->as<ob::RealVectorStateSpace::StateType>()->values); });
		setup.getSpaceInformation()->setStateValidityCheckingResolution(1 / robot.checks / space->getMaximumExtent());
		setup.setPlanner(std::make_shared<og::RRTConnect>(setup.getSpaceInformation()));
		ob::ScopedState<> a(space), b(space);
		for (size_t k = 0; k < n; k++) a[(unsigned)k] = start[k], b[(unsigned)k] = goal[k];
		setup.setStartAndGoalStates(a, b);
		setup.setup();
		auto begin = std::chrono::steady_clock::now();
		bool solved = setup.solve(seconds) == ob::PlannerStatus::EXACT_SOLUTION;
		std::chrono::duration<double, std::nano> planned = std::chrono::steady_clock::now() - begin;
		if (!solved) continue;
		setup.simplifySolution();
		std::chrono::duration<double, std::nano> total = std::chrono::steady_clock::now() - begin;
		std::printf("plan.%d %.0f\ntotal.%d %.0f\nlength.%d %g\n", i, planned.count(), i, total.count(), i, setup.getSolutionPath().length());
	}
	return 0;
}

static int near(size_t n, int batches) {
	using Point = std::array<double, 7>;
	ompl::RNG::setSeed(1);
	std::mt19937 random(1);
	std::uniform_real_distribution<double> uniform(0, 1);
	std::vector<Point> points(2 * n);
	for (auto &x : points)
		for (auto &v : x) v = uniform(random);
	ompl::NearestNeighborsGNAT<const Point *> tree;
	tree.setDistanceFunction([](const Point *const &a, const Point *const &b) {
		double sum = 0;
		for (size_t k = 0; k < 7; k++) sum += ((*a)[k] - (*b)[k]) * ((*a)[k] - (*b)[k]);
		return std::sqrt(sum);
	});
	for (size_t i = 0; i < n; i++) tree.add(&points[i]);
	double least = 1e300, sum = 0;
	size_t queries = std::min<size_t>(n, 2000);
	for (int b = 0; b < batches; b++) {
		auto begin = std::chrono::steady_clock::now();
		for (size_t i = 0; i < queries; i++) sum += (*tree.nearest(&points[n + i]))[0];
		std::chrono::duration<double, std::nano> d = std::chrono::steady_clock::now() - begin;
		least = std::min(least, d.count() / (double)queries);
	}
	std::printf("near %.1f\n", least);
	std::fprintf(stderr, "near %g\n", sum);
	return 0;
}

int main(int argc, char **argv) {
	if (argc == 5 && !std::strcmp(argv[1], "plan")) return plan(argv[2], argv[3], std::atof(argv[4]));
	if (argc == 4 && !std::strcmp(argv[1], "near")) return near((size_t)std::atol(argv[2]), std::atoi(argv[3]));
	return 1;
}
