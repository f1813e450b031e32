package motion

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/seeing"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Mapper remembers in cubes what a depth camera sees, for [Planner], [Executor] and [Monitor] ([seeing.Map]):
//
//	             ┌────────┐
//	   depth ──► │ Mapper ├─► seen, count
//	position ──► │        │
//	  loaded ──► │        │
//	             └────────┘
//
// A cube in which a depth lies is occupied. It is free again when rays pass through it, or when it has not been seen for the time forget. The robot
// and its load, larger by padding, do not occupy cubes. The camera is fixed in the frame of the robot's root link: z along the optical axis, x to the right and y down in the
// image. Depths are measured along z in metres; 0 and NaN are invalid, infinity means that nothing is within range. An image of 640 × 480
// pixels takes some milliseconds, so the mapper belongs in a thread of its own. It allocates nothing. More occupied cubes than the parameter cubes are an error.
type Mapper struct {
	URDF       block.Const[string]    `required:"yes" doc:"file of the robot's links and joints"`
	Locked     block.Const[[]string]  `doc:"joints that do not move, as name or name=position [rad or m]"`
	Coordinate block.Const[string]    `default:"rad" doc:"unit of the positions: rad, or m where all joints slide; with rad, elements of joints that slide are in m"`
	Hand       block.Const[string]    `doc:"link that carries the load; default: none does"`
	Load       block.Const[float64]   `unit:"m" default:"0.03" min:"0.001" max:"10" doc:"radius of the load"`
	LoadAt     block.Const[[]float64] `unit:"m" default:"[0, 0, 0]" min:"-100" max:"100" doc:"its middle in the frame of the hand: x, y, z"`
	Padding    block.Const[float64]   `unit:"m" default:"0.02" min:"0" max:"1" doc:"by which the robot and its load count as larger where they are cut out"`

	Width  block.Const[int]       `default:"640" min:"1" max:"4096" doc:"pixels in a row"`
	Height block.Const[int]       `default:"480" min:"1" max:"4096" doc:"rows"`
	Focal  block.Const[[]float64] `required:"yes" min:"0.001" max:"1000000" doc:"focal lengths along a row and along a column, in pixels"`
	Middle block.Const[[]float64] `required:"yes" min:"-1000000" max:"1000000" doc:"where the optical axis meets the image: column and row, from 0"`
	Near   block.Const[float64]   `unit:"m" default:"0.2" min:"0" max:"1000" doc:"least valid depth"`
	Far    block.Const[float64]   `unit:"m" default:"3" min:"0.01" max:"10000" doc:"greatest valid depth"`
	At     block.Const[[]float64] `required:"yes" min:"-100" max:"100" doc:"place of the camera: x, y and z in m, then roll, pitch and yaw in rad about the fixed axes of the robot's root link"`

	Corner block.Const[[]float64] `unit:"m" required:"yes" min:"-100" max:"100" doc:"of the box that is mapped: its least x, y and z"`
	Size   block.Const[[]float64] `unit:"m" required:"yes" min:"0.001" max:"200" doc:"of the box along x, y and z"`
	Edge   block.Const[float64]   `unit:"m" default:"0.02" min:"0.001" max:"10" doc:"of a cube"`
	Forget block.Const[float64]   `unit:"s" default:"10" min:"0" max:"100000" doc:"time after which a cube that is not seen is free; 0: never"`
	Cubes  block.Const[int]       `default:"8192" min:"1" max:"262144" doc:"greatest number of occupied cubes"`

	Depth    block.In[[]float32] `required:"yes" trigger:"yes" unit:"m" doc:"depths of the pixels, row by row from the top left"`
	Position block.In[[]float64] `required:"yes" unit:"{Coordinate}" doc:"of the robot's joints when the image was taken"`
	Loaded   block.In[bool]      `doc:"the robot carries the load"`

	Seen  block.Out[[]float32] `unit:"m" doc:"the occupied cubes, as many as there are, for planner, executor, monitor and avoider"`
	Count block.Out[int64]     `watch:"yes" doc:"number of occupied cubes"`

	camera seeing.Camera
	pose   spatial.Pose
	world  *world
	own    [2]*seeing.SelfFilter // without and with the load
	m      *seeing.Map
	points []spatial.Vec3
	radius float64 // of the ball around a cube
	q      []float64
	now    time.Duration
}

