// Prints the wrenches that MuJoCo finds in the joints of a robot: wrenches ROBOT.urdf < STATES
//
// STATES has the numbers of q, v and a of each state, in the order of MuJoCo's joints. For each body of each state it prints a line
// "body fx fy fz nx ny nz": the force (N) and the moment (N m) about the body's origin that its parent exerts on it, in the axes of the
// body. MuJoCo has them as cfrc_int, about the centre of mass of the whole tree and in the axes of the world. The URDF must have masses
// for all links that move and no meshes.
#include <cstdio>

#include <mujoco/mujoco.h>

int main(int argc, char **argv) {
	char error[1000] = "";
	mjModel *m = argc == 2 ? mj_loadXML(argv[1], nullptr, error, sizeof error) : nullptr;
	if (!m) {
		std::fprintf(stderr, "%s\n", error);
		return 1;
	}
	m->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CONTACT | mjDSBL_PASSIVE;
	mjData *d = mj_makeData(m);
	std::fprintf(stderr, "geoms %d\n", m->ngeom);
	for (int i = 0; i < m->njnt; i++) std::fprintf(stderr, "joint %s\n", mj_id2name(m, mjOBJ_JOINT, i));
	for (;;) {
		mjtNum *parts[] = {d->qpos, d->qvel, d->qacc};
		int numbers[] = {m->nq, m->nv, m->nv};
		mjtNum acc[1000];
		parts[2] = acc;
		for (int k = 0; k < 3; k++)
			for (int i = 0; i < numbers[k]; i++)
				if (std::scanf("%lf", &parts[k][i]) != 1) return 0;
		mj_forward(m, d);
		mju_copy(d->qacc, acc, m->nv);
		mj_rnePostConstraint(m, d);
		for (int b = 1; b < m->nbody; b++) {
			const mjtNum *c = d->cfrc_int + 6 * b, *com = d->subtree_com + 3 * m->body_rootid[b];
			mjtNum r[3], moment[3], f[3], n[3];
			mju_sub3(r, com, d->xpos + 3 * b);
			mju_cross(moment, r, c + 3);
			mju_addTo3(moment, c);
			mju_rotVecMatT(f, c + 3, d->xmat + 9 * b);
			mju_rotVecMatT(n, moment, d->xmat + 9 * b);
			std::printf("%s %.15g %.15g %.15g %.15g %.15g %.15g\n", mj_id2name(m, mjOBJ_BODY, b), f[0], f[1], f[2], n[0], n[1], n[2]);
		}
	}
}
