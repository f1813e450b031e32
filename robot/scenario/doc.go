// Package scenario reads planning problems from files: the robot, the obstacles, where a motion starts and where it ends.
//
// [ReadRobot] and [ReadProblems] read the plain JSON in which the problems of MotionBenchMaker (Chamzas et al. 2022) are kept beside the
// repository, in data/planning; its README describes the two formats.
package scenario
