package plans

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sinew-robotics/sinew/console/robots"
	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/space"
)

// Limits of requests.
const (
	mostObjects   = 200
	mostParts     = 64     // of an object
	longestName   = 100    // bytes
	largestNumber = 1e3    // m or rad, of places and joints
	longestPlan   = 600.0  // s
	mostPanes     = 16     // of a page
	mostLooks     = 4      // at the trees of one plan, at the same time
	samePlace     = 1e-6   // rad or m, of a joint that is held
	mostSamples   = 300    // of the motion in a reply
	sampleRate    = 60     // 1/s, unless that gives more than mostSamples
	checkedPoints = 600    // of one request to check
	longestWay    = 64.0   // rad or m, between two of them
	mostLimit     = 1e5    // rad/s² or rad/s³
	leastSize     = 1e-4   // m, of a shape
	nodes         = 20_000 // of each tree or roadmap
	proofStep     = 1e-3   // rad or m, at which motions are sampled where they are not proved free
	attempts      = 3      // paths that planners other than RRT-Connect try
	unknownSpeed  = 1.0    // rad/s or m/s, of joints whose description has no limit
	mostEdges     = 1_500  // of trees in a reply
)

// Problem is a problem that a page wants solved.
type Problem struct {
	System string `json:"system"` // of the robot, or robots.NoSystem
	Robot  string `json:"robot"`
	Pane   string `json:"pane"` // of the page, at most 100 bytes; each has a plan of its own

	Start []float64      `json:"start"`          // positions of the joints, rad or m
	Goal  []float64      `json:"goal"`           // likewise; with a pose, where the search for it begins
	Link  string         `json:"link"`           // the tool, whose path is returned
	Pose  *robots.Target `json:"pose,omitempty"` // of the link in the scene, in place of the goal
	Held  []string       `json:"held"`           // joints that stay as at the start

	Objects []Object `json:"objects"`

	Planner      string  `json:"planner"`      // "": the recommended one
	Engine       string  `json:"engine"`       // "spheres", "exact" or "": spheres if all links consist of them
	Seed         uint64  `json:"seed"`         // of the planner's random numbers
	Seconds      float64 `json:"seconds"`      // that planning may take, at most 600
	Acceleration float64 `json:"acceleration"` // greatest of each joint, rad/s² or m/s²
	Jerk         float64 `json:"jerk"`         // likewise, rad/s³ or m/s³
	Tree         bool    `json:"tree"`         // whether the reply has the trees of the planner
	Distance     bool    `json:"distance"`     // whether it has the least distance on the way
}

// check refuses what no planner should see.
func (p *Problem) check(joints int) error {
	var wrong []error
	report := func(format string, args ...any) { wrong = append(wrong, fmt.Errorf(format, args...)) }
	for _, end := range []struct {
		name string
		q    []float64
	}{{"start", p.Start}, {"goal", p.Goal}} {
		if len(end.q) != joints {
			report("the %s has %d values, the robot %d joints", end.name, len(end.q), joints)
		} else if !bounded(end.q...) {
			report("the %s has a value that is not finite or beyond %g", end.name, float64(largestNumber))
		}
	}
	if t := p.Pose; t != nil && !bounded(t.P[:]...) {
		report("the pose has a value that is not finite or beyond %g m", float64(largestNumber))
	}
	if len(p.Objects) > mostObjects {
		report("%d obstacles: at most %d are planned around", len(p.Objects), mostObjects)
	}
	if !(p.Seconds > 0 && p.Seconds <= longestPlan) {
		report("the time of a plan is %g s: want more than 0, at most %g", p.Seconds, longestPlan)
	}
	if len(p.Held) > joints {
		report("%d joints are held, the robot has %d", len(p.Held), joints)
	}
	for name, x := range map[string]float64{"acceleration": p.Acceleration, "jerk": p.Jerk} {
		if !(x >= 0.01 && x <= mostLimit) {
			report("the greatest %s is %g: want 0.01 to %g", name, x, float64(mostLimit))
		}
	}
	if !slices.Contains([]string{"", "exact", "spheres"}, p.Engine) {
		report("engine %q: want exact or spheres", p.Engine)
	}
	if p.Planner != "" && !slices.Contains(plannerNames(), p.Planner) {
		report("there is no planner %q%s", p.Planner, nearest.Hint(p.Planner, plannerNames()))
	}
	return errors.Join(wrong...)
}

