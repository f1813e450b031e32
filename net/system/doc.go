// Package system reads system files: YAML that describes which blocks there are, which threads run them and how they are
// linked. Structure and mapping are separate, so that an overlay can exchange either.
//
//	system: janus
//	threads:
//	  servo: {period: 10ms, priority: 80}
//	blocks:
//	  pid1: {type: servo.PID, thread: servo, params: {kp: 12, ki: 0.4, kd: 3}}
//	links:
//	  - joint1.position -> pid1.sen
//
// [Load] reads a file with its overlays and included groups and builds the net. Everything that is wrong comes at
// once, each with file, line and column and the nearest right name. docs/reference/system-file.md describes every key. Package net/run starts the system.
package system
