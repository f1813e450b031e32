// Lines, circles and rounded composites of KDL (Debian liborocos-kdl-dev 1.5.1) for TestToolPathsAreThoseOfKDL:
//
//	g++ -O1 -I/usr/include/eigen3 kdl.cpp -lorocos-kdl -o kdl && ./kdl > kdl.txt
//
// Each case is a line with its kind and numbers, the length of the path, and 11 lines with s, position and quaternion (x y z w).
#include <cmath>
#include <cstdio>
#include <kdl/path_circle.hpp>
#include <kdl/path_line.hpp>
#include <kdl/path_roundedcomposite.hpp>
#include <kdl/rotational_interpolation_sa.hpp>
#include <random>
#include <vector>

using namespace KDL;

static std::mt19937_64 generator(20261126);
static double number(double low, double high) {
	return low + (high - low) * (generator() >> 11) * 0x1.0p-53;
}
static Vector vector(double size) { return Vector(number(-size, size), number(-size, size), number(-size, size)); }
static Rotation rotation() { return Rotation::RPY(number(-3, 3), number(-1.5, 1.5), number(-3, 3)); }
static void print(const Vector& v) { printf(" %.17g %.17g %.17g", v.x(), v.y(), v.z()); }
static void print(const Rotation& r) {
	double x, y, z, w;
	r.GetQuaternion(x, y, z, w);
	printf(" %.17g %.17g %.17g %.17g", x, y, z, w);
}
static void along(Path& p) {
	printf("length %.17g\n", p.PathLength());
	for (int k = 0; k <= 10; k++) {
		double s = p.PathLength() * k / 10;
		Frame f = p.Pos(s);
		printf("%.17g", s);
		print(f.p);
		print(f.M);
		printf("\n");
	}
}

int main() {
	printf("# written by kdl.cpp with KDL 1.5.1: see there\n");
	for (int k = 0; k < 20; k++) {
		Frame a(rotation(), vector(1)), b(rotation(), vector(k % 2 ? 1 : 5));
		Path_Line line(a, b, new RotationalInterpolation_SingleAxis(), 1);
		printf("line");
		print(a.p), print(a.M), print(b.p), print(b.M);
		printf("\n");
		along(line);
	}
	for (int k = 0; k < 20; k++) {
		Frame start(rotation(), vector(1));
		Rotation end = rotation();
		Vector center = vector(1), plane = vector(1);
		double alpha = number(0.1, 6);
		Path_Circle circle(start, center, plane, end, alpha, new RotationalInterpolation_SingleAxis(), 1);
		printf("circle"); // start, center, a point of the plane, the turn, and the orientation at the end
		print(start.p), print(start.M), print(center), print(plane);
		printf(" %.17g", alpha);
		print(end);
		printf("\n");
		along(circle);
	}
	for (int k = 0; k < 20; k++) {
		std::vector<Vector> corners;
		double radius = number(0.01, 0.05);
		Path_RoundedComposite path(radius, 1, new RotationalInterpolation_SingleAxis());
		printf("rounded %.17g", radius);
		for (int i = 0; i < 5; i++) {
			Vector v = Vector(i, i % 2, 0) + vector(0.3);
			print(v);
			path.Add(Frame(v));
		}
		path.Finish();
		printf("\n");
		along(path);
	}
}
