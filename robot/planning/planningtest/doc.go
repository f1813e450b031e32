// Package planningtest holds what the tests of planning and of the packages above it share: robots with the problems of MotionBenchMaker.
package planningtest
