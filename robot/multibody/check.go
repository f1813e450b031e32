package multibody

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// check returns everything that is wrong with the tree, joined into one error.
func check(t *Tree) error {
	c := checker{tree: t, links: map[string]int{}, joints: map[string]int{}}
	c.names()
	c.topology()
	for i := range t.Links {
		c.link(&t.Links[i])
	}
	for i := range t.Joints {
		c.joint(&t.Joints[i])
	}
	return errors.Join(c.errs...)
}

type checker struct {
	tree   *Tree
	links  map[string]int
	joints map[string]int
	errs   []error
}

func (c *checker) fail(format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf(format, args...))
}

func (c *checker) names() {
	if len(c.tree.Links) == 0 {
		c.fail("robot has no link")
	}
	for i, l := range c.tree.Links {
		if l.Name == "" {
			c.fail("link %d has no name", i)
		} else if _, twice := c.links[l.Name]; twice {
			c.fail("link %q is defined twice", l.Name)
		}
		c.links[l.Name] = i
	}
	for i, j := range c.tree.Joints {
		if j.Name == "" {
			c.fail("joint %d has no name", i)
		} else if _, twice := c.joints[j.Name]; twice {
			c.fail("joint %q is defined twice", j.Name)
		}
		c.joints[j.Name] = i
	}
}

// topology checks that the links form one tree.
func (c *checker) topology() {
	carrier := map[string]*Joint{} // the joint that carries a link
	for i := range c.tree.Joints {
		j := &c.tree.Joints[i]
		if _, ok := c.links[j.Parent]; !ok {
			c.fail("joint %q: parent link %q does not exist", j.Name, j.Parent)
		}
		if _, ok := c.links[j.Child]; !ok {
			c.fail("joint %q: child link %q does not exist", j.Name, j.Child)
		} else if other, ok := carrier[j.Child]; ok {
			c.fail("link %q is the child of both joint %q and joint %q: a tree cannot close a loop, describe it as a constraint", j.Child, other.Name, j.Name)
		} else {
			carrier[j.Child] = j
		}
	}
	var roots []string
	for _, l := range c.tree.Links {
		if carrier[l.Name] == nil {
			roots = append(roots, l.Name)
		}
	}
	if len(roots) > 1 {
		c.fail("robot has %d root links, want one: %q", len(roots), roots)
	}
	// a link that never reaches a root hangs on a loop
	done := map[string]bool{}
	for _, l := range c.tree.Links {
		var walked []string
		at := l.Name
		for carrier[at] != nil && !done[at] {
			if k := slices.Index(walked, at); k >= 0 {
				c.fail("links %q form a loop", walked[k:])
				break
			}
			walked = append(walked, at)
			at = carrier[at].Parent
		}
		for _, w := range walked {
			done[w] = true
		}
	}
}

func (c *checker) link(l *Link) {
	i := &l.Inertia
	r := &i.Rotational
	if !i.COM.IsFinite() || !finite(i.Mass, r.XX, r.XY, r.XZ, r.YY, r.YZ, r.ZZ) {
		c.fail("link %q: inertia is not finite", l.Name)
	}
	if i.Mass < 0 {
		c.fail("link %q: mass %g kg is negative", l.Name, i.Mass)
	}
}

func (c *checker) joint(j *Joint) {
	if int(j.Type) >= len(jointTypes) {
		c.fail("joint %q: unknown type %d", j.Name, j.Type)
		return
	}
	if p := j.placement(); !p.P.IsFinite() || !p.R.IsRotation(rotationTolerance) {
		c.fail("joint %q: placement is not a finite position with a rotation", j.Name)
	}
	switch j.Type {
	case Fixed, Spherical, Floating:
	default:
		c.axis(j, "axis", j.Axis)
	}
	if j.Type == Universal {
		c.axis(j, "second axis", j.Axis2)
		if j.Axis.Unit().Cross(j.Axis2.Unit()).Norm() < 1e-6 {
			c.fail("joint %q: the two axes are parallel", j.Name)
		}
	}
	if !finite(j.Pitch, j.Damping, j.Friction, j.Armature) {
		c.fail("joint %q: pitch, damping, friction or armature is not finite", j.Name)
	}
	if j.Armature < 0 {
		c.fail("joint %q: armature %g is negative", j.Name, j.Armature)
	}
	if j.Armature != 0 && (j.Type == Spherical || j.Type == Floating || j.Type == Fixed) {
		c.fail("joint %q: a %s joint has no rotor, so no armature", j.Name, j.Type)
	}
	c.limits(j)
	c.mimic(j)
}

func (c *checker) axis(j *Joint, what string, a spatial.Vec3) {
	switch {
	case !a.IsFinite():
		c.fail("joint %q: %s is not finite", j.Name, what)
	case a == spatial.Vec3{}:
		c.fail("joint %q: %s is zero", j.Name, what)
	}
}

func (c *checker) limits(j *Joint) {
	l := j.Limits
	if l == nil {
		return
	}
	switch {
	case math.IsNaN(l.Lower) || math.IsNaN(l.Upper) || math.IsNaN(l.Velocity) || math.IsNaN(l.Effort):
		c.fail("joint %q: a limit is not a number", j.Name)
	case l.Lower > l.Upper:
		c.fail("joint %q: lower limit %g is above upper limit %g: exchange them", j.Name, l.Lower, l.Upper)
	}
	if l.Velocity < 0 || l.Effort < 0 {
		c.fail("joint %q: velocity or effort limit is negative", j.Name)
	}
}

// mimic checks the coupling of j and that following couplings ends at an independent joint.
func (c *checker) mimic(j *Joint) {
	if j.Mimic == nil {
		return
	}
	if j.Type.NV() != 1 {
		c.fail("joint %q: a %s joint cannot mimic", j.Name, j.Type)
	}
	if !finite(j.Mimic.Multiplier, j.Mimic.Offset) {
		c.fail("joint %q: mimic multiplier or offset is not finite", j.Name)
	}
	at := j
	for range len(c.tree.Joints) {
		k, ok := c.joints[at.Mimic.Joint]
		if !ok {
			c.fail("joint %q: mimics joint %q, which does not exist", at.Name, at.Mimic.Joint)
			return
		}
		at = &c.tree.Joints[k]
		if int(at.Type) >= len(jointTypes) || at.Type.NV() != 1 {
			c.fail("joint %q: mimics joint %q, which has not one degree of freedom", j.Name, at.Name)
			return
		}
		if at.Mimic == nil {
			return
		}
	}
	c.fail("joint %q: mimic couplings form a loop", j.Name)
}

// rotationTolerance bounds how far a given rotation matrix may be from orthonormal.
const rotationTolerance = 1e-6

func finite(xs ...float64) bool {
	for _, x := range xs {
		if x-x != 0 {
			return false
		}
	}
	return true
}

// placement returns the placement with the zero value read as the identity.
func (j *Joint) placement() spatial.Pose {
	p := j.Placement
	if p.R == (spatial.Mat3{}) {
		p.R = spatial.Identity()
	}
	return p
}
