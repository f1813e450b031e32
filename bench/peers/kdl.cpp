// Times the kinematics and dynamics of KDL for one robot: kdl ROBOT.urdf TOOL BATCHES
//
// Prints a line "algorithm ns" for each algorithm that KDL has for this robot: the least mean of the batches. KDL's inverse
// dynamics takes trees; the other solvers take the chain from the root to the tool, and are left out where that is not
// the whole robot.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/chainjnttojacsolver.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>
#include <kdl_parser/kdl_parser.hpp>

#include "timing.h"

static const int calls = 2000;

int main(int argc, char **argv) {
	KDL::Tree tree;
	if (argc != 4 || !kdl_parser::treeFromFile(argv[1], tree)) return 1;
	int batches = std::atoi(argv[3]);
	int n = tree.getNrOfJoints();
	KDL::Chain chain;
	bool whole = tree.getChain(tree.getRootSegment()->first, argv[2], chain) && (int)chain.getNrOfJoints() == n;

	std::mt19937 random(7);
	std::uniform_real_distribution<double> uniform(-1.5, 1.5);
	std::vector<KDL::JntArray> q(states, KDL::JntArray(n)), v = q, a = q, tau = q;
	for (auto *set : {&q, &v, &a, &tau})
		for (auto &x : *set)
			for (int i = 0; i < n; i++) x(i) = uniform(random);
	KDL::Vector gravity(0, 0, -9.81);
	KDL::JntArray out(n);

	if (!whole) {
		KDL::TreeIdSolver_RNE rne(tree, gravity);
		KDL::WrenchMap forces;
		time_it("rnea", batches, calls, [&](int i) { rne.CartToJnt(q[i], v[i], a[i], forces, out); });
		return 0;
	}
	std::vector<KDL::Frame> frames(chain.getNrOfSegments());
	KDL::ChainFkSolverPos_recursive fk(chain);
	time_it("fk", batches, calls, [&](int i) { fk.JntToCart(q[i], frames); });
	KDL::ChainJntToJacSolver jac(chain);
	KDL::Jacobian J(n);
	time_it("jacobian", batches, calls, [&](int i) { jac.JntToJac(q[i], J); });
	KDL::ChainIdSolver_RNE rne(chain, gravity);
	KDL::Wrenches forces(chain.getNrOfSegments());
	time_it("rnea", batches, calls, [&](int i) { rne.CartToJnt(q[i], v[i], a[i], forces, out); });
	KDL::ChainFdSolver_RNE fd(chain, gravity);
	time_it("aba", batches, calls, [&](int i) { fd.CartToJnt(q[i], v[i], tau[i], forces, out); });
	KDL::ChainDynParam dynamics(chain, gravity);
	KDL::JntSpaceInertiaMatrix M(n);
	time_it("crba", batches, calls, [&](int i) { dynamics.JntToMass(q[i], M); });
	return 0;
}
