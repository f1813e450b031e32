package console_test

import "github.com/sinew-robotics/sinew/net/block"

// robot stands for a robot of a model.
type robot struct {
	URDF     block.Const[string]
	Position block.Out[[]float64] `unit:"rad"`
}
