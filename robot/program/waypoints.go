package program

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/robot/description/document"
)

// maxPoint is the most waypoints of one movePath.
const maxPoint = 100_000

// path reads waypoints, from the program or from the JSON of a plan.
func (p *parser) path(v *Move, n *yaml.Node) {
	if n.Kind == yaml.ScalarNode {
		if err := p.plan(v, n.Value); err != nil {
			p.fail(n, "movePath %s: %v", document.Clip(n.Value), err)
		}
		return
	}
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 || len(n.Content) > maxPoint {
		p.fail(n, "movePath wants a list of 1 to %d waypoints, or the name of a file of sinew plan --json", maxPoint)
		return
	}
	for _, row := range n.Content {
		if row.Kind != yaml.SequenceNode || len(row.Content) != len(n.Content[0].Content) || len(row.Content) == 0 {
			p.fail(row, "a waypoint wants a list with the positions of all joints")
			return
		}
		point := make([]float64, len(row.Content))
		for i, x := range row.Content {
			point[i] = p.quantity(x, "the position of a joint", joint)
		}
		v.Points = append(v.Points, point)
	}
}

// plan reads the path of sinew plan --json.
func (p *parser) plan(v *Move, name string) error {
	if p.fsys == nil {
		return errors.New("the program has no folder in which the file could be: give the waypoints as a list")
	}
	file := path.Join(path.Dir(p.file), name)
	text, err := fs.ReadFile(p.fsys, file)
	if err != nil {
		return err
	}
	var plan struct {
		Joints []string    `json:"joints"`
		Path   [][]float64 `json:"path"`
	}
	if len(text) > maxFile {
		return fmt.Errorf("the file has %d bytes: wants at most %d", len(text), maxFile)
	}
	if err := json.Unmarshal(text, &plan); err != nil {
		return fmt.Errorf("wants the output of sinew plan --json: %w", err)
	}
	if len(plan.Path) == 0 || len(plan.Path) > maxPoint || len(plan.Joints) == 0 {
		return errors.New("wants the output of sinew plan --json with joints and a path; it has none")
	}
	for k, row := range plan.Path {
		for _, x := range row {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return fmt.Errorf("point %d is not finite", k)
			}
		}
		if len(row) != len(plan.Joints) {
			return fmt.Errorf("point %d has %d numbers: wants one for each of the %d joints", k, len(row), len(plan.Joints))
		}
	}
	v.Points, v.Names = plan.Path, plan.Joints
	return nil
}
