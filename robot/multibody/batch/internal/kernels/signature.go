package main

import "github.com/sinew-robotics/sinew/robot/multibody/batch/internal/record"

// Kernels of a step take the same arguments for all classes of joints, so that the step can be called through a variable.
// nq and nv are how many coordinates the joint has.

func newStep(nq int) *program {
	return newProgram(in("angle", 2), in("q", nq), in("parent", record.Frame), out("frame"))
}

func newMove(nq, nv int) *program {
	return newProgram(in("angle", 2), in("q", nq), in("parent", record.Motion),
		in("v", nv), in("a", nv), out("motion"), out("force"))
}

func newBalance(nq, nv int) *program {
	return newProgram(in("angle", 2), in("q", nq), in("a", nv), in("force", record.Force),
		in("children", record.Force), out("tau"), out("carried"))
}

func newBias(nq, nv int) *program {
	return newProgram(in("angle", 2), in("q", nq), in("parent", 3), in("v", nv),
		out("bias"), out("velocity"), out("force"))
}

func newArticulate() *program {
	return newProgram(in("angle", 2), in("q", 1), in("tau", 1), in("bias", record.Bias), in("force", record.Force),
		in("children", record.Art), out("joint"), out("carried"))
}

func newAccelerate() *program {
	return newProgram(in("angle", 2), in("q", 1), in("parent", record.Acc), in("bias", record.Bias),
		in("joint", record.Joint), out("a"), out("acc"))
}

// newRelease is the second outward step of ABA for a floating body, whose inward step has nothing to do.
func newRelease() *program {
	return newProgram(in("q", 7), in("v", 6), in("tau", 6), in("parent", record.Acc), in("force", record.Force),
		in("children", record.Art), out("a"), out("acc"))
}

func newCompose() *program {
	return newProgram(in("angle", 2), in("q", 1), in("children", record.Comp), out("diagonal"), out("force"), out("carried"))
}

func newWalk() *program {
	return newProgram(in("angle", 2), in("q", 1), in("force", record.Force), out("carried"))
}

// newColumn is for columns of the Jacobian of a link whose pose is given.
func newColumn() *program {
	return newProgram(in("frame", record.Frame), in("pose", record.Frame), out("columns"))
}
