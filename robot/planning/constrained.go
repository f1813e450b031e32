package planning

import (
	"fmt"
	"math"
	"strings"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// ConstrainedSpace is the space of joints at whose points a tool keeps a [Constraint], for [Connect] and timed.Planner. Samples are projected by Newton's
// method, and the way between two points is the straight line between them, projected (Berenson, Srinivasa, Ferguson and Kuffner 2009; Kingston, Moll and
// Kavraki 2019, section 4.3, projected state space). Where two projected points in turn are farther apart than the resolution of a
// [Verifier] the way is not free: it jumps to another branch.
//
// An edge of a path is a curve; [ConstrainedSpace.Trace] makes it a polyline. It is the workspace of one goroutine, unlike other spaces.
type ConstrainedSpace struct {
	Tolerance float64 // how far the tool may be outside its region, m
	Turn      float64 // and how far it may be turned outside it, rad

	constraint Constraint
	joints     *space.Joints
	base       spatial.Pose
	model      *multibody.Model
	data       *multibody.Data
	first      int // coordinate of the model in a configuration
	link       int
	column     []int     // of each value of the space in the Jacobian of the model, -1: none
	reach      []float64 // m by which a value moves the tool at most, for each rad or m
	turns      []float64 // rad by which a value turns it, for each rad or m
	jacobian   []float64
	q          []float64
	a, b       []float64
	still      []float64
	states     []trajectory.State
	path       Path
	limits     []trajectory.Limits
}

// Parts of the tolerance: what projections leave, what points may be off, and what straight pieces between them may be off.
const (
	projected = 1. / 8
	onPoints  = 1. / 4
	between   = 1. / 2
)

// NewKept returns the space of joints in which a tool keeps a constraint within 1 mm and 0.01 rad. It fails for a link that no robot has, sizes that make no
// region, and, by a [*ConstraintError], if none of 200 samples can be projected to the constraint.
func NewKept(s *scene.Scene, joints *space.Joints, c Constraint) (*ConstrainedSpace, error) {
	if c.Tool.R == (spatial.Mat3{}) {
		c.Tool.R = spatial.Identity()
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	n := joints.Dim()
	k := &ConstrainedSpace{
		Tolerance: 1e-3, Turn: 1e-2, constraint: c, joints: joints, column: make([]int, n), reach: make([]float64, n), turns: make([]float64, n),
		q: make([]float64, s.NQ()), a: make([]float64, n), b: make([]float64, n), still: make([]float64, n), path: Path{dim: n}, states: make([]trajectory.State, n),
	}
	for _, m := range s.Models() {
		name, ok := strings.CutPrefix(c.Link, m.Prefix)
		link, err := m.Model.Link(name)
		if !ok || err != nil {
			k.first += m.Model.NQ()
			continue
		}
		k.model, k.data, k.base, k.link = m.Model, multibody.NewData(m.Model), m.Base, link
		k.jacobian = make([]float64, 6*m.Model.NV())
		k.bound(m)
		return k, k.find()
	}
	return nil, fmt.Errorf("keep a tool in a region: no robot of the scene has the link %q", c.Link)
}

// bound finds how far the tool moves with each value of the space, along the chain from the tool to the root.
func (k *ConstrainedSpace) bound(m scene.Model) {
	bodies, coordinates := m.Model.Tree()
	value := map[int]int{} // of the space, by coordinate of the model
	for i, name := range k.joints.Names {
		k.column[i] = -1
		if j, err := m.Model.Joint(strings.TrimPrefix(name, m.Prefix)); err == nil && strings.HasPrefix(name, m.Prefix) {
			k.column[i], value[j.Q] = j.V, i
		}
	}
	k.joints.Configuration(make([]float64, k.Dim()), k.q)
	at, place := m.Model.LinkFrame(k.link)
	far := place.P.Norm() + k.constraint.Tool.P.Norm()
	for ; at > 0; at = bodies[at].Parent {
		b := &bodies[at]
		far += b.Origin.Norm()
		if b.Kind != multibody.Turning && b.Kind != multibody.Sliding && b.Kind != multibody.Screwing {
			continue // its joint is held: spaces of joints have none of several coordinates
		}
		x := coordinates[b.Q]
		i, moves := value[x.From]
		scale := math.Abs(x.Scale)
		most := math.Abs(k.q[k.first+x.From])
		if moves {
			most = max(math.Abs(k.joints.Lower[i]), math.Abs(k.joints.Upper[i]))
		}
		slide, turn := 0.0, 0.0
		switch b.Kind {
		case multibody.Turning:
			turn = 1
		case multibody.Sliding:
			slide = 1
		case multibody.Screwing:
			slide, turn = math.Abs(b.Pitch), 1
		}
		if moves {
			k.turns[i] += scale * turn
			k.reach[i] += scale * (slide + turn*(far-b.Origin.Norm()))
		}
		far += slide * (scale*most + math.Abs(x.Offset))
	}
}

// find reports by an error that no sample can be projected.
func (k *ConstrainedSpace) find() error {
	var u space.Halton
	u.Reset(0)
	nearest := &ConstraintError{Link: k.constraint.Link}
	least := math.Inf(1)
	for range 200 {
		u.Next(k.a)
		k.joints.Scale(k.a)
		if k.project(k.a) {
			return nil
		}
		if e := k.constraint.off(k.tool(k.a)); size(e) < least {
			least, nearest.Off = size(e), e
		}
	}
	return nearest
}

// tool returns the pose of the tool in the scene at a point.
func (k *ConstrainedSpace) tool(p []float64) spatial.Pose {
	k.joints.Configuration(p, k.q)
	multibody.FK(k.data, k.q[k.first:k.first+k.model.NQ()])
	return k.base.Mul(k.data.Pose(k.link)).Mul(k.constraint.Tool)
}

// within reports whether a failure is at most a part of the tolerances.
func (k *ConstrainedSpace) within(e [6]float64, part float64) bool {
	return math.Hypot(math.Hypot(e[0], e[1]), e[2]) <= part*k.Tolerance && math.Hypot(math.Hypot(e[3], e[4]), e[5]) <= part*k.Turn
}

// Keeps reports whether the tool is in its region at a point, within a quarter of the tolerances: the rest is for the way between points.
// p has Dim values.
func (k *ConstrainedSpace) Keeps(p []float64) bool {
	return k.within(k.constraint.off(k.tool(p)), onPoints)
}

const projections = 30 // steps of Newton's method, at most

// project moves a point to where the tool keeps the constraint, and reports whether it got there within the limits:
//
//	q ← q - Jᵀ (J Jᵀ + λ² 1)⁻¹ e
//
// with the rows of J along and about which the tool is off by e.
func (k *ConstrainedSpace) project(p []float64) bool {
	for range projections {
		e := k.constraint.off(k.tool(p))
		if k.within(e, projected) {
			return k.joints.Outside(p) < 0
		}
		pose := multibody.Jacobian(k.data, k.q[k.first:k.first+k.model.NQ()], k.link, multibody.Mixed, k.jacobian)
		arm := k.base.R.MulVec(pose.R.MulVec(k.constraint.Tool.P))
		var columns [64][6]float64
		var a [6][6]float64
		for i := range k.rows() {
			columns[i] = k.motion(i, arm, &e)
			for r := range a {
				for c := range a {
					a[r][c] += columns[i][r] * columns[i][c]
				}
			}
		}
		for r := range a {
			a[r][r] += newtonDamping * newtonDamping
		}
		factor(&a)
		solve(&a, &e)
		for i := range k.rows() {
			for r, x := range e {
				p[i] -= columns[i][r] * x
			}
		}
	}
	return false
}

// newtonDamping keeps steps near singularities short.
const newtonDamping = 1e-4

// rows returns the number of values, of which at most 64 are moved: as many as samplers have.
func (k *ConstrainedSpace) rows() int { return min(k.Dim(), 64) }

// motion returns how value i moves the tool along and about the axes of the region's frame, in the rows of e that are not zero.
func (k *ConstrainedSpace) motion(i int, arm spatial.Vec3, e *[6]float64) (out [6]float64) {
	j := k.column[i]
	if j < 0 {
		return out
	}
	n := k.model.NV()
	at := func(row int) spatial.Vec3 {
		return k.base.R.MulVec(spatial.Vec3{X: k.jacobian[row*n+j], Y: k.jacobian[(row+1)*n+j], Z: k.jacobian[(row+2)*n+j]})
	}
	w := at(3)
	v := k.constraint.Frame.R.TMulVec(at(0).Add(w.Cross(arm)))
	w = k.constraint.Frame.R.TMulVec(w)
	for r, x := range [6]float64{v.X, v.Y, v.Z, w.X, w.Y, w.Z} {
		if e[r] != 0 {
			out[r] = x
		}
	}
	return out
}

// Dim returns the number of joints.
func (k *ConstrainedSpace) Dim() int { return k.joints.Dim() }

// NQ returns the length of configurations of the scene.
func (k *ConstrainedSpace) NQ() int { return k.joints.NQ() }

// Configuration writes the configuration of the scene at the point p to q. p has Dim values, q NQ.
func (k *ConstrainedSpace) Configuration(p, q []float64) { k.joints.Configuration(p, q) }

// Distance returns the distance of the joints, not that along the constraint. a and b have Dim values.
func (k *ConstrainedSpace) Distance(a, b []float64) float64 { return k.joints.Distance(a, b) }

// Symmetric returns true.
func (k *ConstrainedSpace) Symmetric() bool { return true }

// Interpolate writes to out the point between a and b, projected; not a number if that is not possible.
// t goes from 0 to 1; a, b and out have Dim values.
func (k *ConstrainedSpace) Interpolate(a, b []float64, t float64, out []float64) {
	k.joints.Interpolate(a, b, t, out)
	if !k.project(out) {
		for i := range out {
			out[i] = math.NaN()
		}
	}
}

// Move writes a + d to out, projected where that is possible. All have Dim values; out may be a.
func (k *ConstrainedSpace) Move(a, d, out []float64) {
	k.joints.Move(a, d, out)
	k.settle(out)
}

// Scale turns a point of the unit cube into a point of the space, projected where that is possible. p has Dim values.
func (k *ConstrainedSpace) Scale(p []float64) {
	k.joints.Scale(p)
	k.settle(p)
}

// ScaleNear turns a point of the unit cube into one near center, as that of the joints, projected where that is possible. Both have Dim values.
func (k *ConstrainedSpace) ScaleNear(center []float64, distance float64, p []float64) {
	k.joints.ScaleNear(center, distance, p)
	k.settle(p)
}

// settle projects a point, which stays where it is if that is not possible; verifiers then refuse it.
func (k *ConstrainedSpace) settle(p []float64) {
	copy(k.still, p)
	if !k.project(p) {
		copy(p, k.still)
	}
}

// Limits returns the name and the limits of a value.
func (k *ConstrainedSpace) Limits(i int) (name string, lower, upper float64) {
	return k.joints.Limits(i)
}

// Outside returns the index of the first of the Dim values of p that is not finite or outside its limits, or -1.
func (k *ConstrainedSpace) Outside(p []float64) int { return k.joints.Outside(p) }

// String describes the tolerances.
func (k *ConstrainedSpace) String() string {
	return fmt.Sprintf("%s keeps its constraint within %.3g mm and %.3g rad", k.constraint.Link, 1000*k.Tolerance, k.Turn)
}
