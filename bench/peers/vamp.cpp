// Times VAMP, the vector-accelerated motion planner: a header-only library that is compiled for one robot at a time (-DROBOT=Panda, UR5 or Fetch, -DRANGE its longest edge).
//
// vamp plan FILE plans each problem of FILE by RRT-Connect and simplifies the path; vamp star FILE SAMPLES plans by its greedy RRT* with this number of samples. They print
// "plan.I ns", "total.I ns" and "length.I rad" for each problem that they solve. vamp along FILE BATCHES prints "edge ns": the least time of one
// of the sixteen configurations that are checked along an edge of FILE, 1/2 rad long. vamp near POINTS BATCHES prints "near ns": the least time of the nearest of random points in a unit cube.
//
// FILE holds doubles in the order of this machine: the number of joints, the number of problems, of each the start, the goal, the number of obstacles, of each its kind (0 sphere,
// 1 capsule, 2 box), rounding radius (0), three sizes, rotation row by row and position; then the number of edges, of each the index of its problem, its first point and the way from there.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <vector>

#include <vamp/collision/factory.hh>
#include <vamp/planning/grrtstar.hh>
#include <vamp/planning/rrtc.hh>
#include <vamp/planning/simplify.hh>
#include <vamp/planning/validate.hh>
#include <vamp/random/halton.hh>
#include <vamp/robots/fetch.hh>
#include <vamp/robots/panda.hh>
#include <vamp/robots/ur5.hh>

using Robot = vamp::robots::ROBOT;
static constexpr std::size_t rake = vamp::FloatVectorWidth, resolution = Robot::resolution, joints = Robot::dimension;
using Scene = vamp::collision::Environment<float>;
using Lanes = vamp::collision::Environment<vamp::FloatVector<rake>>;
using Point = Robot::Configuration;

struct Problem {
	Point start, goal;
	Lanes obstacles;
};

struct Edge {
	std::size_t problem;
	Point from, step;
};

static Point point(const double *&p) {
	Robot::ConfigurationBuffer q{};
	for (std::size_t i = 0; i < joints; i++) q[i] = (float)*p++;
	return Point(q.data());
}

static void obstacle(const double *&p, Scene &scene) {
	const double *size = p + 2, *r = p + 5, *at = p + 14;
	int kind = (int)p[0];
	p += 17;
	auto f = [](double x) { return (float)x; };
	if (kind == 0) {
		scene.spheres.emplace_back(vamp::collision::factory::sphere::array({f(at[0]), f(at[1]), f(at[2])}, f(size[0])));
	} else if (kind == 1) {
		std::array<float, 3> a, b;
		for (int i = 0; i < 3; i++) a[i] = f(at[i] - r[3 * i + 2] * size[1] / 2), b[i] = f(at[i] + r[3 * i + 2] * size[1] / 2);
		auto c = vamp::collision::factory::capsule::endpoints::array(a, b, f(size[0]));
		(c.xv == 0 && c.yv == 0 ? scene.z_aligned_capsules : scene.capsules).emplace_back(c);
	} else {
		vamp::collision::Cuboid<float> c(
			f(at[0]), f(at[1]), f(at[2]), f(r[0]), f(r[3]), f(r[6]), f(r[1]), f(r[4]), f(r[7]), f(r[2]), f(r[5]), f(r[8]), f(size[0] / 2), f(size[1] / 2), f(size[2] / 2));
		(c.axis_3_z == 1 ? scene.z_aligned_cuboids : scene.cuboids).emplace_back(c);
	}
}

static void read(const char *path, std::vector<Problem> &problems, std::vector<Edge> &edges) {
	std::ifstream in(path, std::ios::binary);
	std::vector<char> bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
	std::vector<double> all(bytes.size() / 8);
	std::memcpy(all.data(), bytes.data(), all.size() * 8);
	const double *p = all.data();
	if ((std::size_t)*p++ != joints) std::fprintf(stderr, "%s is for another robot\n", path), std::exit(1);
	for (int n = (int)*p++; n > 0; n--) {
		Point start = point(p), goal = point(p);
		Scene scene;
		for (int k = (int)*p++; k > 0; k--) obstacle(p, scene);
		scene.sort();
		problems.push_back({start, goal, Lanes(scene)});
	}
	for (int n = (int)*p++; n > 0; n--) {
		auto problem = (std::size_t)*p++;
		Point from = point(p);
		edges.push_back({problem, from, point(p)});
	}
}

