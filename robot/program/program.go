package program

import (
	"fmt"

	"github.com/sinew-robotics/sinew/robot/description/document"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Program is a sequence of moves.
type Program struct {
	Name  string // of the program; may be empty
	Moves []Move
}

// Kind is what a move does.
type Kind uint8

const (
	MoveJ    Kind = iota // the joints move straight to a target, all arriving together
	MoveL                // the tool moves on a straight line
	MoveC                // the tool moves on a circular arc through a point
	MovePath             // the joints move through waypoints, such as those of a planner
	Dwell                // the robot rests
	Set                  // an output changes
	Attach               // the tool takes an object of the scene
	Detach               // it leaves the object
)

var kinds = [...]string{"moveJ", "moveL", "moveC", "movePath", "dwell", "set", "attach", "detach"}

// String returns the keyword of the kind.
func (k Kind) String() string { return kinds[k] }

// Move is one entry of a program.
type Move struct {
	Kind Kind
	At   document.Position // in the file

	Joints []JointValue  // of MoveJ: all in the order of the model, or some by name
	State  string        // of MoveJ: the name of a state of the robot's SRDF file, whose joints move while the others stay
	Pose   *Pose         // of MoveL and MoveC, and of MoveJ unless it has Joints or a State
	Via    spatial.Vec3  // of MoveC: a point of the arc, in the base's frame
	Points [][]float64   // of MovePath: positions of all joints in the order of the model, or in that of Names
	Names  []string      // of MovePath: joints of the points; nil for all
	Time   float64       // of Dwell, s
	Output []OutputValue // of Set
	Object string        // of Attach and Detach: the name of an object of the scene

	// Before is where Set takes effect: this way of the tool (m) before the end of the move above it.
	Before float64

	// Speed, Acceleration and Jerk of MoveJ and MovePath are shares of the limits of the joints, in (0, 1]. Those of MoveL and MoveC are limits
	// of the tool along its path: m/s, m/s², m/s³. The limits of the joints hold in every case.
	Speed, Acceleration, Jerk float64

	// AngularSpeed and AngularAcceleration limit the tool's rotation in MoveL and MoveC, rad/s and rad/s².
	AngularSpeed, AngularAcceleration float64

	// Blend is how far from its end (m, of the tool's origin) the move turns into the next one; 0: it stops there. Of MovePath it is that of the
	// corners at its waypoints, reduced to half of their edges; it ends in a stop.
	Blend float64

	Tool Tool

	// SmoothJerk asks for a continuous jerk of all joints: see [Compile].
	SmoothJerk bool
}

// JointValue is the target of a joint.
type JointValue struct {
	Name     string // "" in a list of all joints
	Position float64
	Unit     string // as written; "" for rad or m
	At       document.Position
}

// Pose is a target of the tool in the frame of the robot's base.
type Pose struct {
	spatial.Pose
	KeepRotation bool // the orientation is that at the end of the move before; Pose.R is not used
}

// OutputValue is a value that Set gives to an output.
type OutputValue struct {
	Name  string
	Value float64
	At    document.Position
}

// Tool is the frame that moves: fixed to a link.
type Tool struct {
	Link string       // "" for the link that carries no other one
	Pose spatial.Pose // in the frame of the link

	// Touch are links beside Link that may touch what the tool carries, such as fingers.
	Touch []string

	At document.Position // where the file defines it
}

// Outputs returns the names of all outputs that the program sets, in the order of their first use.
func (p *Program) Outputs() (names []string) {
	seen := map[string]bool{}
	for i := range p.Moves {
		for _, o := range p.Moves[i].Output {
			if !seen[o.Name] {
				seen[o.Name] = true
				names = append(names, o.Name)
			}
		}
	}
	return names
}

// Error describes why a move cannot be executed.
type Error struct {
	At     document.Position // of the move
	Kind   Kind
	Number int     // of the move, from 1
	S      float64 // way along the move, m of the tool, where the reason is; negative: it has no place
	Joint  string  // that the reason is about; "": it is not about one
	Reason string  // and what to do
}

// Error names line, move and place.
func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.At, e.Message()) }

// Message returns the error without the line.
func (e *Error) Message() string {
	where := ""
	if e.S >= 0 {
		where = fmt.Sprintf(" at s = %.4g m", e.S)
	}
	return fmt.Sprintf("%s (move %d)%s: %s", e.Kind, e.Number, where, e.Reason)
}
