//go:build !fcl

package plan

import "github.com/sinew-robotics/sinew/robot/scene"

// otherEngines returns the names of engines that are not sinew's: none but with the build tag fcl.
func otherEngines() []string { return nil }

// otherEngine returns the engine of a name that is not sinew's, nil for others.
func otherEngine(string, *scene.Scene) (scene.Engine, error) { return nil, nil }
