package model

import (
	"github.com/sinew-robotics/sinew/cli/verb"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// report is the output of `sinew model show --json`. Limits that do not exist are null.
type report struct {
	head
	AllJoints []jointReport   `json:"all_joints"`
	AllLinks  []linkReport    `json:"all_links"`
	Findings  []findingReport `json:"findings"`
}

type jointReport struct {
	Name     string           `json:"name"`
	Type     string           `json:"type"`
	Parent   string           `json:"parent"`
	Child    string           `json:"child"`
	Origin   numbers          `json:"origin"` // of the child frame in the parent frame: rows of R t
	Axis     numbers          `json:"axis,omitempty"`
	Limits   []limitsReport   `json:"limits"`
	Damping  float64          `json:"damping"`
	Friction float64          `json:"friction"`
	Mimic    *multibody.Mimic `json:"mimic,omitempty"`
}

type limitsReport struct {
	Lower    verb.Number `json:"lower"`
	Upper    verb.Number `json:"upper"`
	Velocity verb.Number `json:"velocity"`
	Effort   verb.Number `json:"effort"`
}

type linkReport struct {
	Name    string  `json:"name"`
	Mass    float64 `json:"mass"`
	COM     numbers `json:"com,omitempty"`     // in the link frame
	Inertia numbers `json:"inertia,omitempty"` // about the centre of mass, in the axes of the link: xx xy xz yy yz zz
}

type findingReport struct {
	Severity string `json:"severity"`
	Rule     string `json:"rule"`
	Source   string `json:"source"`
	Message  string `json:"message"`
}

func newReport(robot *description.Robot, m *multibody.Model, findings []description.Finding) report {
	r := report{head: newHead(m, m.Joints()), AllJoints: []jointReport{}, AllLinks: []linkReport{}, Findings: []findingReport{}}
	for i := range robot.Joints {
		j := &robot.Joints[i]
		joint := jointReport{
			Name: j.Name, Type: j.Type.String(), Parent: j.Parent, Child: j.Child, Origin: poseNumbers(j.Origin.Pose()),
			Limits: []limitsReport{}, Damping: j.Dynamics.Damping, Friction: j.Dynamics.Friction, Mimic: j.Mimic,
		}
		if usesAxis(j.Type) {
			joint.Axis = numbers{j.Axis.X, j.Axis.Y, j.Axis.Z}
		}
		for _, l := range j.Limits {
			joint.Limits = append(joint.Limits, limitsReport{verb.Number(l.Lower), verb.Number(l.Upper), verb.Number(l.Velocity), verb.Number(l.Effort)})
		}
		r.AllJoints = append(r.AllJoints, joint)
	}
	for _, l := range robot.Links {
		link := linkReport{Name: l.Name}
		if l.Inertial != nil {
			s := l.Inertial.Spatial()
			link.Mass, link.COM, link.Inertia = s.Mass, numbers{s.COM.X, s.COM.Y, s.COM.Z}, symmetric(s.Rotational)
		}
		r.AllLinks = append(r.AllLinks, link)
	}
	for _, f := range findings {
		r.Findings = append(r.Findings, findingReport{f.Severity.String(), f.Rule, f.Position.String(), f.Message})
	}
	return r
}

func symmetric(s spatial.Sym3) numbers { return numbers{s.XX, s.XY, s.XZ, s.YY, s.YZ, s.ZZ} }
