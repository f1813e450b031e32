// Decomposes an OBJ file of triangles by V-HACD 4 into an OBJ file with an object for each convex hull: vhacd IN OUT [HULLS].
#define ENABLE_VHACD_IMPLEMENTATION 1
#include "VHACD.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

int main(int argc, char **argv) {
	if (argc < 3) return 2;
	std::vector<double> points;
	std::vector<uint32_t> triangles;
	std::ifstream in(argv[1]);
	for (std::string line, word; std::getline(in, line);) {
		std::istringstream words(line);
		words >> word;
		double x, y, z;
		if (word == "v" && words >> x >> y >> z) points.insert(points.end(), {x, y, z});
		if (word == "f" && words >> x >> y >> z) triangles.insert(triangles.end(), {uint32_t(x - 1), uint32_t(y - 1), uint32_t(z - 1)});
	}
	VHACD::IVHACD::Parameters p;
	p.m_asyncACD = false;
	if (argc > 3) p.m_maxConvexHulls = std::atoi(argv[3]);
	VHACD::IVHACD *v = VHACD::CreateVHACD();
	if (!v->Compute(points.data(), points.size() / 3, triangles.data(), triangles.size() / 3, p)) return 1;
	FILE *out = std::fopen(argv[2], "w");
	unsigned first = 1;
	for (uint32_t i = 0; i < v->GetNConvexHulls(); i++) {
		VHACD::IVHACD::ConvexHull h;
		v->GetConvexHull(i, h);
		std::fprintf(out, "o hull%u\n", i);
		for (auto &q : h.m_points) std::fprintf(out, "v %.17g %.17g %.17g\n", q.mX, q.mY, q.mZ);
		for (auto &t : h.m_triangles) std::fprintf(out, "f %u %u %u\n", first + t.mI0, first + t.mI1, first + t.mI2);
		first += h.m_points.size();
	}
	std::fclose(out);
	v->Release();
}
