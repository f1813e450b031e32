// Answers and times pairs of shapes with FCL.
//
// fcl answer FILE OUT writes for each pair in FILE four doubles to OUT: the signed distance, and the unit normal from the first shape to the second, zero where FCL
// returns none. The distance is NaN where FCL throws, aborts, runs for 1 s or contradicts its own fcl::collide; of two
// planes only its sign counts. fcl time FILE BATCHES prints a line "name ns" for each case: the least mean of the batches over the poses in FILE.
//
// fcl serve FILE answers for the bodies of a scene until its input ends. FILE has shapes as that of answer, then the number of bodies, of each the index of its shape, the number of
// pairs, and of each two bodies. The input has for each question 0 or 1 and the poses of all bodies; 0 is answered by the index of a pair that collides or -1, 1 by 0 or 1
// for each pair. Numbers are doubles; shapes are not rounded.
//
// Numbers in files, poses and shapes are those of shapes.h. FILE of answer has the number of shapes, the shapes, and the pairs: index and pose of each of both.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <vector>

#include <csetjmp>
#include <csignal>
#include <unistd.h>

#include "shapes.h"

struct Answer {
	double distance;
	fcl::Vector3d normal;
};

static bool collides(const fcl::CollisionGeometryd *a, const Pose &pa, const fcl::CollisionGeometryd *b, const Pose &pb) {
	fcl::CollisionResultd hit;
	fcl::collide(a, pa, b, pb, fcl::CollisionRequestd(), hit);
	return hit.isCollision();
}

// above returns the distance of a convex shape from the half-space below the plane z = 0 of a pose. FCL has none; it has the depth in a half-space, so this one is
// moved up until both overlap.
static Answer above(const Part &a, const Pose &pa, const Pose &ground) {
	const double up = 32;
	fcl::Halfspaced raised(fcl::Vector3d(0, 0, 1), up);
	fcl::CollisionRequestd request(1, true);
	fcl::CollisionResultd hit;
	fcl::collide(a.geometry.get(), pa, &raised, ground, request, hit);
	double deepest = std::nan("");
	for (size_t i = 0; i < hit.numContacts(); i++) deepest = std::fmax(deepest, hit.getContact(i).penetration_depth);
	return {up - deepest, -ground.linear().col(2)};
}

// closed reports whether FCL has the depth of two parts in closed form.
static bool closed(const Part &a, const Part &b) {
	auto x = a.geometry->getNodeType(), y = b.geometry->getNodeType();
	return x == fcl::GEOM_SPHERE && (y == fcl::GEOM_SPHERE || y == fcl::GEOM_CAPSULE || y == fcl::GEOM_BOX || y == fcl::GEOM_CYLINDER);
}

// distanceOf returns the signed distance of two convex parts, whose sign is that of the collision test.
static Answer distanceOf(const Part &a, const Pose &pa, const Part &b, const Pose &pb) {
	Answer none = {std::nan(""), fcl::Vector3d::Zero()};
	try {
		bool ground = b.geometry->getNodeType() == fcl::GEOM_HALFSPACE;
		if (ground || a.geometry->getNodeType() == fcl::GEOM_HALFSPACE) {
			if (ground && a.geometry->getNodeType() == fcl::GEOM_HALFSPACE) return {collides(a.geometry.get(), pa, b.geometry.get(), pb) ? -1.0 : 1.0, none.normal};
			Answer x = ground ? above(a, pa, pb) : above(b, pb, pa);
			x.distance -= a.round + b.round;
			if (!ground) x.normal = -x.normal;
			return x;
		}
		bool hit = collides(a.geometry.get(), pa, b.geometry.get(), pb);
		if (hit && (closed(a, b) || closed(b, a))) { // its depth in closed form; that of fcl::distance iterates
			fcl::CollisionResultd result;
			fcl::collide(a.geometry.get(), pa, b.geometry.get(), pb, fcl::CollisionRequestd(1, true), result);
			auto &contact = result.getContact(0);
			return {-contact.penetration_depth - a.round - b.round, contact.normal};
		}
		fcl::DistanceRequestd request(true, true);
		request.distance_tolerance = hit ? 1e-6 : 1e-9;
		fcl::DistanceResultd result;
		fcl::distance(a.geometry.get(), pa, b.geometry.get(), pb, request, result);
		double d = result.min_distance;
		fcl::Vector3d n = result.nearest_points[1] - result.nearest_points[0];
		double l = n.norm();
		n = l > 1e-12 ? fcl::Vector3d(n * ((d < 0 ? -1 : 1) / l)) : none.normal;
		if (hit != (d <= 0) && std::abs(d) > 1e-6) return none; // its two answers contradict each other
		return {d - a.round - b.round, n};
	} catch (const std::exception &) {
		return none;
	}
}