// Setup makes the map.
func (m *Mapper) Setup(s *block.Setup) error {
	focal, middle, at, corner, size := m.Focal.Value(), m.Middle.Value(), m.At.Value(), m.Corner.Value(), m.Size.Value()
	for _, p := range []struct {
		name, want string
		have, n    int
	}{
		{"focal", "the lengths along a row and along a column", len(focal), 2}, {"middle", "column and row", len(middle), 2},
		{"at", "x, y, z, roll, pitch and yaw", len(at), 6}, {"corner", "x, y and z", len(corner), 3}, {"size", "x, y and z", len(size), 3},
	} {
		if p.have != p.n {
			return fmt.Errorf("%s has length %d: wants %s", p.name, p.have, p.want)
		}
	}
	m.camera = seeing.Camera{
		Width: m.Width.Value(), Height: m.Height.Value(), Fx: focal[0], Fy: focal[1], Cx: middle[0], Cy: middle[1], Unit: 1, Near: m.Near.Value(), Far: m.Far.Value(),
	}
	if err := m.camera.Check(); err != nil {
		return err
	}
	m.pose = spatial.Pose{R: spatial.RPY(at[3], at[4], at[5]), P: spatial.Vec3{X: at[0], Y: at[1], Z: at[2]}}
	edge := m.Edge.Value()
	voxels := geometry.Voxels{Corner: spatial.Vec3{X: corner[0], Y: corner[1], Z: corner[2]}, Size: edge}
	for i, x := range size {
		voxels.Counts[i] = int(math.Ceil(x/edge - 1e-9))
	}
	var err error
	if m.m, err = seeing.NewMap(voxels, time.Duration(m.Forget.Value()*float64(time.Second))); err != nil {
		return err
	}
	robot := World{URDF: m.URDF, Locked: m.Locked, Coordinate: m.Coordinate, Hand: m.Hand, Load: m.Load, LoadAt: m.LoadAt}
	if m.world, err = robot.read(s, 0, 0); err != nil {
		return err
	}
	for k, scene := range m.world.scenes {
		if m.own[k], err = seeing.NewOwn(scene, m.Padding.Value()); err != nil {
			return err
		}
	}
	m.radius = voxels.Radius()
	m.m.Reserve(m.Cubes.Value())
	m.points, m.q = make([]spatial.Vec3, 0, m.Cubes.Value()), make([]float64, len(m.world.q))
	s.Len(m.camera.Width*m.camera.Height, &m.Depth)
	s.Len(m.world.dim, &m.Position)
	s.MaxLen(cubesLen(m.Cubes.Value()), &m.Seen)
	return nil
}

// Start forgets everything.
func (m *Mapper) Start() error {
	m.m.Clear()
	m.now = 0
	return nil
}

var errCubes = errors.New("more cubes are occupied than the parameter cubes allows; allow more, or choose a greater edge or a smaller box")

// Step takes an image.
func (m *Mapper) Step(t clock.Tick) error {
	m.now += t.Dt
	depths, status := m.Depth.Read()
	q, placed := m.Position.Read()
	if status != block.NewData || placed == block.NoData {
		return nil
	}
	k := 0
	if loaded, _ := m.Loaded.Read(); loaded {
		k = 1
	}
	m.world.joints.Configuration(q, m.q)
	if err := m.own[k].Place(m.q); err != nil {
		return err
	}
	if _, err := seeing.SeeDepth(m.m, &m.camera, depths, &m.pose, m.own[k], m.now); err != nil {
		return err
	}
	if m.m.Len() > m.Cubes.Value() {
		return errCubes
	}
	m.points = m.m.Points(m.points[:0])
	seen := m.Seen.Slot()
	*seen = cubes(*seen).of(m.points, m.radius)
	m.Seen.Commit()
	m.Count.Write(int64(m.m.Len()))
	return nil
}