static auto sampler() { return std::make_shared<vamp::rng::Halton<Robot>>(); }

static int plan(const char *file) {
	std::vector<Problem> problems;
	std::vector<Edge> edges;
	read(file, problems, edges);
	vamp::planning::RRTCSettings settings;
	settings.range = RANGE;
	settings.max_samples = settings.max_iterations = 1000000;
	for (std::size_t i = 0; i < problems.size(); i++) {
		auto &x = problems[i];
		auto random = sampler();
		auto found = vamp::planning::RRTC<Robot, rake, resolution>::solve(x.start, x.goal, x.obstacles, settings, random);
		if (found.path.size() < 2) continue;
		auto simple = vamp::planning::simplify<Robot, rake, resolution>(found.path, x.obstacles, vamp::planning::SimplifySettings(), random);
		std::printf("plan.%zu %zu\ntotal.%zu %zu\nlength.%zu %g\n", i, found.nanoseconds, i, found.nanoseconds + simple.nanoseconds, i, simple.path.cost());
	}
	return 0;
}

static int star(const char *file, int samples) {
	std::vector<Problem> problems;
	std::vector<Edge> edges;
	read(file, problems, edges);
	vamp::planning::GRRTStarSettings settings;
	settings.range = RANGE;
	settings.max_samples = settings.max_iterations = (std::size_t)samples;
	for (std::size_t i = 0; i < problems.size(); i++) {
		auto &x = problems[i];
		auto found = vamp::planning::GRRTStar<Robot, rake, resolution>::solve(x.start, x.goal, x.obstacles, settings, sampler());
		if (found.path.size() < 2) continue;
		std::printf("total.%zu %zu\nlength.%zu %g\n", i, found.nanoseconds, i, found.path.cost());
	}
	return 0;
}

// least prints the least mean of the batches over n calls.
template <typename Call> static void least(const char *name, int batches, std::size_t n, Call call) {
	double least = 1e300;
	std::size_t sum = 0;
	for (int b = 0; b < batches; b++) {
		auto begin = std::chrono::steady_clock::now();
		for (std::size_t i = 0; i < n; i++) sum += call(i);
		std::chrono::duration<double, std::nano> d = std::chrono::steady_clock::now() - begin;
		least = std::min(least, d.count() / (double)n);
	}
	std::printf("%s %.1f\n", name, least);
	std::fprintf(stderr, "%s %zu\n", name, sum);
}

static int along(const char *file, int batches) {
	std::vector<Problem> problems;
	std::vector<Edge> edges;
	read(file, problems, edges);
	constexpr std::size_t configurations = 16;
	least("edge", batches, edges.size() * configurations, [&](std::size_t i) -> std::size_t {
		if (i % configurations != 0) return 0; // one call for all of the edge
		auto &e = edges[i / configurations];
		return vamp::planning::validate_vector<Robot, rake, 32>(e.from, e.step, 0.5F, problems[e.problem].obstacles);
	});
	return 0;
}

static int near(std::size_t n, int batches) {
	std::mt19937 random(1);
	std::uniform_real_distribution<float> uniform(0, 1);
	std::size_t width = Point::num_scalars_rounded;
	auto *buffer = vamp::utils::vector_alloc<float, vamp::FloatVectorAlignment, vamp::FloatVectorWidth>(2 * n * width);
	vamp::planning::NN<joints> tree;
	for (std::size_t i = 0; i < 2 * n; i++) {
		std::fill(buffer + i * width, buffer + (i + 1) * width, 0.F);
		for (std::size_t k = 0; k < joints; k++) buffer[i * width + k] = uniform(random);
		if (i < n) tree.insert({i, {buffer + i * width}});
	}
	std::size_t queries = std::min<std::size_t>(n, 2000);
	least("near", batches, queries, [&](std::size_t i) { return tree.nearest(vamp::planning::NNFloatArray<joints>{buffer + (n + i) * width})->first.index; });
	free(buffer);
	return 0;
}

int main(int argc, char **argv) {
	if (argc == 3 && !std::strcmp(argv[1], "plan")) return plan(argv[2]);
	if (argc == 4 && !std::strcmp(argv[1], "star")) return star(argv[2], std::atoi(argv[3]));
	if (argc == 4 && !std::strcmp(argv[1], "along")) return along(argv[2], std::atoi(argv[3]));
	if (argc == 4 && !std::strcmp(argv[1], "near")) return near((std::size_t)std::atol(argv[2]), std::atoi(argv[3]));
	return 1;
}
