// Package motion is the blocks with which a robot moves among obstacles, some of which move too:
//
//	            ┌─────────┐ request   ┌─────────┐
//	            │ Executor├──────────►│ Planner │   in a thread of its own
//	obstacles ─►│         │◄──────────┤         │◄─ obstacles
//	            └────┬────┘   plan    └─────────┘
//	                 ├─► position, velocity, acceleration
//	                 ▼
//	            ┌─────────┐
//	obstacles ─►│ Monitor ├─► distance
//	            └─────────┘
//
// [Planner] plans timed motions that package planning has proved free. [Executor] follows them, looks ahead, and slows down, stops or asks for another
// plan when something comes into the way. [Monitor] measures the least distance in each cycle. [Mapper] turns the images of a depth camera into
// obstacles for all of them. [Avoider] lets a redundant robot yield to what comes near while its hand goes on with a task. Plans, requests and obstacles are plain data that the links between threads carry without a lock.
//
// Planner, executor, monitor and avoider describe their world alike: see [World].
package motion

import (
	"embed"

	"github.com/sinew-robotics/sinew/net/block"
)

//go:embed avoider.go cubes.go doc.go executor.go exits.go mapper.go message.go monitor.go planner.go retreat.go world.go
var sources embed.FS // for the doc comments of the blocks

// Blocks returns the types of blocks of this package.
func Blocks() []block.Entry {
	return block.WithSources(sources,
		block.Of[Planner]("plans timed motions among obstacles, on request"),
		block.Of[Executor]("follows planned motions from station to station; slows down, stops or plans again before an obstacle"),
		block.Of[Avoider]("yields to what comes near in the null space of a task: the hand goes on, the elbow moves aside"),
		block.Of[Mapper]("remembers in cubes what a depth camera sees, without the robot"),
		block.Of[Monitor]("the least distance between a robot and what is around it, in each cycle"),
	)
}
