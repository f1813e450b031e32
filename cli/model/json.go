package model

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// head is the beginning of each verb's JSON: the model of the results. Vectors are in the order of Joints.
type head struct {
	Robot     string       `json:"robot"`
	Base      string       `json:"base"` // fixed or floating
	NQ        int          `json:"nq"`
	NV        int          `json:"nv"`
	Gravity   numbers      `json:"gravity"`
	TotalMass float64      `json:"total_mass"`
	Joints    []jointPlace `json:"joints"`
	Links     []string     `json:"links"`
	Frame     string       `json:"jacobian_link,omitempty"`
}

// jointPlace is a moving joint and its slices of the vectors.
type jointPlace struct {
	Name string `json:"name"`
	Type string `json:"type"`
	IQ   int    `json:"iq"`
	NQ   int    `json:"nq"`
	IV   int    `json:"iv"`
	NV   int    `json:"nv"`
}

// newHead describes a model with its joints in some order. A mimic joint has the slice of the joint that it follows.
func newHead(m *multibody.Model, joints []multibody.ModelJoint) head {
	g := m.Gravity()
	h := head{
		Robot: m.Name(), Base: "fixed", NQ: m.NQ(), NV: m.NV(), Gravity: numbers{g.X, g.Y, g.Z}, TotalMass: m.Mass(),
		Joints: []jointPlace{}, Links: m.Links(),
	}
	iq, iv := 0, 0
	places := map[int]jointPlace{} // by the first index in the model's q
	for _, j := range joints {
		if j.Name == rootJoint && j.Type == multibody.Floating {
			h.Base = "floating"
		}
		if j.Mimic == nil {
			places[j.Q] = jointPlace{j.Name, j.Type.String(), iq, j.Type.NQ(), iv, j.Type.NV()}
			iq, iv = iq+j.Type.NQ(), iv+j.Type.NV()
		}
	}
	for _, j := range joints {
		place := places[j.Q]
		place.Name, place.Type = j.Name, j.Type.String()
		h.Joints = append(h.Joints, place)
	}
	return h
}

// numbers is a list that encodes as JSON with full precision; NaN and infinities become null.
type numbers []float64

// MarshalJSON encodes the list.
func (list numbers) MarshalJSON() ([]byte, error) {
	text := append(make([]byte, 0, 20*len(list)+2), '[')
	for i, x := range list {
		if i > 0 {
			text = append(text, ',')
		}
		if math.IsNaN(x) || math.IsInf(x, 0) {
			text = append(text, "null"...)
		} else {
			text = strconv.AppendFloat(text, x, 'g', -1, 64)
		}
	}
	return append(text, ']'), nil
}

// linkPoses is the pose of each link; as JSON {"name": [12 numbers, the rows of R t], …}.
type linkPoses struct {
	names []string
	poses []spatial.Pose
}

// MarshalJSON encodes the poses in the order of the links.
func (l linkPoses) MarshalJSON() ([]byte, error) {
	text := []byte{'{'}
	for i, name := range l.names {
		if i > 0 {
			text = append(text, ',')
		}
		key, err := json.Marshal(name)
		if err != nil {
			return nil, err
		}
		value, err := poseNumbers(l.poses[i]).MarshalJSON()
		if err != nil {
			return nil, err
		}
		text = append(append(append(text, key...), ':'), value...)
	}
	return append(text, '}'), nil
}

// poseNumbers returns the rows of R t.
func poseNumbers(p spatial.Pose) numbers {
	return numbers{
		p.R[0][0], p.R[0][1], p.R[0][2], p.P.X,
		p.R[1][0], p.R[1][1], p.R[1][2], p.P.Y,
		p.R[2][0], p.R[2][1], p.R[2][2], p.P.Z,
	}
}
