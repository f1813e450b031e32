package flow

import "github.com/sinew-robotics/sinew/net/block"

// Blocks returns the types of blocks of this package.
func Blocks() []block.Entry {
	return []block.Entry{
		block.Of[Constant]("writes a value that can be tuned"),
		block.Of[Wave]("writes a sine, square, triangle or ramp"),
		block.Of[Gain]("multiplies each element"),
		block.Of[Sum]("adds and subtracts vectors"),
		block.Of[Mux]("makes one vector of n numbers"),
		block.Of[Demux]("makes n numbers of one vector"),
		block.Of[Delay]("writes what came n steps ago, and opens loops"),
		block.Of[RateTransition]("interpolates between slow values"),
		block.Of[Switch]("passes one of several vectors on"),
		block.Of[Scope]("shows named signals to operators"),
	}
}
