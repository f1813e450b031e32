package program

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/cli/figure"
	"github.com/sinew-robotics/sinew/cli/verb"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

func drawCommand() *cobra.Command {
	var f robotFlags
	var way bool
	cmd := &cobra.Command{
		Use:   "draw FILE PICTURE.svg|PICTURE.png",
		Short: "Draw the motion of a program",
		Long: `Draw the motion of a program over time: positions and speeds of the joints, and the speed of the tool. --path draws the way of the tool instead, from above, from
the front and from the side: blue discs are stops, orange ones the ends of moveJ and movePath, which blends pass beside.`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			format := strings.TrimPrefix(strings.ToLower(filepath.Ext(args[1])), ".")
			if format != "svg" && format != "png" {
				return fmt.Errorf("draw into %s: want a file that ends in .svg or .png", args[1])
			}
			c, err := f.compile(args[0])
			if err != nil {
				return err
			}
			height := 24.0
			if way {
				height = 7.5
			}
			picture, err := figure.New(format, 18, height)
			if err != nil {
				return err
			}
			s, err := c.sample()
			if err != nil {
				return err
			}
			title := fmt.Sprintf("%s, %.2f s", c.title(args[0]), c.motion.Duration())
			if way {
				picture.Row(title, s.way())
			} else {
				picture.Column(title, s.times(c))
			}
			to, err := verb.Create(args[1], args[0], f.robot)
			if err != nil {
				return err
			}
			if _, err := picture.WriteTo(to); err != nil {
				to.Close()
				return err
			}
			return to.Close()
		},
	}
	f.register(cmd)
	cmd.Flags().BoolVar(&way, "path", false, "draw the way of the tool")
	return cmd
}

// samples are the motion over time.
type samples struct {
	time      []float64
	positions [][]float64 // of each joint
	speeds    [][]float64 // of each joint, in percent of its limit
	tool      []spatial.Vec3
	fast      []float64 // speed of the tool, m/s
	stops     []spatial.Vec3
	targets   []spatial.Vec3 // of moves of the joints
}

// sample follows the tool of the moves through the motion.
func (c *compiled) sample() (*samples, error) {
	m := c.motion
	const most = 2000
	step := max(cycle, m.Duration()/most)
	s := &samples{positions: make([][]float64, m.Axes()), speeds: make([][]float64, m.Axes())}
	states, q, data := make([]trajectory.State, m.Axes()), make([]float64, m.Axes()), multibody.NewData(c.model)
	at := func(time float64) (spatial.Vec3, error) {
		m.At(time, states)
		for i := range q {
			q[i] = states[i].Position
		}
		multibody.FK(data, q)
		k := max(m.PartAt(time), 0)
		link, pose, err := m.Tool(c.program, c.model, k)
		if err != nil {
			return spatial.Vec3{}, err
		}
		return data.Pose(link).Mul(pose).P, nil
	}
	for k := 0; ; k++ {
		time := min(float64(k)*step, m.Duration())
		p, err := at(time)
		if err != nil {
			return nil, err
		}
		s.time, s.tool = append(s.time, time), append(s.tool, p)
		for i, x := range states {
			s.positions[i] = append(s.positions[i], x.Position)
			s.speeds[i] = append(s.speeds[i], 100*x.Velocity/m.Limits[i].Velocity)
		}
		speed := math.NaN()
		if k > 0 {
			speed = p.Sub(s.tool[k-1]).Norm() / (time - s.time[k-1])
		}
		s.fast = append(s.fast, speed)
		if time >= m.Duration() {
			break
		}
	}
	for _, time := range m.Stops() {
		p, err := at(time)
		if err != nil {
			return nil, err
		}
		s.stops = append(s.stops, p)
	}
	for k, p := range m.Parts {
		if p.Target == nil {
			continue
		}
		link, pose, err := m.Tool(c.program, c.model, k)
		if err != nil {
			return nil, err
		}
		multibody.FK(data, p.Target)
		s.targets = append(s.targets, data.Pose(link).Mul(pose).P)
	}
	return s, nil
}

// times returns the plots over time.
func (s *samples) times(c *compiled) []figure.Plot {
	palette := figure.Palette()
	joints := func(label, unit string, values [][]float64) figure.Plot {
		p := figure.Plot{X: figure.Axis{Label: "time", Unit: "s"}, Y: figure.Axis{Label: label, Unit: unit}}
		for i, y := range values {
			p.Lines = append(p.Lines, figure.Line{Name: c.names[i], X: s.time, Y: y, Color: palette[i%len(palette)], Width: 1, Dashed: i >= len(palette)})
		}
		return p
	}
	tool := figure.Plot{X: figure.Axis{Label: "time", Unit: "s"}, Y: figure.Axis{Label: "tool", Unit: "m/s"}}
	tool.Lines = []figure.Line{{X: s.time, Y: s.fast, Color: palette[0], Width: 1}}
	return []figure.Plot{joints("joints", "rad, m", s.positions), joints("speed", "%", s.speeds), tool}
}

// way returns the plots of the tool's path, with discs at the stops and at the targets of moves of the joints.
func (s *samples) way() []figure.Plot {
	coordinates := [3]struct {
		name string
		of   func(spatial.Vec3) float64
	}{{"x", func(v spatial.Vec3) float64 { return v.X }}, {"y", func(v spatial.Vec3) float64 { return v.Y }}, {"z", func(v spatial.Vec3) float64 { return v.Z }}}
	color, other := figure.Palette()[0], figure.Palette()[1]
	var plots []figure.Plot
	for _, pair := range [][2]int{{0, 1}, {1, 2}, {0, 2}} {
		a, b := coordinates[pair[0]], coordinates[pair[1]]
		line, dots, targets := figure.Line{Color: color, Width: 1}, figure.Dots{Color: color, Radius: 2.5}, figure.Dots{Color: other, Radius: 1.5}
		low, high := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
		for _, v := range s.tool {
			x, y := a.of(v), b.of(v)
			line.X, line.Y = append(line.X, x), append(line.Y, y)
			low, high = [2]float64{min(low[0], x), min(low[1], y)}, [2]float64{max(high[0], x), max(high[1], y)}
		}
		for _, v := range s.stops {
			dots.X, dots.Y = append(dots.X, a.of(v)), append(dots.Y, b.of(v))
		}
		for _, v := range s.targets {
			x, y := a.of(v), b.of(v)
			targets.X, targets.Y = append(targets.X, x), append(targets.Y, y)
			low, high = [2]float64{min(low[0], x), min(low[1], y)}, [2]float64{max(high[0], x), max(high[1], y)}
		}
		half := 0.55*max(high[0]-low[0], high[1]-low[1]) + 1e-3 // one scale in both directions
		x, y := (low[0]+high[0])/2, (low[1]+high[1])/2
		plots = append(plots, figure.Plot{
			X:     figure.Axis{Label: a.name, Unit: "m", Min: x - half, Max: x + half},
			Y:     figure.Axis{Label: b.name, Unit: "m", Min: y - half, Max: y + half},
			Lines: []figure.Line{line}, Dots: []figure.Dots{dots, targets},
		})
	}
	return plots
}
