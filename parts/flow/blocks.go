package flow

import (
	"embed"

	"github.com/sinew-robotics/sinew/net/block"
)

//go:embed blocks.go compare.go complementary.go constant.go deadzone.go delay.go derivative.go doc.go elements.go
//go:embed gain.go hold.go integrator.go kalman.go late.go logic.go lookup.go lowpass.go merge.go mux.go noise.go
//go:embed ratelimit.go ratetransition.go saturation.go scope.go select.go step.go sum.go switch.go transferfunction.go
//go:embed wave.go
var sources embed.FS // for the doc comments of the blocks

// maxInputs is the maximum number of inputs of a block whose parameter lists them.
const maxInputs = 1000

// Blocks returns the block types of this package.
func Blocks() []block.Entry {
	return block.WithSources(sources,
		block.Of[Constant]("writes a value that can be tuned"),
		block.Of[Wave]("writes a sine, square, triangle or ramp"),
		block.Of[Step]("changes its value once, at a given time"),
		block.Of[Noise]("writes random numbers, the same ones for the same seed"),
		block.Of[Gain]("multiplies each element"),
		block.Of[Sum]("adds and subtracts vectors"),
		block.Of[Integrator]("integrates over time within bounds, and opens loops"),
		block.Of[Derivative]("differentiates and smooths"),
		block.Of[TransferFunction]("a linear system given by its coefficients, continuous or sampled"),
		block.Of[LowPass]("smooths: a first-order low pass"),
		block.Of[Complementary]("joins a rate that drifts and an angle that is noisy"),
		block.Of[Kalman]("estimates the state of a linear system: the Kalman filter"),
		block.Of[Saturation]("keeps each element between two bounds, and shows what they cut off"),
		block.Of[DeadZone]("passes on what is outside two bounds"),
		block.Of[RateLimit]("bounds how fast each element rises and falls"),
		block.Of[Lookup]("a function given by a table, with straight lines between its points"),
		block.Of[Merge]("forwards whichever of several vectors was written"),
		block.Of[Mux]("joins n numbers into one vector"),
		block.Of[Demux]("splits one vector into n numbers"),
		block.Of[Delay]("delays a vector by n steps, and opens loops"),
		block.Of[RateTransition]("interpolates between slow values"),
		block.Of[Switch]("forwards one of several vectors"),
		block.Of[Select]("picks elements of a vector; which ones can be tuned"),
		block.Of[Hold]("keeps its output while its input hold is true"),
		block.Of[Compare]("reports whether a number is above a threshold"),
		block.Of[Logic]("combines truth values: and, or, xor, nand, nor, not"),
		block.Of[Scope]("shows named signals to operators"),
	)
}
