package plans

import (
	"errors"
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Object is an obstacle.
type Object struct {
	Name  string     `json:"name"`
	P     [3]float64 `json:"p"` // position, m
	Q     [4]float64 `json:"q"` // orientation as a unit quaternion x, y, z, w
	Parts []Part     `json:"parts"`
}

// Part is a shape of an obstacle.
type Part struct {
	Kind string     `json:"kind"` // "box", "sphere", "cylinder", "cone", or "file": a shape of the robot's own world that has no size
	Size []float64  `json:"size"` // as in MoveIt, m: edges of a box; radius of a sphere; height and radius of a cylinder or cone; of others those of a box around it
	File string     `json:"file"` // of a shape of the robot's own world: the address of its surface or its points; "": a half-space below z = 0
	P    [3]float64 `json:"p"`    // in the frame of the obstacle, m
	Q    [4]float64 `json:"q"`
}

// sizes are the numbers of sizes by the kind of a part.
var sizes = map[string]int{"box": 3, "sphere": 1, "cylinder": 2, "cone": 2}

// poseOf returns the pose of a position and a quaternion of about length 1.
func poseOf(p [3]float64, q [4]float64) (spatial.Pose, error) {
	quat := spatial.Quat{X: q[0], Y: q[1], Z: q[2], W: q[3]}
	if n := quat.Norm(); !(n > 0.99 && n < 1.01) || !bounded(p[:]...) {
		return spatial.Pose{}, fmt.Errorf("its pose is not finite, beyond %g m, or its quaternion is not of length 1", float64(largestNumber))
	}
	return spatial.Pose{R: quat.Unit().Mat3(), P: spatial.Vec3{X: p[0], Y: p[1], Z: p[2]}}, nil
}

func numbersOf(x spatial.Pose) (p [3]float64, q [4]float64) {
	quat := x.R.Quat()
	return [3]float64{x.P.X, x.P.Y, x.P.Z}, [4]float64{quat.X, quat.Y, quat.Z, quat.W}
}

// shape returns the shape of a part.
func (p *Part) shape() (*geometry.Shape, error) {
	n, ok := sizes[p.Kind]
	if !ok {
		return nil, fmt.Errorf("a part is a %q: want box, sphere, cylinder or cone", p.Kind)
	}
	if len(p.Size) != n {
		return nil, fmt.Errorf("a %s has %d sizes, want %d", p.Kind, len(p.Size), n)
	}
	for _, x := range p.Size {
		if !(x >= leastSize && x <= largestNumber) {
			return nil, fmt.Errorf("a %s has the size %g: want %g to %g m", p.Kind, x, leastSize, float64(largestNumber))
		}
	}
	switch p.Kind {
	case "box":
		return geometry.NewBox(spatial.Vec3{X: p.Size[0], Y: p.Size[1], Z: p.Size[2]})
	case "sphere":
		return geometry.NewSphere(p.Size[0])
	case "cylinder":
		return geometry.NewCylinder(p.Size[1], p.Size[0])
	}
	return geometry.NewCone(p.Size[1], p.Size[0])
}

// object returns an obstacle as an object of a scene. The shapes of a part "file" are those of the obstacle of this name in the robot's own world.
func (o *Object) object(own map[string]*scene.Body) (scene.Object, error) {
	if o.Name == "" || len(o.Name) > longestName {
		return scene.Object{}, fmt.Errorf("obstacle %.40q: want a name of 1 to %d bytes", o.Name, longestName)
	}
	s := scene.Object{Name: o.Name}
	err := func() (err error) {
		if len(o.Parts) == 0 || len(o.Parts) > mostParts {
			return fmt.Errorf("it has %d shapes: want 1 to %d", len(o.Parts), mostParts)
		}
		if s.Pose, err = poseOf(o.P, o.Q); err != nil {
			return err
		}
		for i := range o.Parts {
			p := &o.Parts[i]
			at, err := poseOf(p.P, p.Q)
			if err != nil {
				return err
			}
			part := geometry.Part{Pose: at}
			if p.Kind == "file" {
				b := own[o.Name]
				if b == nil || i >= len(b.Parts) {
					return errors.New("its file has no such shape; an obstacle with shapes of a file keeps its name")
				}
				part.Shape = b.Parts[i].Shape
			} else if part.Shape, err = p.shape(); err != nil {
				return err
			}
			s.Parts = append(s.Parts, part)
		}
		return nil
	}()
	if err != nil {
		return s, fmt.Errorf("obstacle %q: %w", o.Name, err)
	}
	return s, nil
}

// objectOf returns a body of a scene as an obstacle for pages; file returns the address of a part.
func objectOf(b *scene.Body, file func(part int) string) Object {
	o := Object{Name: b.Name, Parts: []Part{}}
	o.P, o.Q = numbersOf(b.Pose)
	for i, x := range b.Parts {
		p := Part{Kind: "file"}
		p.P, p.Q = numbersOf(x.Pose)
		here := spatial.IdentityPose()
		bounds := x.Shape.Bounds(&here)
		size := bounds.Max.Sub(bounds.Min)
		p.Size = []float64{clean(size.X), clean(size.Y), clean(size.Z)}
		sharp := x.Shape.Radius() == 0
		switch kind := x.Shape.Kind(); {
		case kind == geometry.Sphere:
			p.Kind, p.Size = "sphere", []float64{clean(x.Shape.Radius())}
		case kind == geometry.Box && sharp:
			p.Kind = "box"
		case kind == geometry.Cylinder && sharp:
			p.Kind, p.Size = "cylinder", []float64{clean(size.Z), clean(size.X / 2)}
		case kind == geometry.Cone && sharp:
			p.Kind, p.Size = "cone", []float64{clean(size.Z), clean(size.X / 2)}
		default:
			p.File = file(i)
			for k := range p.Size {
				if math.IsInf(p.Size[k], 0) {
					p.Size[k] = largestNumber
				}
			}
		}
		o.Parts = append(o.Parts, p)
	}
	return o
}

// clean rounds to nanometres: sizes are differences of bounds.
func clean(x float64) float64 { return math.Round(x*1e9) / 1e9 }