static Answer distanceOf(const Shape &a, const Pose &pa, const Shape &b, const Pose &pb) {
	if ((a.surface || b.surface) && a.kind != plane && b.kind != plane && a.kind != compound && b.kind != compound) { // FCL's tree, where the surface is not hit
		auto x = a.surface ? a.surface : a.parts[0].geometry, y = b.surface ? b.surface : b.parts[0].geometry;
		if (!collides(x.get(), pa, y.get(), pb)) {
			fcl::DistanceRequestd request;
			request.distance_tolerance = 1e-9;
			fcl::DistanceResultd result;
			double d = fcl::distance(x.get(), pa, y.get(), pb, request, result);
			return {d - a.round - b.round, fcl::Vector3d::Zero()};
		}
	}
	Answer best = {1e300, fcl::Vector3d::Zero()};
	for (auto &x : a.parts)
		for (auto &y : b.parts) {
			Answer d = distanceOf(x, pa * x.pose, y, pb * y.pose);
			if (std::isnan(d.distance)) return d;
			if (d.distance < best.distance) best = d;
		}
	best.distance -= a.round + b.round;
	return best;
}

// FCL's assertions abort, and its expanding polytope may run for ever: both end in the handler, and count as no answer.
static sigjmp_buf giveUp;

static void stop(int) { siglongjmp(giveUp, 1); }

static int answer(const char *path, const char *to) {
	for (int s : {SIGABRT, SIGALRM, SIGSEGV}) std::signal(s, stop);
	std::freopen("/dev/null", "w", stderr); // the texts of the assertions
	std::vector<double> all = numbers(path), out;
	const double *p = all.data(), *end = p + all.size();
	std::vector<Shape> shapes;
	for (int n = (int)*p++; n > 0; n--) shapes.push_back(shape(p, shapes));
	while (p < end) {
		const Shape &a = shapes[(size_t)*p++];
		Pose pa = pose(p);
		const Shape &b = shapes[(size_t)*p++];
		Pose pb = pose(p);
		Answer x = {std::nan(""), fcl::Vector3d::Zero()};
		alarm(1);
		if (!sigsetjmp(giveUp, 1)) x = distanceOf(a, pa, b, pb);
		alarm(0);
		for (double v : {x.distance, x.normal[0], x.normal[1], x.normal[2]}) out.push_back(v);
	}
	std::ofstream(to, std::ios::binary).write((const char *)out.data(), (std::streamsize)(8 * out.size()));
	return 0;
}

// ball makes the points of a sphere with waves of this height and the triangles between them.
static void ball(int rings, int sectors, double waves, std::vector<fcl::Vector3d> &points, std::vector<fcl::Triangle> &triangles) {
	auto at = [&](int i, int j) { return i == 0 ? 0 : i == rings ? 1 : 2 + (i - 1) * sectors + j % sectors; };
	points = {{0, 0, 1}, {0, 0, -1}};
	for (int i = 1; i < rings; i++)
		for (int j = 0; j < sectors; j++) {
			double u = M_PI * i / rings, v = 2 * M_PI * j / sectors, r = 1 + waves * std::sin(5 * u) * std::sin(7 * v);
			points.emplace_back(r * std::sin(u) * std::cos(v), r * std::sin(u) * std::sin(v), r * std::cos(u));
		}
	for (int i = 0; i < rings; i++)
		for (int j = 0; j < sectors; j++) {
			if (i < rings - 1) triangles.emplace_back(at(i, j), at(i + 1, j), at(i + 1, j + 1));
			if (i > 0) triangles.emplace_back(at(i, j), at(i + 1, j + 1), at(i, j + 1));
		}
}

static Geometry convex(int rings, int sectors) {
	std::vector<fcl::Vector3d> points;
	std::vector<fcl::Triangle> triangles;
	ball(rings, sectors, 0, points, triangles);
	return convexOf(points, triangles);
}

static Geometry waves(int rings, int sectors) {
	std::vector<fcl::Vector3d> points;
	std::vector<fcl::Triangle> triangles;
	ball(rings, sectors, 0.1, points, triangles);
	return meshOf(points, triangles);
}

