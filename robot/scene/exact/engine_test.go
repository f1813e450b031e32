package exact_test

import (
	"testing"

	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
	"github.com/sinew-robotics/sinew/robot/scene/scenetest"
)

func TestEngineConforms(t *testing.T) {
	scenetest.Run(t, func(s *scene.Scene) (scene.Engine, error) { return exact.New(s), nil })
}
