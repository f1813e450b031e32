// Package plans plans motions of robots for pages of the console: for robots of running systems, and for robots that were added without a system.
//
// A page sends the whole problem with each request: start, goal, obstacles and settings. A [Planner] of each
// pane keeps what the last request needed, so that the next one, a goal or an obstacle that was dragged a little, takes as long as its plan. A request ends the
// one that the pane made before it, so that requests do not queue up. All requests that compute, to plan, reach, check or slice, take turns by user.
package plans
