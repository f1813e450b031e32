package model

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

// jointOrder is an order of a model's joints other than its own, as given by a file of states.
type jointOrder struct {
	joints []multibody.ModelJoint // in the order of the file; Q and V are their positions in the vectors of the model
	nq, nv int
	v      []int // v[i]: index in the model's v of coordinate i of the file's v
	q      []int // the same for q
}

// newJointOrder maps a list of joint names to the joints of a model; nil is the order of the model. A floating root
// joint that is not listed comes first.
func newJointOrder(m *multibody.Model, names []jointName) (*jointOrder, error) {
	all := m.Joints()
	o := &jointOrder{nq: m.NQ(), nv: m.NV(), joints: all}
	if names != nil {
		listed, err := listedJoints(m, all, names)
		if err != nil {
			return nil, err
		}
		o.joints = listed
	}
	for _, j := range o.joints {
		for k := range j.Type.NQ() {
			o.q = append(o.q, j.Q+k)
		}
		for k := range j.Type.NV() {
			o.v = append(o.v, j.V+k)
		}
	}
	return o, nil
}

const rootJoint = "root_joint" // the joint of multibody.FloatingBase

func listedJoints(m *multibody.Model, all []multibody.ModelJoint, names []jointName) ([]multibody.ModelJoint, error) {
	var wrong []error
	known := make([]string, len(all))
	for i, j := range all {
		known[i] = j.Name
	}
	if len(all) > 0 && all[0].Name == rootJoint && all[0].Type == multibody.Floating && !slices.Contains(names, rootJoint) {
		names = append([]jointName{rootJoint}, names...)
	}
	listed, seen := []multibody.ModelJoint(nil), map[string]bool{}
	for i, name := range names {
		j, err := m.Joint(string(name))
		switch {
		case err != nil:
			wrong = append(wrong, fmt.Errorf("joints[%d]: %s has no moving joint %q%s", i, m.Name(), name, nearest.Hint(string(name), known)))
		case seen[j.Name]:
			wrong = append(wrong, fmt.Errorf("joints[%d]: %q is listed twice", i, name))
		}
		seen[j.Name] = true
		listed = append(listed, j)
	}
	for _, name := range known {
		if !seen[name] {
			wrong = append(wrong, fmt.Errorf("joints: %q is missing: a state has a position of every moving joint", name))
		}
	}
	return listed, errors.Join(wrong...)
}

// toModel converts a vector from the order of the file to that of the model: at is o.q or o.v.
func toModel(at []int, file, model []float64) {
	for i, k := range at {
		model[k] = file[i]
	}
}

// fromModel inverts toModel.
func fromModel(at []int, model []float64) numbers {
	file := make(numbers, len(at))
	for i, k := range at {
		file[i] = model[k]
	}
	return file
}

const maxStateErrors = 20

// check returns all errors in the states.
func (o *jointOrder) check(states []state) error {
	var wrong []error
	for i := range states {
		s := &states[i]
		for _, f := range []struct {
			name string
			v    *vector
			n    int
		}{{"q", &s.Q, o.nq}, {"v", &s.V, o.nv}, {"a", &s.A, o.nv}, {"tau", &s.Tau, o.nv}} {
			switch {
			case !f.v.given && f.name == "q":
				wrong = append(wrong, fmt.Errorf("states[%d] has no q: wants %d numbers", i, f.n))
			case len(f.v.wrong) > 0:
				for _, w := range f.v.wrong {
					wrong = append(wrong, fmt.Errorf("states[%d].%s%s", i, f.name, w))
				}
			case f.v.given && len(f.v.values) != f.n:
				wrong = append(wrong, fmt.Errorf("states[%d].%s has %d numbers, wants %d: %s", i, f.name, len(f.v.values), f.n, layout(o.joints, f.name == "q")))
			case f.name == "q" && f.v.given:
				wrong = append(wrong, o.checkRotations(i, f.v.values)...)
			}
		}
	}
	if n := len(wrong) - maxStateErrors; n > 0 {
		wrong = append(wrong[:maxStateErrors], fmt.Errorf("%d more errors are not listed", n))
	}
	return errors.Join(wrong...)
}

// checkRotations reports quaternions in the positions of state i that are not rotations.
func (o *jointOrder) checkRotations(i int, q []float64) (wrong []error) {
	at := 0
	for _, j := range o.joints {
		end := at + j.Type.NQ()
		if j.Type == multibody.Floating || j.Type == multibody.Spherical {
			x := q[end-4 : end]
			if n := math.Hypot(math.Hypot(x[0], x[1]), math.Hypot(x[2], x[3])); !(math.Abs(n-1) < 1e-3) {
				wrong = append(wrong, fmt.Errorf("states[%d].q[%d:%d] is not a unit quaternion (x, y, z, w) of %s: its length is %.6g", i, end-4, end, j.Name, n))
			}
		}
		at = end
	}
	return wrong
}

// layout returns the number of values of each joint, for a message about a wrong length.
func layout(joints []multibody.ModelJoint, position bool) string {
	var parts []string
	one := 0
	flush := func() {
		if one > 0 {
			parts = append(parts, fmt.Sprintf("%d joints with 1", one))
		}
	}
	for _, j := range joints {
		if j.Mimic != nil {
			continue
		}
		n := j.Type.NV()
		if position {
			n = j.Type.NQ()
		}
		if n == 1 {
			one++
			continue
		}
		flush()
		one = 0
		parts = append(parts, fmt.Sprintf("%s with %d", j.Name, n))
	}
	flush()
	if one > 0 && len(parts) == 1 {
		return "one for each joint"
	}
	return strings.Join(parts, ", ")
}