static int time(const char *path, int batches) {
	std::vector<double> all = numbers(path);
	const double *p = all.data();
	struct Case {
		const char *name;
		Geometry a, b;
		char query; // h: hit, d: distance, s: signed distance
	};
	Geometry sphere = std::make_shared<fcl::Sphered>(0.5), capsule = std::make_shared<fcl::Capsuled>(0.3, 1), box = std::make_shared<fcl::Boxd>(1, 0.8, 0.6);
	Geometry hull = convex(11, 15), mesh = waves(50, 50);
	std::vector<Case> cases = {
		{"sphere_sphere", sphere, sphere, 'd'}, {"sphere_box", sphere, box, 'd'}, {"capsule_capsule", capsule, capsule, 'd'}, {"sphere_capsule", sphere, capsule, 'd'},
		{"box_hit", box, box, 'h'}, {"box_distance", box, box, 'd'}, {"convex_distance", hull, hull, 'd'}, {"convex_near", hull, hull, 'd'},
		{"convex_depth", hull, hull, 's'}, {"mesh_hit", mesh, mesh, 'h'}, {"mesh_distance", mesh, mesh, 'd'},
	};
	for (auto &c : cases) {
		int n = (int)*p++;
		std::vector<std::pair<Pose, Pose>> poses;
		for (int i = 0; i < n; i++) {
			Pose a = pose(p);
			poses.emplace_back(a, pose(p));
		}
		double least = 1e300, sum = 0;
		for (int b = 0; b < batches; b++) {
			auto begin = std::chrono::steady_clock::now();
			for (auto &x : poses) {
				if (c.query == 'h') {
					fcl::CollisionResultd result;
					sum += fcl::collide(c.a.get(), x.first, c.b.get(), x.second, fcl::CollisionRequestd(), result);
				} else {
					fcl::DistanceRequestd request(true);
					request.enable_signed_distance = c.query == 's';
					fcl::DistanceResultd result;
					try {
						sum += fcl::distance(c.a.get(), x.first, c.b.get(), x.second, request, result);
					} catch (const std::exception &) { // counts as an answer
					}
				}
			}
			std::chrono::duration<double, std::nano> d = std::chrono::steady_clock::now() - begin;
			least = std::min(least, d.count() / n);
		}
		std::printf("%s %.1f\n", c.name, least);
		std::fprintf(stderr, "%s %g\n", c.name, sum);
	}
	return 0;
}

static int serve(const char *file) {
	std::vector<double> all = numbers(file);
	const double *p = all.data();
	std::vector<Shape> shapes;
	for (int n = (int)*p++; n > 0; n--) shapes.push_back(shape(p, shapes));
	std::vector<const Shape *> bodies;
	for (int n = (int)*p++; n > 0; n--) bodies.push_back(&shapes[(size_t)*p++]);
	std::vector<std::pair<size_t, size_t>> pairs;
	for (int n = (int)*p++; n > 0; n--, p += 2) pairs.push_back({(size_t)p[0], (size_t)p[1]});
	std::vector<double> question(1 + 12 * bodies.size());
	while (std::fread(question.data(), 8, question.size(), stdin) == question.size()) {
		const double *q = question.data() + 1;
		std::vector<Pose> poses;
		for (size_t i = 0; i < bodies.size(); i++) poses.push_back(pose(q));
		auto touches = [&](size_t i, size_t j) {
			auto list = [](const Shape *s) { return s->surface ? std::vector<Part>{{s->surface, 0, Pose::Identity()}} : s->parts; };
			for (auto &a : list(bodies[i]))
				for (auto &b : list(bodies[j]))
					if (collides(a.geometry.get(), poses[i] * a.pose, b.geometry.get(), poses[j] * b.pose)) return true;
			return false;
		};
		std::vector<double> answers;
		if (question[0] == 0) {
			answers.push_back(-1);
			for (size_t k = 0; k < pairs.size() && answers[0] < 0; k++)
				if (touches(pairs[k].first, pairs[k].second)) answers[0] = (double)k;
		} else {
			for (auto &x : pairs) answers.push_back(touches(x.first, x.second));
		}
		std::fwrite(answers.data(), 8, answers.size(), stdout);
		std::fflush(stdout);
	}
	return 0;
}

int main(int argc, char **argv) {
	if (argc == 3 && !std::strcmp(argv[1], "serve")) return serve(argv[2]);
	if (argc == 4 && !std::strcmp(argv[1], "answer")) return answer(argv[2], argv[3]);
	if (argc == 4 && !std::strcmp(argv[1], "time")) return time(argv[2], std::atoi(argv[3]));
	return 1;
}