// worldOf returns the world of a robot, and the space of its joints. It fails if a configuration has not one finite value for each joint.
func (p *Plans) worldOf(ctx context.Context, system, robot string, configurations ...[]float64) (*robots.World, space.Robots, error) {
	w, _, err := p.robots.World(ctx, system, robot)
	if err != nil {
		return nil, nil, err
	}
	joints, err := w.Joints()
	if err != nil {
		return nil, nil, err
	}
	for _, q := range configurations {
		if len(q) != joints.Dim() || !bounded(q...) {
			return nil, nil, fmt.Errorf("a configuration has %d values, or one that is not finite or beyond %g: want %d", len(q), float64(largestNumber), joints.Dim())
		}
	}
	return w, joints, nil
}

// bounded reports whether numbers are finite and not beyond the largest one.
func bounded(list ...float64) bool {
	for _, x := range list {
		if !(math.Abs(x) <= largestNumber) {
			return false
		}
	}
	return true
}

func plannerNames() (names []string) {
	for _, k := range planning.Kinds() {
		names = append(names, k.Name)
	}
	return names
}

// Reason is a reason for a plan that there is not.
type Reason struct {
	// Kind is "start" or "goal": in collision; "limit"; "held": the goal has a joint elsewhere that is held; "unreachable"; "time"; "none": no path;
	// "contact": none was proved free.
	Kind     string      `json:"kind"`
	Text     string      `json:"text"`
	End      string      `json:"end,omitempty"` // "start" or "goal": where the reason lies
	Contacts []Contact   `json:"contacts"`
	Joint    string      `json:"joint,omitempty"`   // beyond a limit, or held
	Wanted   *[3]float64 `json:"wanted,omitempty"`  // of the link, out of reach, m
	Reached  *[3]float64 `json:"reached,omitempty"` // the nearest position of the link, m
}

// Contact is where two bodies are nearest or deepest.
type Contact struct {
	A        string     `json:"a"`
	B        string     `json:"b"`
	Distance float64    `json:"distance"` // m; negative: they overlap
	PA       [3]float64 `json:"pa"`       // point of the first body, m
	PB       [3]float64 `json:"pb"`
	Time     float64    `json:"time"` // of the motion, s
}

// Reply is a plan, or why there is none.
type Reply struct {
	Why  *Reason   `json:"why"`  // nil: there is a plan
	Goal []float64 `json:"goal"` // the configuration at the end; that nearest to a pose that is out of reach

	WaitUS    float64 `json:"wait_us"`    // for plans of other panes, and the one before
	PrepareUS float64 `json:"prepare_us"` // of scene and inverse kinematics
	PlanUS    float64 `json:"plan_us"`    // of planner, shortcuts, timing and proof
	TotalUS   float64 `json:"total_us"`   // of all but the wait
	Planner   string  `json:"planner"`
	Engine    string  `json:"engine"`
	Samples   int     `json:"samples"`
	Checked   int     `json:"checked"`  // configurations
	Length    float64 `json:"length"`   // of the path, rad and m as the norm over all joints
	Duration  float64 `json:"duration"` // s
	Proved    bool    `json:"proved"`   // free at all times
	Report    string  `json:"report"`   // what was proved or sampled, in words

	Waypoints [][]float64 `json:"waypoints"` // the corners of the path
	// Q has the positions of the joints at equal distances of time. When time is over it may lead to the point that was found nearest to the goal.
	Q     Numbers  `json:"q"`
	Hand  Numbers  `json:"hand"`  // x, y, z of the link at these times, m
	Tree  Numbers  `json:"tree"`  // edges of the planner's trees: positions of the link at both ends, m
	Least *Contact `json:"least"` // the least distance on the way; nil: not asked for, or nothing to measure

	last []float64 // the last point, of the joints that move
}
