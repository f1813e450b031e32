package motion

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Monitor measures the least distance between a robot and what is around it, and between parts of the robot that may collide, in each cycle. It is that
// of the exact engine, for all pairs that are checked; it is negative where bodies overlap.
//
//	             ┌─────────┐
//	position ──► │ Monitor ├─► distance, from, to
//	   balls ──► │         │
//	             └─────────┘
type Monitor struct {
	World

	Position block.In[[]float64] `required:"yes" trigger:"yes" unit:"{Coordinate}" doc:"of the robot's joints"`
	Places   block.In[[]float64] `name:"balls" unit:"m" doc:"x, y and z of each ball"`
	Seen     block.In[[]float32] `unit:"m" doc:"cubes of a Mapper"`
	Loaded   block.In[bool]      `doc:"the robot carries the load"`

	Distance block.Out[float64]   `unit:"m" watch:"yes" doc:"the least one; negative: the depth of an overlap"`
	From     block.Out[[]float64] `unit:"m" doc:"where it is: a point of the one body, x, y and z"`
	To       block.Out[[]float64] `unit:"m" doc:"and of the other one"`

	world   *world
	engines [2]*exact.Engine
	q       []float64
}

// Setup reads the world and makes the ports. It fails for files that cannot be read.
func (m *Monitor) Setup(s *block.Setup) error {
	var err error
	if m.world, err = m.read(s, 0, 0); err != nil {
		return err
	}
	for k, scene := range m.world.scenes {
		m.engines[k] = exact.New(scene)
	}
	m.q = make([]float64, len(m.world.q))
	s.Len(m.world.dim, &m.Position)
	m.world.ports(s, &m.Places, &m.Seen)
	s.Len(3, &m.From, &m.To)
	return nil
}

// Step measures.
func (m *Monitor) Step(clock.Tick) error {
	q, status := m.Position.Read()
	if status == block.NoData {
		return nil
	}
	if balls, status := m.Places.Read(); status != block.NoData && !m.world.place(balls) {
		return errBalls
	}
	if _, err := m.world.look(&m.Seen); err != nil {
		return err
	}
	loaded, _ := m.Loaded.Read()
	m.world.joints.Configuration(q, m.q)
	k := 0
	if loaded {
		k = 1
	}
	c, err := m.engines[k].Distance(m.q)
	if err != nil {
		return err
	}
	m.Distance.Write(min(c.Distance, farthest))
	set(&m.From, c.A)
	set(&m.To, c.B)
	return nil
}

// farthest is the distance where no pair is checked, m: ports carry finite numbers.
const farthest = 1e9

func set(out *block.Out[[]float64], p spatial.Vec3) {
	x := *out.Slot()
	x[0], x[1], x[2] = p.X, p.Y, p.Z
	out.Commit()
}
