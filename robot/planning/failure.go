package planning

import (
	"errors"
	"fmt"
	"strings"

	"github.com/sinew-robotics/sinew/robot/scene"
)

// Errors of plans. They are made before, so that a plan that fails allocates nothing.
var (
	// ErrStopped means that Stop ended the plan.
	ErrStopped = errors.New("plan a motion: stopped before a path was found")
	// ErrNoPath means that the trees are full or the iterations used up. There may be a path.
	ErrNoPath = errors.New("plan a motion: no path was found within the limits of nodes and iterations; raise them, or check that the goal is reachable")
)

// CollisionError means that the start or the goal is not free.
type CollisionError struct {
	End      string // start or goal
	Contacts []scene.Contact
}

// Error names the bodies and how deep they overlap.
func (e *CollisionError) Error() string {
	var pairs []string
	for _, c := range e.Contacts {
		pairs = append(pairs, fmt.Sprintf("%s overlap by %.3g mm", c.Pair, -1000*c.Distance))
	}
	return fmt.Sprintf("plan a motion: the %s is in collision: %s", e.End, strings.Join(pairs, ", "))
}

// LimitError means that the start or the goal is beyond the limits of a joint.
type LimitError struct {
	End                 string  // "start" or "goal"
	Joint               string  // name of the joint
	Value, Lower, Upper float64 // position of the joint and its limits, rad or m; Value is below Lower, above Upper or NaN
}

// Error names the joint and its limits.
func (e *LimitError) Error() string {
	return fmt.Sprintf("plan a motion: the %s is beyond a limit: %s is %g, its limits are %g and %g", e.End, e.Joint, e.Value, e.Lower, e.Upper)
}
