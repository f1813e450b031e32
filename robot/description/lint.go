package description

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sinew-robotics/sinew/robot/multibody"
)

// Severity is the severity of a finding.
type Severity uint8

const (
	Suspicious Severity = iota // may be meant, is often a mistake
	Impossible                 // no real robot is like that, or no calculation can go on with it
)

// String returns the severity in lower case.
func (s Severity) String() string {
	if s == Impossible {
		return "impossible"
	}
	return "suspicious"
}

// meshRule is the rule of findings about files of meshes.
const meshRule = "mesh"

// Finding is one thing that Lint found.
type Finding struct {
	Severity Severity
	Rule     string   // what was checked, in a word or two: "inertia", "limits", "mesh"
	Position Position // of the element in the file
	Message  string   // one sentence without position and severity
}

// String formats the finding as file:line:column: severity: message (rule).
func (f Finding) String() string {
	return fmt.Sprintf("%s: %s: %s (%s)", f.Position, f.Severity, f.Message, f.Rule)
}

// Lint reports what is impossible or suspicious in a robot, in the order of its file: inertias that no body can have,
// masses that are missing where a joint moves them, limits that are reversed, zero or look like degrees, axes that
// are not unit vectors, friction that drives, mimic joints that follow nothing or each other, transmissions and
// materials that refer to nothing, meshes that are not there, lengths that look like millimetres, names that look
// misspelt. A robot that was built by a program and not
// read from a file is also checked for being one tree.
func Lint(robot *Robot) []Finding {
	l := &linter{robot: robot, lost: map[string]*lost{}}
	l.structure()
	l.materials()
	for i := range robot.Links {
		l.link(&robot.Links[i])
	}
	for i := range robot.Joints {
		l.joint(&robot.Joints[i])
	}
	l.masses()
	l.mimics()
	l.references()
	l.suspects(robot.Suspects)
	return l.sorted()
}

// linter gathers findings.
type linter struct {
	robot    *Robot
	broken   bool            // the robot is no tree
	names    report          // for hints alone
	defined  map[string]bool // materials that are
	findings []Finding
	lost     map[string]*lost // meshes that cannot be found, by the reason
}

// lost is the number of a finding about a mesh that cannot be found, and of how many more shapes it is true.
type lost struct{ finding, more int }

func (l *linter) impossible(rule string, at Position, format string, args ...any) {
	l.findings = append(l.findings, Finding{Impossible, rule, at, fmt.Sprintf(format, args...)})
}

func (l *linter) suspicious(rule string, at Position, format string, args ...any) {
	l.findings = append(l.findings, Finding{Suspicious, rule, at, fmt.Sprintf(format, args...)})
}

func (l *linter) suspects(problems []Problem) {
	for _, s := range problems {
		l.suspicious("name", s.Position, "%s", s.Message)
	}
}

func (l *linter) sorted() []Finding {
	for _, m := range l.lost {
		if m.more > 0 {
			l.findings[m.finding].Message += fmt.Sprintf("; further shapes like it: %d", m.more)
		}
	}
	slices.SortStableFunc(l.findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Position.Line, b.Position.Line), cmp.Compare(a.Position.Column, b.Position.Column))
	})
	return l.findings
}

// structure checks what the reader of a file has checked already.
func (l *linter) structure() {
	var r report
	l.robot.check(&r)
	for _, p := range r.Problems() {
		l.broken = true
		l.impossible("structure", p.Position, "%s", p.Message)
	}
}

// masses checks that each joint has something to move.
func (l *linter) masses() {
	if l.broken {
		return
	}
	below := map[string][]*Joint{}
	mass := map[string]float64{}
	for i := range l.robot.Links {
		mass[l.robot.Links[i].Name] = l.robot.Links[i].Inertial.Spatial().Mass
	}
	for i := range l.robot.Joints {
		j := &l.robot.Joints[i]
		below[j.Parent] = append(below[j.Parent], j)
	}
	// Bottom-up over a list in which each joint stands behind the one it hangs on.
	order := l.topDown(below)
	rigid, whole := map[string]float64{}, map[string]float64{} // what moves as one with the link; all that hangs on it
	for i := len(order) - 1; i >= 0; i-- {
		link := order[i].Child
		rigid[link] += mass[link]
		whole[link] += mass[link]
		whole[order[i].Parent] += whole[link]
		if order[i].Type == multibody.Fixed {
			rigid[order[i].Parent] += rigid[link]
		}
	}
	for _, j := range order {
		switch {
		case j.Type == multibody.Fixed || j.Mimic != nil:
		case whole[j.Child] == 0:
			l.impossible("mass", j.Position, "joint %q moves no mass at all: forces on it would accelerate it without bound", j.Name)
		case rigid[j.Child] == 0:
			l.suspicious("mass", j.Position, "joint %q moves link %q, which has no mass; only what hangs further out has", j.Name, j.Child)
		}
	}
}

// topDown lists the joints from the root outwards.
func (l *linter) topDown(below map[string][]*Joint) []*Joint {
	children := map[string]bool{}
	for i := range l.robot.Joints {
		children[l.robot.Joints[i].Child] = true
	}
	var order []*Joint
	for i := range l.robot.Links {
		if name := l.robot.Links[i].Name; !children[name] {
			order = append(order, below[name]...)
		}
	}
	for i := 0; i < len(order); i++ {
		order = append(order, below[order[i].Child]...)
	}
	return order
}
