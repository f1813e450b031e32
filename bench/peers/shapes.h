// Reads shapes for FCL from files of doubles in the order of this machine. A pose is its rotation row by row and its position. A shape is its kind, its rounding radius and
//   0 sphere, 1 capsule, 2 box, 3 cylinder, 4 cone, 5 ellipsoid: three sizes,
//   6 convex hull, 7 mesh: the number of points, these, the number of triangles, these,
//   8 the half-space z ≤ 0: nothing,
//   9 compound: the number of parts, of each the index of an earlier shape and its pose.
#pragma once

#include <cstring>
#include <fstream>
#include <memory>
#include <vector>

#include <fcl/fcl.h>

using Pose = fcl::Transform3d;
using Geometry = std::shared_ptr<fcl::CollisionGeometryd>;

static std::vector<double> numbers(const char *path) {
	std::ifstream in(path, std::ios::binary);
	std::vector<char> bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
	std::vector<double> all(bytes.size() / 8);
	std::memcpy(all.data(), bytes.data(), all.size() * 8);
	return all;
}

static Pose pose(const double *&p) {
	Pose x = Pose::Identity();
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++) x.linear()(i, j) = *p++;
	for (int i = 0; i < 3; i++) x.translation()(i) = *p++;
	return x;
}

enum Kind { hull = 6, mesh, plane, compound };

struct Part {
	Geometry geometry;
	double round;
	Pose pose; // in the frame of the shape
};

// Shape is a union of convex parts. surface is the mesh whose triangles they are.
struct Shape {
	int kind;
	double round;
	std::vector<Part> parts;
	Geometry surface;
};

static Geometry convexOf(std::vector<fcl::Vector3d> points, const std::vector<fcl::Triangle> &triangles) {
	auto faces = std::make_shared<std::vector<int>>();
	for (auto &t : triangles)
		for (int k : {3, (int)t[0], (int)t[1], (int)t[2]}) faces->push_back(k);
	return std::make_shared<fcl::Convexd>(std::make_shared<const std::vector<fcl::Vector3d>>(std::move(points)), (int)triangles.size(), faces);
}

static Geometry meshOf(const std::vector<fcl::Vector3d> &points, const std::vector<fcl::Triangle> &triangles) {
	auto m = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
	m->beginModel();
	m->addSubModel(points, triangles);
	m->endModel();
	return m;
}

static Shape shape(const double *&p, const std::vector<Shape> &earlier) {
	Shape s;
	s.kind = (int)*p++;
	s.round = *p++;
	auto add = [&](Geometry g) { s.parts.push_back({g, 0, Pose::Identity()}); };
	if (s.kind < hull) {
		double x = p[0], y = p[1], z = p[2];
		p += 3;
		switch (s.kind) {
		case 0: add(std::make_shared<fcl::Sphered>(x)); break;
		case 1: add(std::make_shared<fcl::Capsuled>(x, y)); break;
		case 2: add(std::make_shared<fcl::Boxd>(x, y, z)); break;
		case 3: add(std::make_shared<fcl::Cylinderd>(x, y)); break;
		case 4: add(std::make_shared<fcl::Coned>(x, y)); break;
		case 5: add(std::make_shared<fcl::Ellipsoidd>(x, y, z)); break;
		}
	} else if (s.kind == hull || s.kind == mesh) {
		std::vector<fcl::Vector3d> points((size_t)*p++);
		for (auto &v : points) v = {p[0], p[1], p[2]}, p += 3;
		std::vector<fcl::Triangle> triangles((size_t)*p++);
		for (auto &t : triangles) t = {(size_t)p[0], (size_t)p[1], (size_t)p[2]}, p += 3;
		if (s.kind == hull) {
			add(convexOf(points, triangles));
		} else {
			for (auto &t : triangles) add(convexOf({points[t[0]], points[t[1]], points[t[2]]}, {{0, 1, 2}, {0, 2, 1}}));
			s.surface = meshOf(points, triangles);
		}
	} else if (s.kind == plane) {
		add(std::make_shared<fcl::Halfspaced>(fcl::Vector3d(0, 0, 1), 0));
	} else {
		for (int n = (int)*p++; n > 0; n--) {
			const Shape &part = earlier[(size_t)*p++];
			Pose at = pose(p);
			for (auto &x : part.parts) s.parts.push_back({x.geometry, x.round + part.round, at * x.pose});
		}
	}
	for (auto &x : s.parts) x.geometry->computeLocalAABB();
	return s;
}
