package plans

import (
	"context"
	"fmt"
	"strings"

	"github.com/sinew-robotics/sinew/robot/scenario"
	"github.com/sinew-robotics/sinew/robot/scene"
)

// SceneRequest asks for a file of obstacles.
type SceneRequest struct {
	Entry
	Objects []Object `json:"objects"`
}

// SceneReply holds the text of a file.
type SceneReply struct {
	Text string `json:"text"`
}

// WriteScene returns the YAML of a MoveIt planning scene with obstacles, which `sinew plan --scene` reads.
func (p *Plans) WriteScene(ctx context.Context, q SceneRequest) (*SceneReply, error) {
	if len(q.Objects) > mostObjects {
		return nil, fmt.Errorf("save a scene: %d obstacles; at most %d", len(q.Objects), mostObjects)
	}
	own, _, err := p.robots.World(ctx, q.System, q.Robot)
	if err != nil {
		return nil, err
	}
	bodies := map[string]*scene.Body{}
	for i, b := range own.Scene.Bodies() {
		if b.Object {
			bodies[b.Name] = &own.Scene.Bodies()[i]
		}
	}
	w := scenario.World{Frame: "world"}
	for i := range q.Objects {
		o, err := q.Objects[i].object(bodies)
		if err != nil {
			return nil, fmt.Errorf("save a scene: %w", err)
		}
		w.Objects = append(w.Objects, o)
	}
	var b strings.Builder
	if err := scenario.WriteMoveIt(&b, &w); err != nil {
		return nil, err
	}
	return &SceneReply{b.String()}, nil
}
