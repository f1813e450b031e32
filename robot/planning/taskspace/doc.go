// Package taskspace plans by the pose of a tool: [Goals] are all configurations of an arm at a pose or in a [Region], and [Line] leads the tool straight to
// a pose.
package taskspace
